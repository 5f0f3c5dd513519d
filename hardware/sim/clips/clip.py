"""A clip: a script played at a table and filmed, frame by frame, with the truth about it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from hardware.camera.draw.bank import Levels
from hardware.camera.draw.grounds import black, cloth, pattern, plain, white, wood
from hardware.camera.draw.view import apply
from hardware.sim.clips.actions import spot
from hardware.sim.clips.camera import Camera, looking
from hardware.sim.clips.faces import Faces
from hardware.sim.clips.light import Light, Sensor, sampled
from hardware.sim.clips.render import Picture, Renderer
from hardware.sim.clips.stage import Action, Stage
from hardware.sim.clips.truth import Frame, Happening, SeenCard

GROUNDS = (plain, white, black, wood, cloth, pattern)


@dataclass(frozen=True)
class Setting:
    """Where a clip is filmed.

    Attributes:
        camera: The camera.
        light: The light.
        ground: The table, (height, width, 3).
        faces: The cards' faces by id.
        pile: Cards that lie there from the beginning, the lowest first.
        rate: Frames a second.
        seed: What is left to chance while it is filmed.
    """

    camera: Camera
    light: Light
    ground: Picture
    faces: Mapping[str, Levels]
    pile: tuple[str, ...] = ()
    rate: float = 30.0
    seed: int = 0


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
        self._stage = Stage(np.random.default_rng([setting.seed, 12]), setting.rate)
        self.happened: list[Happening] = self._stage.happened
        for card in setting.pile:
            self._stage.put(self._stage.new(card, spot(self._stage)))

    def __iter__(self) -> Iterator[Frame]:
        """The frames, each as it is asked for."""
        stage, camera = self._stage, self.setting.camera
        renderer = Renderer(camera, self.setting.ground, self.setting.faces)
        sensor = Sensor(self.setting.light, camera.size)
        number = 0
        for action in self._script:
            for _ in action(stage):
                picture = sensor.take(renderer.picture(stage), stage.now)
                cards, free = renderer.cards(stage)
                self._note(cards, free)
                region = apply(stage.shake, camera.region)
                hands = len(stage.reaches)
                yield Frame(number, stage.now, picture, cards, hands, free, region)
                number += 1
                stage.now = number / stage.rate

    def _note(self, cards: tuple[SeenCard, ...], free: bool) -> None:
        """Note from when on nothing hides the top of the pile, and no hand is near it."""
        top, now = self._stage.top, self._stage.now
        clear = (
            free
            if top is None
            else any(one.number == top.number and one.visible > 0.97 for one in cards)
        )
        for one in self.happened:
            if clear and one.clear is None:
                one.clear = now
            if free and one.gone is None:
                one.gone = now
