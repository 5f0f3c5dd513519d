"""Records of games for the server to import."""

from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import requests

from tests.e2e.server import Server

Json = dict[str, Any]
# Each fits on the one before.
RUN = (
    *("red-0", "red-1", "red-1", "red-2", "red-2", "red-3", "red-3", "red-4", "red-4", "red-5"),
    *("red-5", "red-6", "red-6", "red-8", "red-8", "red-9", "red-9", "blue-9", "blue-9"),
    *("blue-8", "blue-8", "blue-6", "blue-6", "blue-5", "blue-5", "blue-4", "blue-4", "blue-3"),
)
KEPT = ("wild", "green-9", "yellow-skip", "green-5", "wild-draw-four", "yellow-7", "green-2")
HAND = 7


def begun(number: int, seats: int, plays: int) -> Json:
    """Return a round with this many cards played."""
    dealer = (number - 1) % seats + 1
    turns = islice(cycle((dealer + i) % seats + 1 for i in range(seats)), plays)
    moves = [
        {"seat": seat, "move": "play", "card": card}
        for seat, card in zip(turns, RUN[:plays], strict=True)
    ]
    return {"dealer": dealer, "opening": ["red-7"], "moves": moves}


def round_of(number: int, seats: int, forgetful: bool) -> Json:
    """Return a round won by the seat after the dealer; if ``forgetful``, the next is caught."""
    dealer = (number - 1) % seats + 1
    order = [(dealer + i) % seats + 1 for i in range(seats)]
    moves: list[Json] = []
    kept = {seat: [KEPT[(number + seat) % len(KEPT)]] for seat in order[1:]}
    cards = iter(RUN)
    for turn in range(HAND):
        for seat in order:
            if turn == HAND - 1 and seat != order[0]:
                break
            last_but_one = turn == HAND - 2
            caught = forgetful and last_but_one and seat == order[1]
            moves.append({"seat": seat, "move": "play", "card": next(cards)})
            if last_but_one and not caught:
                moves[-1]["uno"] = True
            if caught:
                moves.append({"seat": order[0], "move": "catch", "accused": seat})
                kept[seat] += ["yellow-1", "yellow-2"]
    moves += [{"seat": seat, "move": "reveal", "hand": hand} for seat, hand in kept.items()]
    return {"dealer": dealer, "opening": ["red-7"], "moves": moves}


def game_of(names: tuple[str, ...], rounds: int, **options: Any) -> Json:
    """Return a record; in every second round somebody forgets UNO."""
    forgetful = cycle((False, True))
    played = [round_of(n, len(names), next(forgetful)) for n in range(1, rounds + 1)]
    head = {"format": "referee-record/1", "ruleset": "classic-108", "seats": list(names)}
    return {**head, "options": options, "rounds": played}


@dataclass
class Played:
    """An imported game and its host's token."""

    table: str
    code: str
    token: str
    state: Json


def taken_over(server: Server, record: Json) -> Played:
    """Import a record into the server."""
    with requests.Session() as session:
        session.trust_env = False
        answer = session.post(f"{server.url}/api/v1/records", json=record, timeout=60)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    table = made["table"]
    return Played(table["id"], table["code"], made["token"], table["state"])


def watch(page: Any, code: str) -> None:
    """Join as a spectator."""
    page.goto(f"/join?code={code}")
    page.click("[data-do=watch]")
    page.wait_for_selector(".board, .lobby")
