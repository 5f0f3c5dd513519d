"""A source's pictures become events at the pile, or a reason why the pile is not seen."""

from collections.abc import Iterator
from itertools import chain

import cv2
import numpy as np
import pytest

from hardware.camera.pipeline import Pipeline, pile_body
from hardware.camera.setup.follow import PilePosition, State
from hardware.camera.source import Frame
from hardware.camera.track import Kind, PileEvent, Thresholds
from hardware.camera.types import Corners, Picture
from tests.hardware.camera.piles import PLACE, RATE, SIZE, Plain, film, frames, lay, noisy, table

LIMITS = Thresholds()


class FixedFollower:
    """A follower that reports what a test sets."""

    def __init__(self, pile: Corners | None = PLACE, state: State = "still") -> None:
        self.pile, self.state, self.moved_by = pile, state, 0.0
        self.draw: Corners | None = None

    def update(self, picture: Picture, at: float) -> PilePosition:
        assert picture.ndim == 3
        return PilePosition(self.pile, self.state, self.moved_by, self.draw)


@pytest.fixture
def follower() -> FixedFollower:
    return FixedFollower()


@pytest.fixture
def pipeline(follower: FixedFollower) -> Pipeline:
    return Pipeline(Plain(), follower, live=True)


def shots(at: float, seconds: float, rate: float = 10.0) -> list[Frame]:
    """Pictures of a table without cards, each with other noise."""
    rng = np.random.default_rng(3)
    ground = table(rng)
    count = round(seconds * rate)
    noise = rng.integers(0, 3, (count, 1, 1, 3), dtype=np.uint8)
    return [Frame(ground + noise[n] + np.uint8(n % 2), at + n / rate, n) for n in range(count)]


def events_of(pipeline: Pipeline, *cards: str, at: float = 0.0) -> list[PileEvent]:
    return [one for frame in frames(film(cards), at) for one in pipeline.take(frame)]


def test_what_happens_is_reported_once_each(pipeline: Pipeline) -> None:
    assert pipeline.sight.state == "starting"
    events = []
    for frame in frames(film(["red-7", "blue-3", "blue-3", "green-5"])):
        events += pipeline.take(frame)
        # Until the pile is known a card laid would be taken for the one that lay there.
        assert pipeline.sight.state == ("watching" if events else "starting")
    assert [(event.kind, event.card) for event in events] == [
        ("found", "red-7"),
        ("placed", "blue-3"),
        ("placed", "blue-3"),
        ("placed", "green-5"),
    ]
    assert [one.number for one in events] == [1, 2, 3, 4]
    assert pipeline.card == "green-5"
    assert not pipeline.busy


def test_no_pictures_make_it_blind_after_a_while(pipeline: Pipeline) -> None:
    pipeline.missing(100.0)
    pipeline.missing(100.0 + LIMITS.sight.patience)
    assert pipeline.sight.state == "starting"
    pipeline.missing(100.1 + LIMITS.sight.patience)
    assert (pipeline.sight.state, pipeline.sight.reason) == ("blind", "no-pictures")


@pytest.mark.parametrize(
    ("card", "at", "told"),
    [("red-7", 1.5, []), ("blue-3", 2.5, ["placed"]), ("blue-3", 3.5, ["found"])],
    ids=["nobody could use it", "a card was laid meanwhile", "too long: it is found anew"],
)
def test_a_gap_between_pictures(pipeline: Pipeline, card: str, at: float, told: list[str]) -> None:
    events = events_of(pipeline, "red-7")
    if told == ["found"]:
        pipeline.missing(LIMITS.sight.patience)
    assert pipeline.sight.state == "watching"
    events += events_of(pipeline, card, at=at)
    assert [(one.kind, one.card) for one in events] == [
        ("found", "red-7"),
        *((kind, card) for kind in told),
    ]


def on_a_quilt(card: str, seconds: float, *, turned: bool) -> Iterator[Picture]:
    """Film a card on a table that looks different all over when the camera is turned."""
    rng = np.random.default_rng(5)
    patches = rng.integers(60, 200, (12, 20, 3), dtype=np.uint8)
    ground = cv2.resize(patches, SIZE, interpolation=cv2.INTER_NEAREST)
    picture = cv2.rotate(ground, cv2.ROTATE_180) if turned else ground.copy()
    lay(np.asarray(picture), card, 20.0)
    for _ in range(round(seconds * RATE)):
        yield noisy(np.asarray(picture), rng)


def test_a_camera_turned_in_its_place_finds_the_top_again(follower: FixedFollower) -> None:
    pipeline = Pipeline(Plain(0.999), follower, live=True)
    pictures = chain(
        on_a_quilt("red-7", 1.0, turned=False),
        on_a_quilt("red-7", 3.0, turned=True),
        on_a_quilt("blue-3", 1.0, turned=True),
    )
    events = [one for frame in frames(pictures) for one in pipeline.take(frame)]
    assert [(event.kind, event.card) for event in events] == [
        ("found", "red-7"),
        ("found", "red-7"),
        ("placed", "blue-3"),
    ]
    assert not pipeline.covered


def test_a_camera_that_was_away(pipeline: Pipeline) -> None:
    events = events_of(pipeline, "red-7")
    pipeline.missing(20.0)
    assert pipeline.sight.reason == "no-pictures"
    assert (pipeline.card, pipeline.chance) == (None, 0.0)
    events += events_of(pipeline, "blue-3", at=20.0)
    assert pipeline.sight.state == "watching"
    assert [(event.number, event.kind, event.card) for event in events] == [
        (1, "found", "red-7"),
        (2, "found", "blue-3"),
    ]


def test_a_pile_that_is_not_found(pipeline: Pipeline, follower: FixedFollower) -> None:
    follower.pile, follower.state = None, "searching"
    states = []
    for frame in shots(50.0, LIMITS.sight.patience + 0.5):
        assert pipeline.take(frame) == []
        states.append(pipeline.sight.state)
    assert states[0] == "starting"
    assert (states[-1], pipeline.sight.reason) == ("blind", "no-pile")
    follower.pile, follower.state = PLACE, "still"
    pipeline.take(shots(50.0 + LIMITS.sight.patience + 0.6, 0.1)[0])
    assert pipeline.sight.state == "watching"


def test_what_was_seen_last_holds_while_arms_hide_it_but_not_for_ever(
    pipeline: Pipeline, follower: FixedFollower
) -> None:
    for frame in frames(film(["red-7"])):
        pipeline.take(frame)
    follower.state, hidden = "covered", shots(1.0, LIMITS.sight.covered + 2, rate=2.0)
    for frame in hidden[:-6]:
        pipeline.take(frame)
        assert pipeline.sight.state == "watching"
    for frame in hidden[-6:]:
        pipeline.take(frame)
    assert (pipeline.sight.state, pipeline.sight.reason) == ("blind", "no-pile")


def test_a_pile_that_never_rests_is_watched_all_the_same_in_the_end(pipeline: Pipeline) -> None:
    states = []
    for number, frame in enumerate(shots(0.0, LIMITS.sight.covered + 1, rate=5.0)):
        cv2.circle(frame.picture, (280 + 80 * (number % 2), 180), 40, (90, 130, 190), -1)
        pipeline.take(frame)
        states.append(pipeline.sight.state)
    assert states.count("watching") == 4
    assert states == sorted(states)


def test_a_setup_that_does_not_fit_any_more(pipeline: Pipeline, follower: FixedFollower) -> None:
    """A mat that is only remembered is not taken for the pile."""
    follower.state = "covered"
    for frame in frames(film(["red-7"], rest=120)):
        assert pipeline.take(frame) == []
    assert pipeline.sight.reason == "no-pile"


def test_a_place_outside_the_picture(pipeline: Pipeline, follower: FixedFollower) -> None:
    follower.pile = PLACE + np.float32(5000)
    assert pipeline.take(shots(0.0, 0.1)[0]) == []
    assert pipeline.sight.reason == "no-pile"
    assert "outside the picture" in pipeline.sight.detail


def test_a_camera_that_hangs(pipeline: Pipeline) -> None:
    picture = shots(0.0, 0.1)[0].picture
    at = 0.0
    for number in range(round(2 * (LIMITS.sight.frozen + 1))):
        at = number / 2
        pipeline.take(Frame(picture, at, number))
    assert (pipeline.sight.state, pipeline.sight.reason) == ("blind", "no-pictures")
    assert "same picture" in pipeline.sight.detail
    for frame in shots(at + 0.5, 0.3):
        pipeline.take(frame)
    assert pipeline.sight.state == "watching"
    of_film = Pipeline(Plain(), FixedFollower(), live=False)
    for number in range(30):
        of_film.take(Frame(picture, float(number), number))
    assert of_film.sight.state == "watching"


def test_a_camera_that_was_moved(pipeline: Pipeline, follower: FixedFollower) -> None:
    pipeline.take(shots(0.0, 0.1)[0])
    assert not pipeline.moved
    follower.moved_by = 20.0
    pipeline.take(shots(0.1, 0.1)[0])
    assert pipeline.moved


def test_whether_a_card_came_from_the_draw_pile_is_reported_where_that_is_seen(
    follower: FixedFollower,
) -> None:
    follower.draw = PLACE - np.float32((200, 40))
    pipeline = Pipeline(Plain(), follower, live=True)
    events = [
        event
        for frame in frames(film(["red-7", "blue-3", "green-5"], 80))
        for event in pipeline.take(frame)
    ]
    assert [(one.kind, one.drawn) for one in events] == [
        ("found", None),
        ("placed", LIMITS.draw_pile.from_elsewhere),
        ("placed", LIMITS.draw_pile.from_elsewhere),
    ]
    assert pile_body(events[1], 0)["from"] == {"draw-pile": LIMITS.draw_pile.from_elsewhere}


def test_what_is_left_open_is_sent_with_its_likelihoods() -> None:
    likelihoods: dict[Kind, float] = {"same": 0.7655, "placed": 0.2345}
    body = pile_body(PileEvent(3, "unsure", 1.0, 2.0, likelihoods=likelihoods), before=10)
    assert body["likelihoods"] == {"same": 0.765, "placed": 0.234}
    assert body["readings"] == ["same", "placed"]
    assert body["number"] == 13
    assert "likelihoods" not in pile_body(PileEvent(1, "found", 1.0, 2.0), before=0)


def test_what_is_nearly_sure_is_sent_with_its_likelihoods_too() -> None:
    likelihoods: dict[Kind, float] = {"placed": 0.985, "same": 0.014}
    body = pile_body(PileEvent(1, "placed", 1.0, 2.0, likelihoods=likelihoods), before=0)
    assert body["likelihoods"] == likelihoods
    assert "readings" not in body


def test_a_sign_that_nothing_moved_bridges_the_time_between_pictures() -> None:
    reader = Plain()
    pipeline = Pipeline(reader, FixedFollower(), live=True)
    at, told = 0.0, []
    rest = list(film(["red-7"], rest=30))
    for picture in rest:
        told += pipeline.take(Frame(picture, at, 0))
        at += 1 / 30
    assert [one.kind for one in told] == ["found"]
    # Twice a second for four seconds: with no sign, the top would be found anew.
    for _ in range(8):
        at += 0.5
        assert pipeline.take(Frame(rest[-1], at, 0)) == []
    assert pipeline.card == "red-7"
    assert 0.5 < pipeline.chance <= 1.0
    assert pipeline.take(Frame(rest[0], at + 0.5, 0)) == []
    at += 3.0
    for picture in rest:
        told += pipeline.take(Frame(picture, at, 0))
        at += 1 / 30
    assert [one.kind for one in told] == ["found", "found"]
