"""The steps of a script, read from their words (``lab.virtual_camera.script`` describes them)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from hardware.camera.decks import all_cards
from hardware.virtual_board.timeline import (
    LONGEST_STEP_S,
    StepError,
    Words,
    optional_number,
    step_parser,
)
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


def _brisk(words: Words) -> float:
    if not words.skip("brisk"):
        return 1.0
    brisk = words.number("how quickly", FASTEST)
    if brisk < SLOWEST:
        raise StepError(f"how quickly is from {SLOWEST:g} to {FASTEST:g}, not {brisk:g}")
    return brisk


def _seat(words: Words) -> float | None:
    return words.number("degrees", 360) if words.skip("from") else None


# Arguments are evaluated in the order in which their words stand.
HAND_STEPS: Mapping[str, Callable[[Words], Action]] = {
    "lay": lambda words: actions.lay(_card(words), brisk=_brisk(words), seat=_seat(words)),
    "turn-up": lambda words: actions.turn_up(_card(words), DRAW_PILE, _brisk(words), _seat(words)),
    "draw": lambda words: actions.draw_one(DRAW_PILE, _brisk(words), _seat(words)),
    "quick": lambda words: actions.quick(
        _card(words), _card(words), words.number("seconds between them", LONGEST_HOVER_S)
    ),
    "lift": lambda _: only_with_pile(actions.lift()),
    "put-back": lambda _: only_with_pile(actions.put_back()),
    "nudge": lambda words: only_with_pile(
        disturbances.nudge("top" if words.skip("top") else "pile")
    ),
    "tidy": lambda _: only_with_pile(disturbances.tidy()),
    "clear": lambda _: only_with_pile(actions.clear()),
    "pass": lambda words: disturbances.pass_through(_card_or_none(words)),
    "hover": lambda words: disturbances.hover(
        words.number("seconds", LONGEST_HOVER_S), _card_or_none(words)
    ),
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


def _fault(field: str, what: str, most: float, least: float = 0) -> Callable[[Words], Step]:
    def parse(words: Words) -> Step:
        value = words.number(what, most)
        if value < least:
            raise StepError(f"{what} is from {least:g} to {most:g}, not {value:g}")
        exact = int(value) if field == "every" else value
        return lambda camera: camera.set_faults(**{field: exact})

    return parse


_SECONDS = optional_number("seconds", LONGEST_STEP_S)
CAMERA_STEPS: Mapping[str, Callable[[Words], Step]] = {
    "glare": _glare,
    "light": _light,
    "bump": lambda _: lambda camera: camera.do(disturbances.bump(), at_once=True),
    "hide": step_parser(VirtualCamera.hide, _SECONDS),
    "freeze": step_parser(VirtualCamera.freeze, _SECONDS),
    "stick": step_parser(VirtualCamera.stick, _SECONDS),
    "unplug": step_parser(VirtualCamera.unplug, _SECONDS),
    "plug": step_parser(VirtualCamera.plug),
    "slow": _fault("every", "the interval of pictures", 1000, 1),
    "lag": _fault("lag_ms", "milliseconds", LONGEST_LAG_MS),
    "drop": _fault("drop", "a share of the pictures", 1),
    "garble": _fault("garble", "a share of the bytes", 1),
    "tremble": _fault("tremble", "pixels", 50),
    "breathe": _fault("breathe", "pixels of blur", 20),
    "pump": _fault("pump", "a share of the brightness", 0.9),
    "quality": _fault("quality", "the quality of compression", 100, 1),
    "clean": step_parser(VirtualCamera.mend),
}
