"""The fault matrix: whatever fails, and whenever, the round ends with the right scores."""

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from flask import Flask

from tests.table.rig import POWERS, Json, Lay, Rig, Take, lay, started, stopped, take

DEVICES = ("camera", "board", "gateway", "server")
WAYS = ("killed", "frozen", "slow", "wrong")
MOMENTS = ("turn", "choice", "challenge", "end")
HANDS = {1: ["green-1", "red-2"], 3: ["yellow-1", "yellow-2", "yellow-3"]}


# The round. Each moment is told how cards are laid and towers taken then.


def turn(rig: Rig, lay: Lay, take: Take) -> None:
    lay(rig, 1, "red-7")


def choice(rig: Rig, lay: Lay, take: Take) -> None:
    lay(rig, 2, "wild-take-tower")
    rig.say(2, "color", color="blue")
    take(rig, 2, "U")


def challenge(rig: Rig, lay: Lay, take: Take) -> None:
    lay(rig, 3, "wild-draw-four")
    rig.say(3, "color", color="green")
    rig.say(1, "challenge")
    rig.say(3, "reveal", hand=HANDS[3])


def end(rig: Rig, lay: Lay, take: Take) -> None:
    lay(rig, 2, "green-9")
    state = rig.state()
    for seat, hand in HANDS.items():
        short = state["hands"][seat - 1] - len(hand)
        rig.say(seat, "reveal", hand=[*hand, *(["blue-1"] * short)][: state["hands"][seat - 1]])


STEPS: dict[str, Callable[[Rig, Lay, Take], None]] = {
    "turn": turn,
    "choice": choice,
    "challenge": challenge,
    "end": end,
}


def before(rig: Rig, moment: str) -> None:
    """Correct the hands, so that the round is short."""
    counts = {"end": {1: 2, 2: 1, 3: 3}}.get(moment, {})
    held = rig.state()["hands"]
    for seat, count in counts.items():
        if count != held[seat - 1]:
            body = {"kind": "hand-count", "seat": seat, "count": count}
            rig.at("POST", "/corrections", body, rig.host)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """One server for all cells that do not kill it; each has its own table."""
    app = started(tmp_path_factory.mktemp("server"))
    yield app
    stopped(app)


def play(rig: Rig, faulty: str = "", fault: tuple[Lay, Take] = (lay, take)) -> Json:
    rig.begin()
    for moment, step in STEPS.items():
        before(rig, moment)
        step(rig, *(fault if moment == faulty else (lay, take)))
    return rig.state()


@pytest.fixture(scope="module")
def undisturbed(app: Flask, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The round's outcome when nothing fails."""
    return outcome(play(Rig(tmp_path_factory.mktemp("undisturbed"), app)))


def outcome(state: Json) -> str:
    names = ("scores", "hands", "powers", "round_winner", "top", "draw_pile", "discard_pile")
    return str({name: state[name] for name in names})


# The faults: what laying and taking come to while something fails, and what it leaves in the log.


def by_phone(rig: Rig, seat: int, card: str) -> None:
    rig.top = card
    rig.say(seat, "play", card=card)


def chosen_by_phone(rig: Rig, seat: int, power: str) -> None:
    rig.stands[power] = seat
    rig.say(seat, "powers", powers=[power])


def camera_killed(rig: Rig, seat: int, card: str) -> None:
    by_phone(rig, seat, card)
    rig.camera_back()


def camera_frozen(rig: Rig, seat: int, card: str) -> None:
    rig.camera_says(state="blind", reason="no-pictures")
    by_phone(rig, seat, card)
    rig.camera_back()


def camera_slow(rig: Rig, seat: int, card: str) -> None:
    by_phone(rig, seat, card)
    lay(rig, seat, card)


def camera_wrong(rig: Rig, seat: int, card: str) -> None:
    """It misreads the card as an illegal one, with doubts."""
    rig.top = card
    rig.camera_says(event="placed", cards={"yellow-8": 0.55, card: 0.4})
    rig.answer(card, seat)


def board_killed(rig: Rig, seat: int, power: str) -> None:
    chosen_by_phone(rig, seat, power)
    rig.board_says(**rig.stands)


def board_frozen(rig: Rig, seat: int, power: str) -> None:
    rig.board_says(**dict.fromkeys(POWERS, "unknown"))
    chosen_by_phone(rig, seat, power)
    rig.board_says(**rig.stands)


def board_slow(rig: Rig, seat: int, power: str) -> None:
    chosen_by_phone(rig, seat, power)
    rig.board_says(**{power: "lifted"})
    rig.board_says(**{power: seat})


def board_wrong(rig: Rig, seat: int, power: str) -> None:
    rig.board_says(**{power: seat % 3 + 1})
    take(rig, seat, power)


def around(fault: Take) -> Lay:
    """A board's fault while a card is laid: it reports something though nobody moved it."""

    def laid(rig: Rig, seat: int, card: str) -> None:
        if fault is board_frozen:
            rig.board_says(**dict.fromkeys(POWERS, "unknown"))
        elif fault is board_wrong:
            rig.board_says(N=seat)
        elif fault is board_slow:
            rig.board_says(N="lifted")
        lay(rig, seat, card)
        rig.board_says(**rig.stands)

    return laid


def gateway_killed(rig: Rig, seat: int, card: str) -> None:
    """The gateway dies with the card on disk; people use their phones, and it returns."""
    rig.number += 1
    body = {"kind": "pile", "number": rig.number, "event": "placed", "cards": {card: 0.9995}}
    rig.put("camera", body)
    rig.stop_gateway()
    rig.wait_for_gateway()
    by_phone(rig, seat, card)
    rig.start_gateway()
    rig.deliver()
    rig.camera_back()


def gateway_killed_choosing(rig: Rig, seat: int, power: str) -> None:
    rig.stands[power] = seat
    rig.put("board", {"kind": "powers", "powers": {power: seat}})
    rig.stop_gateway()
    rig.wait_for_gateway()
    rig.start_gateway()
    rig.deliver()
    rig.board_says(**rig.stands)


def late(happens: Callable[[Rig, int, str], None]) -> Callable[[Rig, int, str], None]:
    """The gateway hangs, then delivers all observations at once."""

    def held(rig: Rig, seat: int, what: str) -> None:
        deliver, rig.deliver = rig.deliver, lambda: None  # type: ignore[method-assign]
        happens(rig, seat, what)
        rig.deliver = deliver  # type: ignore[method-assign]
        rig.deliver()

    return held


def twice(happens: Callable[[Rig, int, str], None]) -> Callable[[Rig, int, str], None]:
    """Each response is late, so the gateway posts everything twice."""

    def said(rig: Rig, seat: int, what: str) -> None:
        rig.twice = True
        happens(rig, seat, what)
        rig.twice = False

    return said


NONSENSE: tuple[Json, ...] = (
    {},
    {"kind": "pile"},
    {"kind": "pile", "number": -1, "event": "placed", "cards": {}},
    {"kind": "pile", "number": 1e300, "event": "eaten", "cards": {"red-5": "much"}},
    {"kind": "powers", "powers": {"U": 99}},
    {"kind": "camera", "state": "asleep"},
)


def garbled(happens: Callable[[Rig, int, str], None]) -> Callable[[Rig, int, str], None]:
    """The gateway also posts nonsense, with the devices' tokens."""

    def said(rig: Rig, seat: int, what: str) -> None:
        for number, body in enumerate(NONSENSE):
            answer = rig.client.post(
                f"/api/v1/tables/{rig.table}/observations",
                json=body,
                headers={
                    "Authorization": f"Bearer {rig.tokens['camera']}",
                    "Idempotency-Key": f"{what}-{number}",
                },
            )
            assert answer.status_code == 422, answer.text
        happens(rig, seat, what)

    return said


def server(trouble: str) -> Callable[[Take], Take]:
    """The server fails during a request."""

    def wrap(happens: Take) -> Take:
        def told(rig: Rig, seat: int, what: str) -> None:
            if trouble == "killed":
                rig.kill_server()
                rig.troubles.append("lost")
                happens(rig, seat, what)
                rig.kill_server()
                return
            rig.troubles += {"frozen": ["dropped"] * 3, "slow": ["lost"] * 2, "wrong": ["page"]}[
                trouble
            ]
            happens(rig, seat, what)

        return told

    return wrap


FAULTS: dict[tuple[str, str], tuple[Lay, Take]] = {
    ("camera", "killed"): (camera_killed, take),
    ("camera", "frozen"): (camera_frozen, take),
    ("camera", "slow"): (camera_slow, take),
    ("camera", "wrong"): (camera_wrong, take),
    ("board", "killed"): (around(board_killed), board_killed),
    ("board", "frozen"): (around(board_frozen), board_frozen),
    ("board", "slow"): (around(board_slow), board_slow),
    ("board", "wrong"): (around(board_wrong), board_wrong),
    ("gateway", "killed"): (gateway_killed, gateway_killed_choosing),
    ("gateway", "frozen"): (late(lay), late(take)),
    ("gateway", "slow"): (twice(lay), twice(take)),
    ("gateway", "wrong"): (garbled(lay), garbled(take)),
    **{("server", way): (server(way)(lay), server(way)(take)) for way in WAYS},
}


def seen(log: list[Json], **fields: object) -> list[Json]:
    """Return the observations with these fields."""
    found = [entry["observation"] for entry in log if entry["kind"] == "observed"]
    return [one for one in found if all(one.get(k) == v for k, v in fields.items())]


def missed(log: list[Json]) -> list[str]:
    """Return the devices that fell silent and came back."""
    heard = [entry["device"]["kind"] for entry in log if entry["kind"] == "device-heard"]
    silent = [entry["device"]["kind"] for entry in log if entry["kind"] == "device-silent"]
    return heard if heard == silent else []


def shows(log: list[Json], device: str, way: str) -> bool:
    """Return whether the log shows what happened."""
    phones = [e for e in log if e["kind"] == "moved" and e["by"]["role"] == "seat"]
    plays = [e for e in phones if e["move"]["move"] in ("play", "powers")]
    numbers = [one["number"] for one in seen(log, kind="pile")]
    if (device, way) == ("gateway", "killed") and missed(log)[:2] != ["camera", "board"]:
        return False
    if (device, way) in (("camera", "killed"), ("gateway", "killed")):
        return len(seen(log, kind="camera", state="watching")) == 2 and len(plays) == 1
    if (device, way) == ("camera", "frozen"):
        return len(seen(log, kind="camera", state="blind")) == 1 and len(plays) == 1
    if (device, way) == ("camera", "slow"):
        return len(plays) == 1
    if (device, way) == ("camera", "wrong"):
        return any("yellow-8" in one["cards"] for one in seen(log, kind="pile"))
    if (device, way) == ("board", "frozen"):
        return any("unknown" in one["powers"].values() for one in seen(log, kind="powers"))
    if device == "board":
        return len(seen(log, kind="powers")) > 2
    # Whatever was posted again counts once.
    return len(numbers) == len(set(numbers)) and not plays


CELLS = [pytest.param(*cell, id="-".join(cell)) for cell in product(DEVICES, WAYS, MOMENTS)]


@pytest.mark.parametrize(("device", "way", "moment"), CELLS)
def test_the_round_ends_with_the_right_scores(device, way, moment, tmp_path, app, undisturbed):
    own = device == "server" and way == "killed"
    rig = Rig(tmp_path, None if own else app)
    try:
        state = play(rig, moment, FAULTS[device, way])
        assert outcome(state) == undisturbed
        assert state["round_winner"] == 2
        assert shows(rig.log(), device, way)
        assert rig.at("GET", "/questions", token=rig.host)["items"] == []
        assert rig.at("GET", "", token=rig.host)["discrepancies"] == []
    finally:
        if own:
            stopped(rig.app)
