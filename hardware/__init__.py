"""The devices beside the table. They know the REST API (openapi.yaml), not the server's code."""
