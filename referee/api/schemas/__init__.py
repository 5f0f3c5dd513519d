"""Schemas of requests and responses, from which openapi.yaml is generated."""
