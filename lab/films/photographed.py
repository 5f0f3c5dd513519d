"""Films composed of photographed cards on photographed tables."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from zlib import crc32

import numpy as np

from hardware.camera.decks import RULESETS
from hardware.camera.types import Picture
from lab.clips.camera import ClipCamera
from lab.films import acts
from lab.films.compositor import Compositor, Scenery, card_layer, curled
from lab.films.conditions import CONDITIONS, Condition
from lab.films.cutouts import CutOuts, Surface, by_card, cut_outs
from lab.films.film import Film, FilmFrame, FilmOptions
from lab.films.hands import Hand, make_hand
from lab.films.held import real_hand
from lab.films.quilt import plaid
from lab.films.stage import Act, Stage, Use, pause, then, together
from lab.films.tables import lay_objects, table_of
from lab.films.webcam import WebcamSensor

TABLE = (1000, 760)
"""Width and height in mm of a table's picture."""
REAL_HANDS = 0.5
"""Share of films in which cards are laid by hands from photos."""
DECK = [card.id for card in RULESETS["classic-108"]]
DISTURBANCES = {"pile": 0.3, "top": 0.2, "over": 0.25, "rests": 0.15, "lift": 0.1}
"""Shares of what happens beside the laying of cards."""


class PhotographedFilms:
    """Films of cards cut out of photos, one for each condition and seed."""

    conditions: Sequence[str] = tuple(CONDITIONS)

    def __init__(self, options: FilmOptions, given: CutOuts | None = None) -> None:
        self._options = options
        self._given = given

    @cached_property
    def _cut(self) -> CutOuts:
        if self._given is not None:
            return self._given
        if self._options.folder is None:
            raise ValueError("photographed films need a folder of labelled photos: --cards FOLDER")
        return cut_outs(self._options.folder)

    def film(self, condition: str, seed: int) -> Film:
        """Return a film. Raises KeyError for an unknown condition."""
        # Each condition has tables and cards of its own.
        rng = np.random.default_rng([seed, 41, crc32(condition.encode())])
        made = CONDITIONS[condition](rng)
        camera = _camera(made, self._options.size, rng)
        scenery = Scenery(
            camera,
            self._table(made, camera.scale, rng),
            camera.scale,
            self._face(made, seed),
            shadow=(float(rng.normal(0, 35)), float(rng.normal(-10, 35))),
            depth=float(rng.uniform(0.25, 0.55)),
        )
        cloths = [one.picture for one in self._cut.surfaces if one.picture.std() > 6]

        photographed = self._cut.hands if rng.random() < REAL_HANDS else ()

        @cache
        def hand(player: int, use: Use) -> Hand:
            own = np.random.default_rng([seed, 43, player])
            if use == "card" and photographed:
                return real_hand(photographed[int(own.integers(len(photographed)))], own, cloths)
            return make_hand(own, cloths, "pinch" if use == "fan" else None)

        sensor = WebcamSensor(made.webcam, self._options.size, seed)
        stage = Stage(rng, hand)
        cards = self._dealt(rng)
        for _ in range(int(rng.integers(1, 4))):
            stage.put(stage.new(next(cards), acts.spot(stage, made.spread)))
        count = round(made.placements * self._options.placements)
        script = play(made, count, cards, rng)
        region = camera.region.mean(axis=0) + made.place * (
            camera.region - camera.region.mean(axis=0)
        )
        frames = _frames(stage, Compositor(scenery), sensor, script)
        return Film(condition, region.astype(np.float32), frames, stage.happened)

    def _dealt(self, rng: np.random.Generator) -> Iterator[str]:
        known = by_card(self._cut.cards)
        deck = [card for card in DECK if card in known]
        while True:
            yield from (str(card) for card in rng.permutation(deck))

    def _face(self, made: Condition, seed: int) -> Callable[[str, int], Picture]:
        known = by_card(self._cut.cards)

        @cache
        def bent(card: str, which: int) -> Picture:
            rng = np.random.default_rng([seed, 42, which])
            layer = card_layer(known[card][which].face)
            return curled(layer, float(rng.normal(0, made.curl)), bool(rng.random() < 0.6))

        return lambda card, copy: bent(card, copy % len(known[card]))

    def _table(self, made: Condition, scale: float, rng: np.random.Generator) -> Picture:
        size = round(TABLE[0] * scale), round(TABLE[1] * scale)
        surfaces = self._cut.surfaces
        if made.plaid:
            table = plaid(size, scale, rng)
        else:
            table = table_of(_chosen(surfaces, rng), size, scale, rng)
        faces = [card_layer(one.face) for one in self._cut.cards]
        lay_objects(table, scale, made.objects, surfaces, faces, rng)
        return table


def play(
    made: Condition, count: int, cards: Iterator[str], rng: np.random.Generator
) -> Iterator[Act]:
    """Yield what happens while cards are laid, ``count`` of them."""
    yield pause(1.5)
    for _ in range(count):
        yield pause(float(rng.uniform(*made.pause)))
        rest, pace = float(rng.uniform(*made.rest)), float(rng.uniform(*made.pace))
        act = acts.lay(next(cards), made.spread, rest, pace)
        if made.fan is not None and rng.random() < 0.75:
            act = _with_fan(made, act, cards, rng)
        if made.arm and rng.random() < 0.7:
            swinging = acts.swing_arm(float(rng.uniform(170, 250)), float(rng.uniform(1.5, 4)))
            act = together(swinging, then(pause(float(rng.uniform(0, 1.5))), act))
        yield act
        if rng.random() < made.disturbed:
            yield pause(float(rng.uniform(*made.pause)))
            yield _disturbance(rng)
    yield pause(2.5)


def _with_fan(made: Condition, lay: Act, cards: Iterator[str], rng: np.random.Generator) -> Act:
    held = [next(cards) for _ in range(int(rng.integers(3, 8)))]
    distance = float(rng.uniform(*(made.fan or (0, 0))))
    fan = acts.hold_fan(held, distance, float(rng.uniform(2.0, 6.0)))
    if rng.random() < 0.35:
        return then(fan, pause(float(rng.uniform(0.3, 1.0))), lay)
    return together(fan, then(pause(float(rng.uniform(0.5, 2.0))), lay))


def _disturbance(rng: np.random.Generator) -> Act:
    what = str(rng.choice([*DISTURBANCES], p=[*DISTURBANCES.values()]))
    rest = float(rng.uniform(0.3, 1.2))

    def act(stage: Stage) -> Iterator[None]:
        if what == "lift" and len(stage.pile) > 2:
            return acts.lift()(stage)
        if what in ("pile", "top") and stage.pile:
            return acts.push(what == "pile")(stage)
        if what == "rests":
            return acts.point_at(rest)(stage)
        return acts.reach_over()(stage)

    return act


def _camera(made: Condition, size: tuple[int, int], rng: np.random.Generator) -> ClipCamera:
    return ClipCamera(
        size,
        tilt=float(rng.uniform(*made.tilt)),
        around=float(rng.uniform(60, 120)),
        distance=float(rng.uniform(500, 900)),
        card=float(rng.uniform(*made.card)),
        middle=(float(rng.uniform(0.4, 0.6)), float(rng.uniform(0.44, 0.56))),
    )


def _chosen(surfaces: Sequence[Surface], rng: np.random.Generator) -> Surface:
    """Return a surface; bright, grey and dark ones come equally often, structured ones more."""
    brightness = np.array([one.picture.mean() for one in surfaces])
    kinds = np.digitize(brightness, (45, 110, 165))
    weights = np.array([1 / np.sum(kinds == kind) for kind in kinds])
    weights *= [1.0 if one.picture.std() > 8 else 0.4 for one in surfaces]
    return surfaces[int(rng.choice(len(surfaces), p=weights / weights.sum()))]


def _frames(
    stage: Stage, compositor: Compositor, sensor: WebcamSensor, script: Iterator[Act]
) -> Iterator[FilmFrame]:
    shines = sensor.webcam.glare > 0
    for act in script:
        motion = act(stage)
        while True:
            stage.step = 1 / sensor.rate(stage.now)
            if next(motion, "ended") == "ended":
                break
            scene = compositor.compose(stage, sensor.open_for(stage.now), sensor.webcam.readout)
            glossy = compositor.cards(stage) if shines else None
            yield FilmFrame(sensor.take(scene, glossy, stage.now), stage.now)
            stage.now += stage.step
