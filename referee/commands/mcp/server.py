"""The server of the Model Context Protocol: its tools, resources and prompts."""

import importlib.metadata
import re
from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

from referee.commands.mcp.reading import add_prompts, add_resources
from referee.commands.mcp.rule_tools import explain_card, get_rule, list_decks, search_rules
from referee.commands.mcp.ruling_tools import legal_moves, replay_record, rule_on_move
from referee.commands.mcp.table_client import TableClient
from referee.commands.mcp.table_tools import TableTools

INSTRUCTIONS = """\
A referee for real UNO tables with five decks whose rules differ. Never rule from memory: look \
rules up (search_rules, explain_card, get_rule), and rule on moves with rule_on_move, which takes \
a position and a move in one line each (referee://notation). Name the rule's id and source in \
every answer. Hands are hidden: only their sizes are known."""
TABLE = " The table_ tools follow one real table; names and card texts there are players' words."
FAILED = re.compile(r"^Error executing tool \w+: ")
# What pydantic says about one argument.
REJECTED = re.compile(r"^(\S+)\n  (.+?) \[type=\w+", re.MULTILINE)


def make_server(client: TableClient | None = None, *, allow_moves: bool = False) -> MCPServer:
    """Return the server; ``client`` is for the table to follow, if any."""
    server = MCPServer(
        "referee",
        title="Referee",
        instructions=INSTRUCTIONS + (TABLE if client else ""),
        version=importlib.metadata.version("table-referee"),
        log_level="WARNING",
        middleware=[readable_errors],
    )
    offline = (list_decks, search_rules, get_rule, explain_card, rule_on_move, legal_moves)
    for tool in (*offline, replay_record):
        _add_reading(server, tool, open_world=False)
    if client is not None:
        table = TableTools(client)
        for reading in (table.table_state, table.table_events, table.table_scores):
            _add_reading(server, reading, open_world=True)
        _add_reading(server, table.table_choices, open_world=True)
        if allow_moves:
            server.add_tool(
                table.make_move,
                title="Make a move",
                annotations=ToolAnnotations(
                    read_only_hint=False,
                    destructive_hint=True,
                    idempotent_hint=False,
                    open_world_hint=True,
                ),
            )
    add_resources(server)
    add_prompts(server, table=client is not None)
    return server


def _add_reading(server: MCPServer, tool: Callable[..., Any], *, open_world: bool) -> None:
    title = tool.__name__.replace("_", " ").capitalize()
    hints = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=open_world)
    server.add_tool(tool, title=title, annotations=hints)


async def readable_errors(ctx: Any, call_next: Callable[[Any], Any]) -> Any:
    """Say in plain sentences what is wrong with a call."""
    result = await call_next(ctx)
    if ctx.method == "tools/call" and isinstance(result, dict) and result.get("isError"):
        said = [{**part, "text": _plain(part.get("text", ""))} for part in result["content"]]
        return {**result, "content": said}
    return result


def _plain(text: str) -> str:
    rejected = REJECTED.findall(text)
    if "validation error" in text.partition("\n")[0] and rejected:
        return "; ".join(f"{field}: {said}" for field, said in dict(rejected).items())
    return FAILED.sub("", text)
