"""``referee mcp``: the referee as a server of the Model Context Protocol, for assistants."""

import argparse
import os

from referee.commands.output import complain
from referee.extras import needs

FAILED = 2
DESCRIPTION = """\
Serve the rule books, rulings and, if asked to, one table to an assistant that
speaks the Model Context Protocol.
"""
EPILOG = """\
examples:
  referee mcp                                     rules and rulings, over stdin and stdout
  referee mcp --server http://192.168.1.20:8000 --code K7QX2M4P
                                                  and follow the table with this join code
  referee mcp --server URL --table ID             and follow a table with REFEREE_TOKEN
  referee mcp --server URL --table ID --allow-moves
                                                  and make moves for that token's seat
  referee mcp --http 8765                         over HTTP, for programs on this machine

A token is read from REFEREE_TOKEN rather than --token, which other users of the machine can see.
docs/mcp.md says how to add the server to an assistant.
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--server", metavar="URL", help="the referee's server with the table (REFEREE_SERVER)"
    )
    parser.add_argument("--table", metavar="ID", help="the table (REFEREE_TABLE)")
    parser.add_argument(
        "--token", metavar="TOKEN", help="a spectator's or seat's token (REFEREE_TOKEN)"
    )
    parser.add_argument(
        "--code", metavar="CODE", help="a join code, to watch with, instead of --table and a token"
    )
    parser.add_argument(
        "--allow-moves", action="store_true", help="let the assistant make moves with the token"
    )
    parser.add_argument(
        "--http", metavar="PORT", type=int, help="serve HTTP at 127.0.0.1 instead of stdin, stdout"
    )


def run(args: argparse.Namespace) -> int:
    """Serve until stdin ends, or until Ctrl-C."""
    try:
        # The SDK is large, and an extra.
        from referee.commands.mcp.server import make_server
        from referee.commands.mcp.table_client import TableClient
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0].startswith("referee"):
            raise
        complain("mcp", needs("mcp"))
        return FAILED
    try:
        client = TableClient.from_settings(
            args.server or os.environ.get("REFEREE_SERVER"),
            args.table or os.environ.get("REFEREE_TABLE"),
            args.token or os.environ.get("REFEREE_TOKEN"),
            args.code,
        )
        if args.allow_moves and (client is None or args.code):
            raise ValueError("--allow-moves needs --server, --table and a seat's token")
    except ValueError as error:
        complain("mcp", str(error))
        return FAILED
    server = make_server(client, allow_moves=args.allow_moves)
    if args.http is None:
        server.run("stdio")
    else:
        # At this address the SDK refuses requests with another Host or Origin.
        server.run("streamable-http", host="127.0.0.1", port=args.http)
    return 0
