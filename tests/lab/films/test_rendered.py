"""Rendered films: the same film for a seed, exact truth, faces that can be read."""

import ast
import itertools
from pathlib import Path

import numpy as np
import pytest

import lab.films.rendered
import lab.films.staging
from hardware.camera.decks import cards_of
from hardware.camera.reading.recognise import CardRecogniser
from lab.films.film import FilmOptions
from lab.films.rendered.__main__ import main as show
from lab.films.rendered.faces import FaceStore
from lab.films.rendered.films import RenderedFilms
from lab.films.rendered.prints import CARDS
from lab.films.rendered.stage import RenderedStage
from lab.films.rendered.textures import PIXELS, TABLES
from lab.films.staging.conditions import CONDITIONS, play
from lab.films.staging.deeds import Writer
from lab.films.staging.eye import Eye
from lab.films.staging.lighting import Lighting
from lab.films.staging.moment import Moment, Optics
from lab.films.staging.people import Person
from lab.films.staging.script import Habits
from lab.films.staging.sheet import Sheet
from lab.films.staging.timeline import Timeline

SMALL = FilmOptions(size=(320, 240), placements=1)


@pytest.fixture
def bare_tables(monkeypatch):
    """Tables that take no time to make."""
    for name in TABLES:
        monkeypatch.setitem(TABLES, name, lambda _: np.full((PIXELS, PIXELS, 3), 120, np.uint8))


def test_nothing_is_shared_with_the_drawing():
    rooms = (lab.films.rendered, lab.films.staging)
    imported = {
        node.module
        for room in rooms
        for file in Path(str(room.__file__)).parent.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module
    }
    assert not [name for name in imported if name.startswith("lab.draw")]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_each_condition_begins(bare_tables, condition):
    film = RenderedFilms(SMALL).film(condition, 5)
    first, second = itertools.islice(film.frames, 2)
    assert first.picture.shape == (240, 320, 3)
    assert first.picture.dtype == np.uint8
    assert first.time < second.time
    assert film.region.shape == (4, 2)
    assert film.happened == []


def test_a_seed_always_gives_the_same_film(bare_tables):
    one, again, other = (
        next(iter(RenderedFilms(SMALL).film("trembling", seed).frames)).picture
        for seed in (3, 3, 4)
    )
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def test_truth_is_told_when_it_has_happened(bare_tables):
    film = RenderedFilms(SMALL).film("tidy", 2)
    for frame in film.frames:
        assert all(one.at <= frame.time for one in film.happened)
    laid = [one for one in film.happened if one.kind == "placed"]
    assert laid
    for one in laid:
        assert one.clear is not None
        assert one.gone is not None
        assert one.at < one.clear <= one.gone


def _written(condition, seed):
    rng = np.random.default_rng(seed)
    person = Person()
    timeline = Timeline(Lighting())
    writer = Writer(timeline, rng, Habits(), [(person, 0.0), (person, 120.0)], CARDS)
    play(writer, CONDITIONS[condition](rng), 20)
    return writer


@pytest.mark.parametrize("seed", range(5))
def test_the_pile_follows_from_the_truth(seed):
    writer = _written("long", seed)
    pile = [one.card for one in writer.timeline.pile]
    for one in writer.happened:
        if one.kind == "placed":
            pile.append(one.card)
        elif one.kind == "lifted":
            pile.pop()
            assert pile[-1] == one.card
        elif one.kind == "cleared":
            pile.clear()
        else:
            continue
        shown = writer.timeline.pile_at(one.at + 1e-6)
        assert [sheet.card for sheet in shown] == pile
    assert writer.timeline.length >= 120
    assert sum(one.kind == "placed" for one in writer.happened) >= 40


@pytest.mark.parametrize("style", range(3))
def test_faces_are_read_right(style):
    recogniser = CardRecogniser(cards_of("classic-108"))
    eye = Eye((320, 240), tilt=20.0, card=0.5)
    region = eye.pixels(np.array([(-60, -75, 0), (60, -75, 0), (60, 75, 0), (-60, 75, 0)]))
    stage = RenderedStage(
        eye, np.full((PIXELS, PIXELS, 3), 120, np.uint8), FaceStore(style), region
    )
    for number, card in enumerate(("red-3", "yellow-reverse", "blue-skip", "wild-draw-four")):
        pile = (Sheet(card, number, turn=20.0),)
        look = stage.look(Moment(pile, (), Lighting()), Optics())
        best = recogniser.recognise(look.draw(), parts=False)[0]
        assert (best.best, best.sure) == (card, True)
        assert look.clear
        assert look.gone


def test_a_film_is_shown_as_a_sheet_or_a_video(tmp_path, capsys, bare_tables):
    for name in ("sheet.png", "film.avi"):
        args = [str(tmp_path / name), "--placements", "1", "--size", "160x120", "--seed", "2"]
        assert show(args) == 0
        assert (tmp_path / name).stat().st_size > 1000
        assert "placed" in capsys.readouterr().out
    assert show([str(tmp_path / "no" / "film.avi"), *args[1:]]) == 1
