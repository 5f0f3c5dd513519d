"""Films composed of cut-outs; drawn cards stand in for photographed ones."""

import itertools

import numpy as np
import pytest

from hardware.camera.decks import cards_of
from hardware.camera.reading.recognise import CardRecogniser
from lab.films.film import Film, FilmFrame, FilmOptions
from lab.films.photographed.films import PhotographedFilms
from lab.films.staging.conditions import CONDITIONS
from lab.measure.films import watch_film
from tests.lab.films.given import DECK, drawn_cut_outs

SMALL = (320, 180)


def made(condition: str, seed: int, size: tuple[int, int] = SMALL, placements: int = 2) -> Film:
    maker = PhotographedFilms(FilmOptions(size, placements=placements), drawn_cut_outs())
    return maker.film(condition, seed)


def test_a_seed_always_gives_the_same_film() -> None:
    films = [made("tidy", 3), made("tidy", 3), made("tidy", 4)]
    first, again, other = ([*itertools.islice(film.frames, 0, 60, 20)] for film in films)
    assert all(map(same, first, again))
    assert not all(map(same, first, other))


def same(one: FilmFrame, two: FilmFrame) -> bool:
    return one.time == two.time and np.array_equal(one.picture, two.picture)


def test_cards_are_laid_and_told() -> None:
    film = made("tidy", 5, placements=3)
    frames = [*film.frames]
    assert {frame.picture.shape for frame in frames} == {(180, 320, 3)}
    times = [frame.time for frame in frames]
    assert times == sorted(set(times))
    laid = [one for one in film.happened if one.kind == "placed"]
    assert len(laid) == 3
    assert all(one.card in DECK and times[0] < one.at < times[-1] for one in laid)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_every_condition_has_pictures(condition: str) -> None:
    frames = [*itertools.islice(made(condition, 2).frames, 0, 40, 20)]
    assert len(frames) == 2
    assert all(frame.picture.std() > 5 for frame in frames)


def test_the_tracker_follows_a_tidy_film() -> None:
    # Small cards are harder to read, and drawn in half the time.
    film = made("tidy", 8, (640, 360), placements=6)
    score = watch_film(film, CardRecogniser(cards_of("classic-108")))
    assert score.track.right("placed") >= 5
