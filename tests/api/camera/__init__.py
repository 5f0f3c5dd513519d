"""A camera for tests: posts observations of the pile, as a gateway does."""

from dataclasses import dataclass
from typing import Any

from tests.api.conftest import Seat

AT = "2026-11-21T10:00:00.000+00:00"


@dataclass
class Camera(Seat):
    """A registered camera."""

    id: str = ""
    number: int = 0

    def posts(self, body: dict[str, Any], **headers: str) -> dict[str, Any]:
        return self.create("/observations", {"at": AT, **body}, **headers)

    def sees(self, event: str, *cards: str, chance: float = 0.9995, **more: Any) -> dict[str, Any]:
        """Post an event of the pile; several cards share the likelihood, the first gets most."""
        self.number += 1
        shares = {card: round(chance * 0.6**i, 6) for i, card in enumerate(cards)}
        if len(cards) > 1:
            whole = sum(shares.values())
            shares = {card: round(share / whole * chance, 6) for card, share in shares.items()}
        origin = {"from": more.pop("origin")} if "origin" in more else {}
        shares = more.pop("cards", shares)
        body = {"kind": "pile", "number": self.number, "event": event, "cards": shares}
        return self.posts({**body, **origin, **more})

    def state_is(self, state: str, **more: Any) -> dict[str, Any]:
        return self.posts({"kind": "camera", "state": state, **more})


def add_camera(host: Seat, watching: bool = True) -> Camera:
    """Register a camera; if watching, it has reported the top card."""
    body = host.create("/devices", {"name": "Camera", "kind": "camera"})
    camera = Camera(host.client, body["token"], host.table, id=body["device"])
    if watching:
        camera.state_is("watching")
        top = host.state()["top"]
        if top:
            camera.sees("found", top)
    return camera


def moves(host: Seat) -> list[str]:
    """List the log's moves in short, each with its role: ``"2 play red-3 device"``."""
    found = []
    for item in host.get("/events?limit=200").get_json()["items"]:
        if item["kind"] == "moved":
            move = item["move"]
            what = move.get("card") or move.get("color") or ",".join(move.get("cards", ()))
            verdict = "" if item["ruling"]["verdict"] == "legal" else f" {item['ruling']['rule']}"
            words = (str(move["seat"]), move["move"], what, item["by"]["role"])
            found.append(" ".join(word for word in words if word) + verdict)
    return found


def kinds(host: Seat, after: int = 0) -> list[str]:
    """List the kinds of the log's entries."""
    items = host.get(f"/events?limit=200&after={after}").get_json()["items"]
    return [item["kind"] for item in items]


def question(host: Seat) -> dict[str, Any]:
    """Return the only open question."""
    (found,) = host.get("/questions").get_json()["items"]
    assert found["text"]
    assert all(option["text"] for option in found["options"])
    return found


def options(host: Seat) -> list[str]:
    """List the question's options in short."""
    return [
        " ".join([option["kind"], *(f"{m['seat']} {m['move']}" for m in option["moves"])])
        + (f" {option['card']}" if option["card"] else "")
        for option in question(host)["options"]
    ]


def wrong(host: Seat) -> list[tuple[str, str | None, str | None]]:
    """List the discrepancies of the pile."""
    found = host.get().get_json()["discrepancies"]
    assert all(item["text"] for item in found)
    return [(one["kind"], one["is"], one["should"]) for one in found if "power" not in one]


def end_round(game: Seat, camera: Camera) -> None:
    """Let Bo go out while Ann and Cy hold one card each."""
    game.count_hands(1, 1, 2, 3)
    camera.sees("placed", "red-9")
    assert game.state()["round_winner"] == 2
