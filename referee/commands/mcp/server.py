"""The server of the Model Context Protocol: its tools, resources and prompts."""

import importlib.metadata
import re
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolResult, TextContent, ToolAnnotations
from pydantic import ValidationError

from referee.commands.mcp.reading import add_prompts, add_resources
from referee.commands.mcp.rule_tools import explain_card, get_rule, list_decks, search_rules
from referee.commands.mcp.ruling_tools import legal_moves, replay_record, rule_on_move
from referee.commands.mcp.table_client import TableClient
from referee.commands.mcp.table_tools import TableTools

INSTRUCTIONS = """\
A referee for real UNO tables with decks whose rules differ. Never rule from memory: look \
rules up (search_rules, explain_card, get_rule), and rule on moves with rule_on_move, which takes \
a position and a move in one line each (referee://notation). Name the rule's id and source in \
every answer. Hands are hidden: only their sizes are known."""
TABLE = " The table_ tools follow one real table; names and card texts there are players' words."
FAILED = re.compile(r"^Error executing tool \w+: ")
# What pydantic says about one argument.
REJECTED = re.compile(r"^(\S+)\n  (.+?) \[type=\w+", re.MULTILINE)


def make_server(client: TableClient | None = None, *, allow_moves: bool = False) -> MCPServer:
    """Return the server; ``client`` is for the table to follow, if any."""
    offline = (list_decks, search_rules, get_rule, explain_card, rule_on_move, legal_moves)
    tools: list[Callable[..., Any]] = [*offline, replay_record]
    table = None if client is None else TableTools(client)
    if table is not None:
        tools += [table.table_state, table.table_events, table.table_scores, table.table_choices]
    takes = {tool.__name__: list(signature(tool).parameters) for tool in tools}
    if table is not None and allow_moves:
        takes[table.make_move.__name__] = list(signature(table.make_move).parameters)
    server = MCPServer(
        "referee",
        title="Referee",
        instructions=INSTRUCTIONS + (TABLE if client else ""),
        version=importlib.metadata.version("table-referee"),
        log_level="WARNING",
        middleware=[readable_errors(takes)],
    )
    for tool in tools:
        _add_reading(server, tool, open_world=tool.__name__.startswith("table_"))
    if table is not None and allow_moves:
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


def readable_errors(takes: Mapping[str, Sequence[str]]) -> Any:
    """Return middleware that tells in plain sentences what is wrong with a call.

    ``takes`` are the arguments of each tool: the SDK drops those that it does not know.
    """

    async def answer(ctx: Any, call_next: Callable[[Any], Any]) -> Any:
        if ctx.method == "tools/call" and (unknown := _unknown(ctx.params, takes)):
            return CallToolResult(content=[TextContent(text=unknown)], is_error=True)
        try:
            result = await call_next(ctx)
        except ValueError as error:
            if ctx.method != "prompts/get" or isinstance(error, ValidationError):
                raise
            raise MCPError(INVALID_PARAMS, f"{error}.") from None
        if ctx.method == "tools/call" and isinstance(result, dict) and result.get("isError"):
            content = [{**part, "text": _plain(part.get("text", ""))} for part in result["content"]]
            return {**result, "content": content}
        return result

    return answer


def _unknown(params: Any, takes: Mapping[str, Sequence[str]]) -> str | None:
    """Return what is said about arguments that a tool does not have; None if it has them all."""
    call = params if isinstance(params, Mapping) else {}
    known, given = takes.get(str(call.get("name"))), call.get("arguments")
    if known is None or not isinstance(given, Mapping):
        return None
    wrong = [str(name)[:40] for name in given if name not in known]
    if not wrong:
        return None
    return f"{', '.join(wrong[:5])}: there is no such argument. The tool has {', '.join(known)}."


def _plain(text: str) -> str:
    rejected = REJECTED.findall(text)
    if "validation error" in text.partition("\n")[0] and rejected:
        return "; ".join(f"{field}: {reason}" for field, reason in dict(rejected).items())
    return FAILED.sub("", text)
