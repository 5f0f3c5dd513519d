"""A virtual board in a terminal: a live view, and keys for its powers and its cable."""

import contextlib
import os
import re
import select
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from hardware.virtual_board.board import VirtualBoard
from hardware.virtual_board.view import BoardView
from hardware.virtual_board.wire import RATES, Faults

RATE = 0.01
LAG_MS = 50.0
BURST = 60
PULLED_S = 5.0

HELP = """\
choose a power by its capital (U N O ! or R B G Y) or Tab, then: 0 tray  1-9 x seat  space lift
k knock it   s break / mend its sensor   z unplug / plug in the cable of its place
u unplug / plug in   p unplug for 5 s   f hang / go on   r restart   b cut the power for a moment
c corrupt 1 %   d drop 1 %   t twice 1 %   o wrong order 1 %   g garbage   l lag 50 ms   w wire good
q quit"""


class Keys:
    """Runs the action of each key (``HELP``).

    Attributes:
        chosen: The power that keys move.
        message: What the last key did.
    """

    def __init__(self, board: VirtualBoard) -> None:
        self.chosen = board.powers[0]
        self.message = ""
        self._board = board
        self._actions: Mapping[str, Callable[[], str]] = {
            "\t": self._choose_next,
            " ": self._lift,
            "x": partial(self._put, 10),
            **{str(place): partial(self._put, place) for place in range(10)},
            **{name[0].upper(): partial(self._choose, name) for name in board.powers},
            "k": self._knock,
            "s": self._sensor,
            "z": self._station,
            "u": self._cable,
            "p": self._pull,
            "f": self._hang,
            "r": self._reboot,
            "b": self._brown_out,
            "c": partial(self._rate, "corrupt"),
            "d": partial(self._rate, "drop"),
            "t": partial(self._rate, "duplicate"),
            "o": partial(self._rate, "reorder"),
            "g": self._garbage,
            "l": self._lag,
            "w": self._wire_good,
        }

    def press(self, key: str) -> bool:
        """Run the key's action; return False for quit."""
        if key in ("q", "\x03", "\x04"):
            return False
        action = self._actions.get(key)
        try:
            self.message = action() if action else f"{key!r} is no key of this table"
        except (ValueError, OSError) as error:
            self.message = str(error)
        return True

    def _choose(self, power: str) -> str:
        self.chosen = power
        return f"{power} is chosen"

    def _choose_next(self) -> str:
        powers = self._board.powers
        return self._choose(powers[(powers.index(self.chosen) + 1) % len(powers)])

    def _put(self, place: int) -> str:
        self._board.place(self.chosen, place)
        return f"{self.chosen} stands {_where(place)}"

    def _lift(self) -> str:
        self._board.lift(self.chosen)
        return f"{self.chosen} is in the hand"

    def _knock(self) -> str:
        self._board.bump(self.chosen)
        return f"{self.chosen} was knocked"

    def _sensor(self) -> str:
        place = self._place()
        if f"{self.chosen} broken" in self._board.view().sensor_faults.get(place, ()):
            self._board.mend_sensor(place, self.chosen)
            return f"the sensor for {self.chosen} {_where(place)} is good again"
        self._board.break_sensor(place, self.chosen)
        return f"the sensor for {self.chosen} {_where(place)} is broken"

    def _station(self) -> str:
        place = self._place()
        if "cable off" in self._board.view().sensor_faults.get(place, ()):
            self._board.mend_station(place)
            return f"the sensors {_where(place)} are on again"
        self._board.break_station(place)
        return f"the sensors {_where(place)} are off"

    def _place(self) -> int:
        place = self._board.positions()[self.chosen]
        if place is None:
            raise ValueError(f"{self.chosen} is in the hand; put it down first")
        return place

    def _cable(self) -> str:
        if self._board.view().plugged:
            self._board.unplug()
            return "the cable is out"
        self._board.plug()
        return "the cable is in"

    def _pull(self) -> str:
        self._board.unplug(PULLED_S)
        return f"the cable is out for {PULLED_S:g} s"

    def _hang(self) -> str:
        if self._board.view().state == "hanging":
            self._board.thaw()
            return "the board goes on"
        self._board.freeze()
        return "the board hangs"

    def _reboot(self) -> str:
        self._board.reboot()
        return "the board has restarted"

    def _brown_out(self) -> str:
        self._board.brown_out()
        return "the board's power fails for a moment"

    def _rate(self, name: str) -> str:
        on = not getattr(self._board.view().faults[0], name)
        self._board.set_faults("both", **{name: RATE if on else 0.0})
        return f"{name} {RATE if on else 0:g}"

    def _garbage(self) -> str:
        self._board.garbage(BURST)
        return f"{BURST} random bytes each way"

    def _lag(self) -> str:
        on = not self._board.view().faults[0].delay_ms
        self._board.set_faults(delay_ms=LAG_MS if on else 0.0)
        return f"every byte takes {LAG_MS if on else 0:g} ms"

    def _wire_good(self) -> str:
        self._board.mend_wire()
        return "the wire is good"


def _where(place: int) -> str:
    return f"at seat {place}" if place else "in the tray"


BOX_WIDTH = 15
HEARD_FOR_MS = 1500
SIGNS = {"on": "●", "slow": "◐", "fast": "◉"}
PLAIN_SIGNS = {"on": "*", "slow": "o", "fast": "!"}
LIGHT_STYLE = {"on": "bold yellow", "slow": "yellow", "fast": "bold red"}
POWER_STYLE = {"red": "red", "blue": "blue", "green": "green", "yellow": "yellow"}


def picture(view: BoardView, seats: int, chosen: str = "", plain: bool = False) -> RenderableType:
    """Draw the seats clockwise around the tray, and below it lifted powers and the board's state.

    Args:
        view: The state to draw.
        seats: The number of seats.
        chosen: The power that keys move.
        plain: Only ASCII characters.
    """
    upper = (seats + 1) // 2
    rows = [
        Padding(
            _row(view, places, chosen, plain),
            (0, 0, 0, (upper - len(places)) * BOX_WIDTH // 2),
        )
        for places in (range(1, upper + 1), [0], range(seats, upper, -1))
        if places
    ]
    return Group(*rows, *_lines(view, chosen, plain))


def _row(view: BoardView, places: Sequence[int], chosen: str, plain: bool) -> RenderableType:
    row = Grid.grid()
    for _ in places:
        row.add_column()
    row.add_row(*(_box(view, place, chosen, plain) for place in places))
    return row


def _box(view: BoardView, place: int, chosen: str, plain: bool) -> Panel:
    standing = [power for power, at in view.positions.items() if at == place]
    content = Text.assemble(_powers(standing, chosen), "\n", no_wrap=True, overflow="ellipsis")
    light = view.lights.get(place)
    if light:
        sign = (PLAIN_SIGNS if plain else SIGNS)[light.pattern]
        whose = f" {light.power}" if light.power else ""
        content.append(f"{sign} {light.pattern}{whose}", LIGHT_STYLE[light.pattern])
    content.append("\n")
    content.append(", ".join(view.sensor_faults.get(place, ())), "magenta")
    title = f"seat {place}" if place else "tray"
    border = LIGHT_STYLE[light.pattern] if light else "cyan" if not place else ""
    return Panel(content, title=title, width=BOX_WIDTH, height=5, border_style=border)


def _powers(powers: Sequence[str], chosen: str) -> Text:
    text = Text()
    for power in powers:
        style = "bold " + POWER_STYLE.get(power, "")
        # Four stands in a box would not fit with their whole names.
        text.append(power[0].upper(), style + (" reverse" if power == chosen else ""))
        text.append(" ")
    return text


def _lines(view: BoardView, chosen: str, plain: bool) -> list[Text]:
    comma = ", " if plain else " · "
    in_hand = [power for power, at in view.positions.items() if at is None]
    hand = Text.assemble("in the hand: ", _powers(in_hand, chosen) if in_hand else "nothing")
    heard = [buzz for buzz in view.buzzes if view.now_ms - buzz.at_ms < HEARD_FOR_MS]
    if heard:
        last = heard[-1]
        at = {None: "the board", 0: "the tray"}.get(last.place, f"seat {last.place}")
        hand.append(f"{comma}{at} sounds, {last.pitch_hz} Hz", "bold yellow")
    cable = Text("plugged in" if view.plugged else f"unplugged {view.trouble}".strip())
    cable.stylize("green" if view.plugged else "red")
    state = Text(f"the board is {view.state}", "green" if view.state == "running" else "red")
    bytes_ = f"{view.to_host['put']} bytes out, {view.to_board['put']} in"
    to_host, to_board = (_faults(faults) for faults in view.faults)
    wire = to_host if to_host == to_board else f"to the host {to_host}, to the board {to_board}"
    return [
        hand,
        Text.assemble(cable, comma, state, comma, f"start {view.starts}{comma}{bytes_}"),
        Text(f"wire: {wire}"),
    ]


def _faults(faults: Faults) -> str:
    words = [f"{name} {getattr(faults, name):.3g}" for name in RATES if getattr(faults, name)]
    if faults.delay_ms or faults.jitter_ms:
        words.append(f"delay {faults.delay_ms:g} ms + {faults.jitter_ms:g}")
    return ", ".join(words) or "good"


try:
    import termios
    import tty
except ImportError:  # as on Windows
    HAS_KEYS = False
else:
    HAS_KEYS = True

LOOK_AGAIN_S = 0.25
# Escape sequences of arrow keys and the like; they are ignored.
SEQUENCE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|O.|.)?")


def play(board: VirtualBoard, console: Console, keyboard: int) -> None:
    """Show the board and obey keys until one quits or the terminal closes.

    Args:
        board: The board, running.
        console: Where to draw. On a dumb terminal, each key appends a new view.
        keyboard: The descriptor of the terminal that keys come from.
    """
    keys = Keys(board)
    with _each_key(keyboard):
        if console.is_dumb_terminal or not console.is_terminal:
            console.print(_screen(board, keys, console))
            while _obey(keyboard, keys, None):
                console.print(_screen(board, keys, console))
            return
        with Live(console=console, auto_refresh=False) as live:
            live.update(_screen(board, keys, console), refresh=True)
            while _obey(keyboard, keys, LOOK_AGAIN_S):
                live.update(_screen(board, keys, console), refresh=True)


def _screen(board: VirtualBoard, keys: Keys, console: Console) -> RenderableType:
    plain = not console.encoding.lower().startswith("utf")
    return Group(
        Text(board.port.url, "bold"),
        picture(board.view(), board.seats, keys.chosen, plain),
        Text(f"> {keys.message}" if keys.message else ">", "bold"),
        Text(HELP, "dim"),
    )


def _obey(keyboard: int, keys: Keys, seconds: float | None) -> bool:
    if not select.select([keyboard], [], [], seconds)[0]:
        return True
    try:
        pressed = os.read(keyboard, 64).decode("utf-8", "replace")
    except OSError:
        return False
    return bool(pressed) and all(keys.press(key) for key in SEQUENCE.sub("", pressed))


@contextlib.contextmanager
def _each_key(keyboard: int) -> Iterator[None]:
    """Deliver each key at once and without echo; restore the terminal afterwards."""
    try:
        before = termios.tcgetattr(keyboard)
        tty.setcbreak(keyboard)
    except termios.error:  # it is no terminal, or closed already; reading tells
        yield
        return
    try:
        yield
    finally:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
