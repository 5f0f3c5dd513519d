"""Scripts for the virtual camera: one step per line, with its time.

``hardware.virtual_board.timeline`` describes the times. Hands take turns at the pile;
``meanwhile`` before a hand's step lets it come beside others.

Hands::

    lay red-7              # a hand lays the card on the pile
    lay red-7 brisk 1.5    # one and a half times as quickly
    lay red-7 from 90      # by a hand that comes from the left: clockwise from below
    turn-up red-7          # a hand takes it from the draw pile and lays it on the pile
    draw from 90           # a hand takes a card from the draw pile
    quick red-7 red-2 0.5  # two players: the second hand comes 0.5 s behind the first
    lift                   # the top card is taken away
    put-back               # it is taken up, looked at and put back
    nudge                  # the pile is pushed a little …
    nudge top              # … or the top card alone
    tidy                   # two hands square the pile up
    clear                  # the whole pile is taken away
    pass                   # a hand goes over the pile …
    pass blue-2            # … with a card in it
    hover 2                # a hand stays over the pile for 2 s …
    hover 2 blue-2         # … with a card that it takes away again

The light and the camera::

    glare on               # a lamp shines into the camera off the pile
    glare off              # no more
    light 0.5              # half the light
    bump                   # somebody knocks the camera: it looks a little elsewhere
    hide                   # something is in front of the lens …
    hide 5                 # … for 5 s
    freeze                 # not a picture comes …
    freeze 30              # … for 30 s
    stick 10               # the same picture comes again and again, for 10 s
    unplug                 # pull the cable …
    unplug 5               # … and plug it in again 5 s later
    plug                   # plug it in
    slow 4                 # only each fourth picture is given
    lag 300                # each picture comes 300 ms late
    drop 0.1               # 10 % of the pictures get lost
    garble 0.001           # 0.1 % of the bytes of each picture become others
    tremble 0.8            # the camera trembles by 0.8 pixels
    breathe 2              # its autofocus hunts: every 3 s a blur of up to 2 pixels
    pump 0.2               # its exposure hunts: 20 % brighter, then darker
    quality 40             # its JPEG compression is strong
    clean                  # nothing is wrong with its pictures any more
"""

from collections.abc import Callable, Mapping, Sequence

from hardware.camera.decks import all_cards
from hardware.virtual_board import timeline
from hardware.virtual_board.timeline import (
    LONGEST_STEP_S,
    StepError,
    Words,
    optional_number,
    step_parser,
)
from lab.films.staging.deeds import Writer
from lab.virtual_camera.camera import Deed, VirtualCamera

Step = Callable[[VirtualCamera], None]
Script = timeline.Script[VirtualCamera]
LONGEST_HOVER_S = 600.0
LONGEST_LAG_MS = 60_000.0
SLOWEST, FASTEST = 0.3, 4.0


def parse_script(text: str) -> Script:
    """Read a script. Raises ScriptError."""
    return timeline.read_script(text, parse_step)


def parse_step(words: Sequence[str]) -> Step:
    """Parse a step. Raises StepError."""
    rest = Words(words)
    meanwhile = rest.skip("meanwhile")
    verb = rest.next("a step")
    if verb in HAND_STEPS:
        deed = HAND_STEPS[verb](rest)
        step: Step = lambda camera: camera.do(deed, at_once=meanwhile)  # noqa: E731
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


def only_with_pile(deed: Deed) -> Deed:
    """Return a deed that does nothing on an empty pile."""

    def only_then(writer: Writer) -> None:
        if writer.pile:
            deed(writer)

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


def lay(card: str, brisk: float = 1.0, seat: float | None = None, *, drawn: bool = False) -> Deed:
    """Return the laying of a card; arguments are as of ``Writer.lay``."""
    return lambda table: table.lay(card, drawn=drawn, brisk=brisk, seat=seat)


def pause(seconds: float) -> Deed:
    """Return a time in which nobody does anything."""
    return lambda table: table.wait((seconds, seconds))


def _draw(words: Words) -> Deed:
    brisk, seat = _brisk(words), _seat(words)
    return lambda table: table.draw(brisk, seat)


def _quick(words: Words) -> Deed:
    first, second = _card(words), _card(words)
    gap = words.number("seconds between them", LONGEST_HOVER_S)
    return lambda table: table.quick(first, second, (gap, gap))


def _nudge(words: Words) -> Deed:
    what = "top" if words.skip("top") else "pile"
    return only_with_pile(lambda table: table.nudge(what))


def _pass(words: Words) -> Deed:
    card = _card_or_none(words)
    return lambda table: table.pass_over(card)


def _hover(words: Words) -> Deed:
    seconds, card = words.number("seconds", LONGEST_HOVER_S), _card_or_none(words)
    return lambda table: table.hover(seconds, card)


# Arguments are evaluated in the order in which their words stand.
HAND_STEPS: Mapping[str, Callable[[Words], Deed]] = {
    "lay": lambda words: lay(_card(words), _brisk(words), _seat(words)),
    "turn-up": lambda words: lay(_card(words), _brisk(words), _seat(words), drawn=True),
    "draw": _draw,
    "quick": _quick,
    "lift": lambda _: only_with_pile(Writer.lift),
    "put-back": lambda _: only_with_pile(Writer.put_back),
    "nudge": _nudge,
    "tidy": lambda _: only_with_pile(Writer.square_up),
    "clear": lambda _: only_with_pile(Writer.clear),
    "pass": _pass,
    "hover": _hover,
}


def _glare(words: Words) -> Step:
    on = words.next("on or off")
    if on not in ("on", "off"):
        raise StepError(f"glare is on or off, not {on!r}")
    deed = only_with_pile(lambda table: table.glare(on=on == "on"))
    return lambda camera: camera.do(deed, at_once=True)


def _light(words: Words) -> Step:
    level = words.number("the share of light", 3)
    return lambda camera: camera.relit(level)


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
    "bump": lambda _: lambda camera: camera.do(Writer.knock, at_once=True),
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
