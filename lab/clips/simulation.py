"""A table being filmed: things are done at it at any time, and frames are taken of it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lab.clips.actions import random_spot
from lab.clips.camera import ClipCamera
from lab.clips.ground_truth import ClipFrame, TrueEvent, VisibleCard
from lab.clips.light import CameraSensor, RoomLight
from lab.clips.render import Picture, Renderer
from lab.clips.tabletop import Action, Motion, Tabletop
from lab.draw.asset_cache import Mipmap
from lab.draw.projection import project_points


@dataclass(frozen=True)
class ClipSetting:
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

    camera: ClipCamera
    light: RoomLight
    ground: Picture
    faces: Mapping[str, Mipmap]
    pile: tuple[str, ...] = ()
    rate: float = 30.0
    seed: int = 0


class TableSimulation:
    """A table and the camera above it. Time goes by frame by frame, as fast as one likes.

    Args:
        setting: Where.

    Attributes:
        setting: Where.
        stage: What there is to be seen, and what has happened so far.
        number: How many frames' time has gone by.
    """

    def __init__(self, setting: ClipSetting) -> None:
        self.setting = setting
        self.tabletop = Tabletop(np.random.default_rng([setting.seed, 12]), setting.rate)
        self.number = 0
        for card in setting.pile:
            self.tabletop.put(self.tabletop.new(card, random_spot(self.tabletop)))
        self._doing: list[Motion] = []
        self._renderer = Renderer(setting.camera, setting.ground, setting.faces)
        self._sensor = CameraSensor(setting.light, setting.camera.size)
        self._unclear: list[TrueEvent] = []
        self._noted = 0

    @property
    def happened(self) -> list[TrueEvent]:
        """What was done so far, in order."""
        return self.tabletop.happened

    @property
    def region(self) -> Picture:
        """Corners of the pile's place in the picture now, (4, 2)."""
        return project_points(self.tabletop.shake, self.setting.camera.region)

    def begin(self, action: Action) -> None:
        """Do something from the next frame on, beside whatever else is being done."""
        self._doing.append(action(self.tabletop))

    def go_on(self) -> bool:
        """Everything that is being done goes on by a frame; whether anything is."""
        self._doing = [one for one in self._doing if next(one, "ended") != "ended"]
        return bool(self._doing)

    def tick(self) -> None:
        """The time of a frame goes by."""
        self.number += 1
        self.tabletop.now = self.number / self.tabletop.rate

    def relit(self, light: RoomLight) -> None:
        """The light changes."""
        self._sensor = CameraSensor(light, self.setting.camera.size)

    def take(self) -> ClipFrame:
        """The frame of this moment, with the truth about it."""
        tabletop = self.tabletop
        picture = self._sensor.take(self._renderer.picture(tabletop), tabletop.now)
        cards, free = self.look()
        hands = len(tabletop.hands)
        return ClipFrame(self.number, tabletop.now, picture, cards, hands, free, self.region)

    def dark(self) -> Picture:
        """What the camera gives of this moment with something in front of its lens."""
        width, height = self.setting.camera.size
        return self._sensor.take(np.full((height, width, 3), 14, np.uint8), self.tabletop.now)

    def look(self) -> tuple[tuple[VisibleCard, ...], bool]:
        """The cards to be seen, the topmost first; is no hand over them? Notes what that clears."""
        cards, free = self._renderer.cards(self.tabletop)
        self._note(cards, free)
        return cards, free

    def _note(self, cards: tuple[VisibleCard, ...], free: bool) -> None:
        """Note from when on nothing hides the top of the pile, and no hand is near it."""
        top, now = self.tabletop.top, self.tabletop.now
        clear = (
            free
            if top is None
            else any(one.number == top.number and one.visible > 0.97 for one in cards)
        )
        self._unclear += self.happened[self._noted :]
        self._noted = len(self.happened)
        for one in self._unclear:
            if clear and one.clear is None:
                one.clear = now
            if free and one.gone is None:
                one.gone = now
        self._unclear = [one for one in self._unclear if one.clear is None or one.gone is None]
