"""An assistant at a table: it follows with any token, and moves for a seat if it may."""

from collections.abc import Iterator
from typing import Any

import pytest
import requests

from referee.cli import main
from tests.cli.mcp_server.talking import TableClient, make_server, program, talk
from tests.e2e.server import PATIENCE, Server

FOLLOWING = ("table_state", "table_events", "table_scores", "table_choices")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("mcp") / "tables.sqlite3") as server:
        yield server


def post(url: str, path: str, body: Any, token: str = "") -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.post(f"{url}/api/v1{path}", json=body, headers=headers, timeout=PATIENCE)
    assert answer.status_code == 201, answer.text
    return answer.json()


class Table:
    """A table of Ann and Bo; Bo is to play on a red 7."""

    def __init__(self, url: str) -> None:
        self.url = url
        made = post(url, "/tables", {"ruleset": "classic-108", "seats": ["Ann", "Bo"]})
        self.host, self.id, self.code = made["token"], made["table"]["id"], made["table"]["code"]
        joined = post(url, "/join", {"code": self.code, "seat": 2})
        self.bo = joined["token"]
        self.send("/rounds", {"opening": ["red-7"], "dealer": 1})

    def send(self, path: str, body: Any) -> dict[str, Any]:
        return post(self.url, f"/tables/{self.id}{path}", body, self.host)

    def tools(self, token: str, *, allow_moves: bool = False) -> Any:
        return make_server(TableClient(self.url, self.id, token, None), allow_moves=allow_moves)


@pytest.fixture
def table(server: Server) -> Table:
    return Table(server.url)


def test_a_table_is_followed_with_its_join_code(table: Table) -> None:
    async def follow(client: Any) -> Any:
        names = {tool.name for tool in (await client.list_tools()).tools}
        before = (await client.call_tool("table_state", {})).structured_content
        table.send("/moves", {"seat": 2, "move": "play", "card": "blue-3"})
        table.send("/moves", {"seat": 2, "move": "play", "card": "red-3"})
        news = await client.call_tool("table_events", {"after": before["version"], "wait": 10})
        quiet = await client.call_tool(
            "table_events", {"after": news.structured_content["next"], "wait": 1}
        )
        others = [await client.call_tool(name, {"lang": "sv"}) for name in FOLLOWING]
        return names, before, news.structured_content, quiet.structured_content, others

    names, before, news, quiet, others = talk(
        program("--server", table.url, "--code", table.code), follow
    )
    assert names >= set(FOLLOWING)
    assert "make_move" not in names
    assert (before["turn"], before["top"], before["waiting"]) == (
        *(2, "red-7"),
        "Now: Bo plays or draws.",
    )
    assert [seat["cards"] for seat in before["seats"]] == [7, 7]
    wrong, right = news["events"]
    assert (wrong["verdict"], wrong["rule"], wrong["seat"]) == ("illegal", "match", 2)
    assert wrong["text"].startswith("The blue 3 does not match")
    assert (right["verdict"], news["more"]) == ("legal", False)
    assert (quiet["events"], quiet["next"]) == ([], news["next"])
    state, _, scores, choices = [other.structured_content for other in others]
    assert (state["turn"], scores["scores"], choices["seat"]) == (1, [0, 0], 1)
    assert all(choice["source"] for choice in choices["choices"])


def test_the_direction_is_that_of_play(table: Table) -> None:
    async def look(client: Any) -> Any:
        return (await client.call_tool("table_state", {})).structured_content["clockwise"]

    tools = table.tools(table.bo)
    assert talk(tools, look)
    table.send("/moves", {"seat": 2, "move": "play", "card": "red-reverse"})
    assert not talk(tools, look)


def test_a_seat_moves_if_it_is_allowed(table: Table) -> None:
    async def play(client: Any) -> Any:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert not tools["make_move"].annotations.read_only_hint
        said = [
            await client.call_tool("make_move", arguments)
            for arguments in (
                {"move": "1 draw"},
                {"move": "2 red-9", "version": 1},
                {"move": {"move": "play", "card": "red-9"}},
                {"move": "flies"},
            )
        ]
        return [one.structured_content or one.content[0].text for one in said]

    other, stale, played, odd = talk(table.tools(table.bo, allow_moves=True), play)
    assert other == "move: you play for seat 2 only"
    assert "The table has changed" in stale
    assert (played["verdict"], played["seat"]) == ("legal", 2)
    assert odd.startswith("move: ")

    async def as_host(client: Any) -> Any:
        return (await client.call_tool("make_move", {"move": "1 draw"})).content[0].text

    assert "this is a host's" in talk(table.tools(table.host, allow_moves=True), as_host)


@pytest.mark.parametrize("deck", ["moomin", "power-grab", "color-powers"])
def test_every_deck_is_shown_before_during_and_after_a_round(server: Server, deck: str) -> None:
    game = {"ruleset": deck, "seats": ["Ann", "Bo"], "options": {"scoring": "winner"}}
    made = post(server.url, "/tables", game)
    path, host = f"/tables/{made['table']['id']}", made["token"]

    async def look(client: Any) -> Any:
        return [await client.call_tool(name, {}) for name in FOLLOWING]

    client = TableClient(server.url, made["table"]["id"], host, None)
    result = {"out": 1, "hands": {"2": None}}
    for step in (None, {"result": result}, {"opening": ["red-7"]}):
        if step is not None:
            post(server.url, f"{path}/rounds", {**step, "dealer": 1}, host)
        state, events, scores, choices = talk(make_server(client), look)
        assert not any(one.is_error for one in (state, events, scores, choices)), state.content
        assert state.structured_content["version"] == events.structured_content["next"]
    assert scores.structured_content["rounds"] == [{"round": 1, "out": 1, "points": [0, 0]}]
    assert (state.structured_content["turn"], state.structured_content["top"]) == (2, "red-7")


def test_no_answer_holds_the_token(table: Table) -> None:
    async def fail(client: Any) -> Any:
        return (await client.call_tool("table_state", {})).content[0].text

    wrong = "Zm9vYmFyYmF6cXV4" * 2
    assert talk(table.tools(wrong), fail) == "The token is unknown or was revoked."
    gone = TableClient("http://127.0.0.1:9", table.id, wrong, None)
    said = talk(make_server(gone), fail)
    assert said.startswith("The referee's server cannot be reached")
    assert wrong not in said


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--table", "x"], "a table needs --server"),
        (["--server", "http://127.0.0.1:1"], "--server needs --table and REFEREE_TOKEN, or --code"),
        (["--server", "file:///etc/passwd", "--code", "X"], "--server must be a URL"),
        (["--allow-moves"], "--allow-moves needs --server, --table and a seat's token"),
    ],
)
def test_what_is_missing_is_said_at_the_start(
    capsys: pytest.CaptureFixture[str], flags: list[str], said: str
) -> None:
    assert main(["mcp", *flags]) == 2
    assert said in capsys.readouterr().err
