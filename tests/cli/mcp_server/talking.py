"""Clients of the SDK: in this process, or of ``referee mcp`` as a process of its own."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from referee.commands.mcp.server import make_server
from referee.commands.mcp.table_client import TableClient

__all__ = ["MCPError", "TableClient", "call", "make_server", "program", "refused", "talk"]

Talk = Callable[[Client], Awaitable[Any]]


def talk(server: Any, say: Talk) -> Any:
    """Connect, talk, and return what came of it."""

    async def run() -> Any:
        async with Client(server) as client:
            return await say(client)

    return asyncio.run(run())


def program(*flags: str, **env: str) -> StdioServerParameters:
    """Return ``referee mcp`` to be started."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return StdioServerParameters(
        command=sys.executable, args=["-m", "referee", "mcp", *flags], env={**kept, **env}
    )


def call(name: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool and return what it answers."""
    result = talk(make_server(), lambda client: client.call_tool(name, arguments))
    assert not result.is_error, result.content[0].text
    return result.structured_content


def refused(name: str, **arguments: Any) -> str:
    """Call a tool in vain and return what it says."""
    result = talk(make_server(), lambda client: client.call_tool(name, arguments))
    assert result.is_error, result.structured_content
    return str(result.content[0].text)
