"""Play a scene over HTTP, and read what the phone of one seat shows."""

from typing import Any

from flask.testing import FlaskClient

from referee.rules.ruleset import find_ruleset
from tests.api.conftest import Seat, open_table
from tests.api.family.scenes import MEANS, NAMES, WHY, Scene

Json = dict[str, Any]
LISTS = ("hand", "cards", "opening", "powers")
WHOLE = ("accused", "count", "drawn", "move", "seat", "to", "with")
YES = {"yes": True, "no": False}
# A card without effects, beyond the ten examples of the sheet.
TEXT = {"text": "Sing a song.", "effects": [{"effect": "text", "text": "Sing a song."}]}


def play(client: FlaskClient, scene: Scene) -> Seat:
    """Play a scene to its end; return the host with all seats."""
    names = NAMES[: scene.players]
    host = open_table(client, scene.deck, names, opening=None, **scene.options)
    for number in scene.cards:
        agree(host, scene.deck, number)
    host.create("/rounds", {"opening": [scene.opening], "dealer": 1})
    for seat, count in scene.hands.items():
        if host.state()["hands"][int(seat) - 1] != count:
            correct(host, ["hand-count", f"seat={seat}", f"count={count}"])
    for line in scene.lines:
        who, *words = line.split()
        if who == "host":
            correct(host, words)
        else:
            made = host.move(int(who), words[0], **fields(words[1:]))
            may_fail = line == scene.lines[-1] or scene.asks in (WHY, MEANS)
            assert made["ruling"]["verdict"] == "legal" or may_fail, line
    return host


def agree(host: Seat, deck: str, number: int) -> None:
    """Put a custom card into the game, as everybody approves of it."""
    examples = [card.to_json() for card in find_ruleset(deck).custom_examples]
    made = host.seats[1].post("/custom-cards", {"card": [*examples, TEXT][number]})
    for seat in (2, 3):
        path = f"/custom-cards/{made.get_json()['card_id']}/approvals"
        assert host.seats[seat].post(path, {}).status_code == 201


def correct(host: Seat, words: list[str]) -> None:
    """Correct the game as the host."""
    body: Json = {"kind": words[0], **fields(words[1:])}
    entered = {"replace": "replacement", "insert": "inserted"}.get(words[0])
    if entered:
        made = {"seat": body.pop("seat", 2), "move": body.pop("makes", "play")}
        body[entered] = made | {name: body.pop(name) for name in ("card", "count") if name in body}
    host.create("/corrections", body)


def fields(words: list[str]) -> Json:
    """Return the fields of a line; a word without a name is a card."""
    found: Json = {}
    for word in words:
        name, is_field, value = word.partition("=")
        if not is_field:
            found["card"] = word
        elif name in LISTS:
            found[name] = value.split(",")
        else:
            found[name] = int(value) if name in WHOLE else YES.get(value, value)
    return found


def shown(seat: Seat, number: int, lang: str) -> Json | None:
    """Return the banner on the phone of a seat, as its page picks it; None without one.

    Only what this seat's own token reads is looked at.
    """
    items = seat.get("/events?limit=200", Accept_Language=lang).get_json()["items"]
    state = seat.get().get_json()["state"]
    for place in range(len(items) - 1, -1, -1):
        entry = items[place]
        own = [one for one in entry.get("banners", ()) if one["seat"] == number]
        # None comes back after a newer one, whatever has become of that.
        if own and "undone" in entry:
            return None
        if own:
            stands = [
                one["move"]["seat"]
                for one in items[place + 1 :]
                if one["kind"] == "moved"
                and one["move"]["move"] not in ("uno", "catch")
                and one["ruling"]["verdict"] == "legal"
                and "undone" not in one
            ]
            banner: Json = own[0]
            since = [*(one["state"] for one in items[place + 1 :] if "state" in one), state]
            hand = entry["state"]["hands"][number - 1]
            need = {"seat": number, "need": banner["need"]}
            over = {
                "done": any(need not in one["awaiting"] for one in since),
                "next": number in stands,
                "acted": bool(stands),
                "counted": any(hand != one["hands"][number - 1] for one in since),
                "tap": False,
            }
            return None if over[banner["until"]] else banner
    return None
