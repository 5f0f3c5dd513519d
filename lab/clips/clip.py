"""A clip: a script played at a table and filmed, frame by frame, with the truth about it."""

from collections.abc import Iterable, Iterator

import numpy as np

from lab.clips.camera import looking
from lab.clips.faces import Faces
from lab.clips.filming import Filming, Setting
from lab.clips.light import sampled
from lab.clips.stage import Action
from lab.clips.truth import Frame, Happening
from lab.draw.grounds import black, cloth, pattern, plain, white, wood

GROUNDS = (plain, white, black, wood, cloth, pattern)


def setting(
    seed: int,
    size: tuple[int, int] = (1280, 720),
    pile: Iterable[str] = (),
    restless: float = 0.5,
) -> Setting:
    """A table drawn by lot.

    Args:
        seed: What it is drawn from.
        size: Width and height of the pictures in pixels.
        pile: Cards that lie there from the beginning, the lowest first.
        restless: How much the light changes, 0 for not at all.
    """
    rng = np.random.default_rng([seed, 11])
    ground = GROUNDS[int(rng.integers(len(GROUNDS)))](rng)
    return Setting(
        looking(rng, size), sampled(rng, restless), ground, Faces(seed), tuple(pile), seed=seed
    )


class Clip:
    """A script filmed; to be gone through once.

    Args:
        setting: Where.
        script: What is done, one after another.

    Attributes:
        happened: What was done so far, in order; complete at the end.
        setting: Where it is filmed.
    """

    def __init__(self, setting: Setting, script: Iterable[Action]) -> None:
        self.setting = setting
        self._script = script
        self._filming = Filming(setting)
        self.happened: list[Happening] = self._filming.happened

    def __iter__(self) -> Iterator[Frame]:
        """The frames, each as it is asked for."""
        filming = self._filming
        for action in self._script:
            filming.begin(action)
            while filming.go_on():
                yield filming.take()
                filming.tick()
