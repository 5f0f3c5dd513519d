"""``python -m bench.served APP PORT``: any WSGI app on the referee's server."""

import importlib
import socket
import sys

from referee.serving.process import Openings, Server, settle


def main(app: str, port: int) -> None:
    """Serve the app, named as ``module:name``."""
    module, _, name = app.partition(":")
    listener = socket.create_server(("127.0.0.1", port), backlog=2048)
    application = getattr(importlib.import_module(module), name)
    settle()
    Server(application, Openings()).run([listener])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
