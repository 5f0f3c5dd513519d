"""The steps of a script, read from their words (``lab.virtual_camera.script`` describes them)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from hardware.camera.decks import all_cards
from hardware.virtual_board.timeline import LONGEST_STEP_S, StepError, Words
from lab.clips import actions, disturbances
from lab.clips.tabletop import Action, Motion, Tabletop
from lab.virtual_camera.camera import VirtualCamera
from lab.virtual_camera.mat_setting import DRAW_PILE

Step = Callable[[VirtualCamera], None]
LONGEST_HOVER_S = 600.0
LONGEST_LAG_MS = 60_000.0
SLOWEST, FASTEST = 0.3, 4.0


def parse_step(words: Sequence[str]) -> Step:
    """Parse a step. Raises StepError."""
    rest = Words(words)
    meanwhile = rest.skip("meanwhile")
    verb = rest.next("a step")
    if verb in HAND_STEPS:
        action = HAND_STEPS[verb](rest)
        step: Step = lambda camera: camera.do(action, at_once=meanwhile)  # noqa: E731
    elif verb in CAMERA_STEPS and not meanwhile:
        step = CAMERA_STEPS[verb](rest)
    else:
        known = ", ".join(HAND_STEPS if meanwhile else [*HAND_STEPS, *CAMERA_STEPS])
        raise StepError(f"there is no step {verb!r}; a step begins with {known}")
    if rest.more():
        raise StepError(f"{rest.next('')!r} is too much")
    return step


def _card(words: Words) -> str:
    card = words.next("a card")
    if card not in all_cards():
        raise StepError(f"there is no card {card!r}; cards are named like red-7 or wild")
    return card


def _card_or_none(words: Words) -> str | None:
    return _card(words) if words.more() else None


def only_with_pile(action: Action) -> Action:
    """Wrap an action so that it does nothing on an empty pile."""

    def only_then(tabletop: Tabletop) -> Motion:
        if tabletop.pile:
            yield from action(tabletop)

    return only_then


def _lay(words: Words) -> Action:
    card = _card(words)
    brisk, seat = _manner(words)
    return actions.lay(card, brisk=brisk, seat=seat)


def _turn_up(words: Words) -> Action:
    card = _card(words)
    return actions.turn_up(card, DRAW_PILE, *_manner(words))


def _draw(words: Words) -> Action:
    return actions.draw_one(DRAW_PILE, *_manner(words))


def _manner(words: Words) -> tuple[float, float | None]:
    """Parse speed and direction."""
    brisk, seat = 1.0, None
    if words.skip("brisk"):
        brisk = words.number("how quickly", FASTEST)
        if brisk < SLOWEST:
            raise StepError(f"how quickly is from {SLOWEST:g} to {FASTEST:g}, not {brisk:g}")
    if words.skip("from"):
        seat = words.number("degrees", 360)
    return brisk, seat


def _quick(words: Words) -> Action:
    first, second = _card(words), _card(words)
    return actions.quick(first, second, words.number("seconds between them", LONGEST_HOVER_S))


def _nudge(words: Words) -> Action:
    what: Literal["top", "pile"] = "top" if words.skip("top") else "pile"
    return only_with_pile(disturbances.nudge(what))


def _hover(words: Words) -> Action:
    return disturbances.hover(words.number("seconds", LONGEST_HOVER_S), _card_or_none(words))


HAND_STEPS: Mapping[str, Callable[[Words], Action]] = {
    "lay": _lay,
    "turn-up": _turn_up,
    "draw": _draw,
    "quick": _quick,
    "lift": lambda _: only_with_pile(actions.lift()),
    "put-back": lambda _: only_with_pile(actions.put_back()),
    "nudge": _nudge,
    "tidy": lambda _: only_with_pile(disturbances.tidy()),
    "clear": lambda _: only_with_pile(actions.clear()),
    "pass": lambda words: disturbances.pass_through(_card_or_none(words)),
    "hover": _hover,
}


def _glare(words: Words) -> Step:
    on = words.next("on or off")
    if on not in ("on", "off"):
        raise StepError(f"glare is on or off, not {on!r}")
    action = only_with_pile(disturbances.glare(on == "on"))
    return lambda camera: camera.do(action, at_once=True)


def _light(words: Words) -> Step:
    level = words.number("the share of light", 3)

    def step(camera: VirtualCamera) -> None:
        camera.simulation.relit(replace(camera.simulation.setting.light, level=level))

    return step


def _for_seconds(begin: Callable[[VirtualCamera, float | None], None]) -> Callable[[Words], Step]:
    def parse(words: Words) -> Step:
        seconds = words.number_or_none("seconds", LONGEST_STEP_S)
        return lambda camera: begin(camera, seconds)

    return parse


def _fault(field: str, what: str, most: float, least: float = 0) -> Callable[[Words], Step]:
    def parse(words: Words) -> Step:
        value = words.number(what, most)
        if value < least:
            raise StepError(f"{what} is from {least:g} to {most:g}, not {value:g}")
        exact = int(value) if field == "every" else value
        return lambda camera: camera.set_faults(**{field: exact})

    return parse


CAMERA_STEPS: Mapping[str, Callable[[Words], Step]] = {
    "glare": _glare,
    "light": _light,
    "bump": lambda _: lambda camera: camera.do(disturbances.bump(), at_once=True),
    "hide": _for_seconds(VirtualCamera.hide),
    "freeze": _for_seconds(VirtualCamera.freeze),
    "stick": _for_seconds(VirtualCamera.stick),
    "unplug": _for_seconds(VirtualCamera.unplug),
    "plug": lambda _: VirtualCamera.plug,
    "slow": _fault("every", "the interval of pictures", 1000, 1),
    "lag": _fault("lag_ms", "milliseconds", LONGEST_LAG_MS),
    "drop": _fault("drop", "a share of the pictures", 1),
    "garble": _fault("garble", "a share of the bytes", 1),
    "tremble": _fault("tremble", "pixels", 50),
    "breathe": _fault("breathe", "pixels of blur", 20),
    "pump": _fault("pump", "a share of the brightness", 0.9),
    "quality": _fault("quality", "the quality of compression", 100, 1),
    "clean": lambda _: VirtualCamera.mend,
}
