"""The devices beside the table. They know the REST API (openapi.yaml) and nothing of the server."""
