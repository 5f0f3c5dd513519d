"""What the tests of seats share: join, arrange, play a round, read the table again."""

from typing import Any

from tests.api.conftest import API, Seat


def seats_of(speaker: Seat) -> list[dict[str, Any]]:
    return speaker.get().get_json()["seats"]


def order(speaker: Seat) -> list[int]:
    return speaker.get().get_json()["order"]


def rename(speaker: Seat, seat: int, name: str) -> Any:
    path = f"{API}/tables/{speaker.table}/seats/{seat}"
    return speaker.call("PATCH", path, {"name": name})


def arrange(speaker: Seat, **seating: Any) -> Any:
    return speaker.call("PUT", f"{API}/tables/{speaker.table}/seating", seating)


def join(host: Seat, **new: Any) -> dict[str, Any]:
    return host.create("/seats", new)


def play_round(host: Seat, *, dealer: int | None = None) -> None:
    """Play a round that seat 2 wins: the others hold what they show."""
    body = {"opening": ["red-7"]} | ({"dealer": dealer} if dealer else {})
    host.create("/rounds", body)
    finish_round(host)


def finish_round(host: Seat) -> None:
    """Let whoever is on turn go out, and the others show one card of 5 points each."""
    table = host.get().get_json()
    on_turn = table["state"]["turn"]
    for seat in table["order"]:
        host.post("/corrections", {"kind": "hand-count", "seat": seat, "count": 1})
    host.move(on_turn, "play", card="red-9")
    for need in host.state()["awaiting"]:
        assert need["need"] == "reveal"
        color = ("green", "blue")[need["seat"] // 2 % 2]
        host.move(need["seat"], "reveal", hand=[f"{color}-5"])
    assert host.state()["awaiting"] == []
