"""A clip: a filmed script, frame by frame, with its ground truth."""

from collections.abc import Iterable, Iterator

import numpy as np

from lab.clips.camera import random_camera
from lab.clips.faces import DeckFaces
from lab.clips.ground_truth import ClipFrame, TrueEvent
from lab.clips.light import random_light
from lab.clips.simulation import ClipSetting, TableSimulation
from lab.clips.tabletop import Action
from lab.draw.cards.backgrounds import black, cloth, pattern, plain, white, wood

BACKGROUNDS = (plain, white, black, wood, cloth, pattern)


def random_setting(
    seed: int,
    size: tuple[int, int] = (1280, 720),
    pile: Iterable[str] = (),
    restless: float = 0.5,
) -> ClipSetting:
    """Return a random table with a pile, the lowest card first.

    ``restless`` is how much the light changes, 0 for not at all.
    """
    rng = np.random.default_rng([seed, 11])
    ground = BACKGROUNDS[int(rng.integers(len(BACKGROUNDS)))](rng)
    return ClipSetting(
        random_camera(rng, size),
        random_light(rng, restless),
        ground,
        DeckFaces(seed),
        tuple(pile),
        seed=seed,
    )


class Clip:
    """The frames of a script; iterate over them once. ``happened`` holds the true events so far."""

    def __init__(self, setting: ClipSetting, script: Iterable[Action]) -> None:
        self.setting = setting
        self._script = script
        self._simulation = TableSimulation(setting)
        self.happened: list[TrueEvent] = self._simulation.happened

    def __iter__(self) -> Iterator[ClipFrame]:
        """Yield the frames."""
        simulation = self._simulation
        for action in self._script:
            simulation.begin(action)
            while simulation.go_on():
                yield simulation.take()
                simulation.tick()
