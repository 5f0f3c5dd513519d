"""Films are watched as by ``referee-table watch`` and scored condition by condition."""

import pytest

from hardware.camera.track.events import PileEvent
from lab.films.ground_truth import TrueEvent
from lab.measure.__main__ import main
from lab.measure.films import COLUMNS, FilmScore, table, verdict
from lab.measure.track_score import MatchedEvent, score_events


def told(kind: str, at: float, **chances: float) -> PileEvent:
    cards = {card.replace("_", "-"): chance for card, chance in chances.items()}
    return PileEvent(1, kind, at, at, cards)  # type: ignore[arg-type]


def test_a_doubtful_report_is_a_question() -> None:
    truth = TrueEvent("placed", 3.0, "red-1")
    assert verdict(MatchedEvent(truth, told("placed", 3.3, red_1=0.999))) == "right"
    assert verdict(MatchedEvent(truth, told("placed", 3.3, red_1=0.6))) == "asked"
    assert verdict(MatchedEvent(truth, told("unread", 3.3))) == "asked"
    assert verdict(MatchedEvent(truth, told("placed", 3.3, red_7=0.999))) == "wrong"
    assert verdict(MatchedEvent(truth, told("lifted", 3.3, red_1=0.999))) == "wrong"


def test_every_true_event_is_counted_once() -> None:
    happened = [
        TrueEvent("placed", 1.0, "red-1"),
        TrueEvent("hovered", 2.0),
        TrueEvent("placed", 3.0, "red-2"),
        TrueEvent("lifted", 5.0, "red-1"),
        TrueEvent("placed", 20.0, "red-3"),
    ]
    events = [
        told("placed", 1.4, red_1=0.999),
        told("placed", 2.1, red_8=0.999),
        told("placed", 3.2, red_2=0.5),
        told("lifted", 5.2, red_9=0.999),
        told("unread", 12.0),
        told("placed", 13.0, red_4=0.3),
    ]
    score = FilmScore(1, score_events(happened, events, 30.0), 1, 2.5)
    row = dict(zip(COLUMNS, score.row(), strict=True))
    assert row.pop("p50") == "0.3"
    assert row.pop("p95") == "0.4"
    assert list(row.values()) == ["1", "3", "1", "1", "1", "1", "1", "1", "2", "1", "2.5"]


def test_conditions_are_summed() -> None:
    one = FilmScore(2, score_events([TrueEvent("placed", 1.0, "red-1")], [], 9.0), 3, 0.5)
    lines = table({"tidy": one, "dark": one}).splitlines()
    assert [line.split()[0] for line in lines] == ["films", "tidy", "dark", "all"]
    assert lines[-1].split()[1:9] == ["4", "2", "0", "0", "0", "0", "2", "0"]


def test_drawn_films_are_watched(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--kind", "drawn", "--condition", "play", "--placements", "1", "--size", "640x360"]
    assert main(["films", *few, "--seed", "2", "--verbose"]) == 0
    *lines, film, head, row = capsys.readouterr().out.splitlines()
    assert head.split() == [*COLUMNS]
    assert film.split()[2:] == row.split()[1:]
    films, laid, taken, *_ = (int(count) for count in row.split()[1:4])
    assert films == 1
    assert sum(" happened placed" in line for line in lines) == laid
    assert sum("happened lifted" in line or "happened cleared" in line for line in lines) == taken


def test_an_unknown_condition_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["films", "--kind", "drawn", "--condition", "rain"]) == 2
    assert "drawn films have play, idle, drill" in capsys.readouterr().err
