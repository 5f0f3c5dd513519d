"""Simulates a table frame by frame, and takes pictures of it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lab.clips.actions import random_spot
from lab.clips.camera import ClipCamera
from lab.clips.ground_truth import ClipFrame, TrueEvent, VisibleCard
from lab.clips.light import CameraSensor, RoomLight
from lab.clips.render import Picture, Renderer
from lab.clips.tabletop import Action, Motion, Tabletop
from lab.draw.cards.asset_cache import Mipmap
from lab.draw.scenes.projection import project_points


@dataclass(frozen=True)
class ClipSetting:
    """Table, light and camera of a clip."""

    camera: ClipCamera
    light: RoomLight
    ground: Picture  # The table, (height, width, 3)
    faces: Mapping[str, Mipmap]  # The cards' faces by id
    pile: tuple[str, ...] = ()  # Cards already on the pile, the lowest first
    rate: float = 30.0  # Frames a second
    seed: int = 0  # Seeds everything random during the clip


class TableSimulation:
    """A table and the camera above it, advanced frame by frame."""

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
        """True events so far, in order."""
        return self.tabletop.happened

    @property
    def region(self) -> Picture:
        """Corners of the pile's area in the current picture, (4, 2)."""
        return project_points(self.tabletop.shake, self.setting.camera.region)

    def begin(self, action: Action) -> None:
        """Start an action with the next frame, in parallel with those under way."""
        self._doing.append(action(self.tabletop))

    def go_on(self) -> bool:
        """Advance all actions by a frame; return whether any is under way."""
        self._doing = [one for one in self._doing if next(one, "ended") != "ended"]
        return bool(self._doing)

    def tick(self) -> None:
        """Advance the clock by a frame."""
        self.number += 1
        self.tabletop.now = self.number / self.tabletop.rate

    def relit(self, light: RoomLight) -> None:
        """Change the light."""
        self._sensor = CameraSensor(light, self.setting.camera.size)

    def take(self) -> ClipFrame:
        """Return the current frame with its ground truth."""
        tabletop = self.tabletop
        picture = self._sensor.take(self._renderer.picture(tabletop), tabletop.now)
        cards, free = self.look()
        hands = len(tabletop.hands)
        return ClipFrame(self.number, tabletop.now, picture, cards, hands, free, self.region)

    def dark(self) -> Picture:
        """Return the current frame with the lens covered."""
        width, height = self.setting.camera.size
        return self._sensor.take(np.full((height, width, 3), 14, np.uint8), self.tabletop.now)

    def look(self) -> tuple[tuple[VisibleCard, ...], bool]:
        """Return the visible cards, topmost first, and whether no hand is over the pile."""
        cards, free = self._renderer.cards(self.tabletop)
        self._note(cards, free)
        return cards, free

    def _note(self, cards: tuple[VisibleCard, ...], free: bool) -> None:
        """Record when the top card became visible and the hands were gone."""
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
