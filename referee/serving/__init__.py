"""The HTTP server: uvicorn's event loop for sockets and streams, threads for the app (ADR 23)."""
