"""Where each part lies on the two boards, and where that puts its pads."""

from dataclasses import dataclass, field
from math import cos, radians, sin
from typing import Any

from lab.plans.circuit import Circuit, main_board, station
from lab.plans.footprints import FOOTPRINTS, Footprint, Pad

GRID = 0.635
JACK_FRONT = 13.97  # from the jack's first contact
JACK_MIDDLE = 4.445
JACK_PITCH = 26 * GRID


@dataclass(frozen=True)
class Place:
    """Where a part lies.

    Attributes:
        x: Of its origin, from the board's left edge.
        y: From the board's upper edge, downward.
        turned: Degrees, counter-clockwise as seen from above.
        below: Whether it is on the underside.
    """

    x: float
    y: float
    turned: int = 0
    below: bool = False

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the footprint lies on the board."""
        if self.below:
            y = -y
        turn = radians(self.turned)
        return (
            round(self.x + x * cos(turn) + y * sin(turn), 4),
            round(self.y - x * sin(turn) + y * cos(turn), 4),
        )

    def box(self, area: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """Return where a rectangle of the footprint lies on the board."""
        left, top, right, bottom = area
        (a, b), (c, d) = self.at(left, top), self.at(right, bottom)
        return min(a, c), min(b, d), max(a, c), max(b, d)


@dataclass(frozen=True)
class PlacedPad:
    """A pad on the board; ``net`` is empty where nothing is connected."""

    ref: str
    pad: Pad
    x: float
    y: float
    width: float
    height: float
    net: str
    layers: tuple[int, ...]

    def distance(self, x: float, y: float) -> float:
        """Return the distance of a point from the pad's edge, 0 inside."""
        aside = max(abs(x - self.x) - self.width / 2, 0.0)
        along = max(abs(y - self.y) - self.height / 2, 0.0)
        return float((aside**2 + along**2) ** 0.5)


@dataclass
class Board:
    """A circuit on a board.

    Attributes:
        circuit: Its parts.
        width: In millimetres.
        height: In millimetres.
        places: Of each part, and of screws, which the circuit lacks.
        legends: What is printed on the board: text, x, y, and whether on its underside.
    """

    circuit: Circuit
    width: float
    height: float
    places: dict[str, Place]
    legends: list[tuple[str, float, float, bool]] = field(default_factory=list)

    def footprint(self, ref: str) -> Footprint:
        """Return the footprint of a part or a screw."""
        part = self.circuit.parts.get(ref)
        return FOOTPRINTS[part.kind if part else "screw"]

    def pads(self) -> list[PlacedPad]:
        """Return all pads and holes."""
        placed = []
        for ref, place in self.places.items():
            part = self.circuit.parts.get(ref)
            for pad in self.footprint(ref).pads:
                x, y = place.at(pad.x, pad.y)
                across = place.turned % 180 != 0
                width, height = (pad.height, pad.width) if across else (pad.width, pad.height)
                net = part.nets.get(pad.name, "") if part and pad.name else ""
                layers = (0, 1) if pad.drill else ((1,) if place.below else (0,))
                placed.append(PlacedPad(ref, pad, x, y, width, height, net, layers))
        return placed


def _snap(value: float) -> float:
    return round(round(value / GRID) * GRID, 4)


def station_board(table: dict[str, Any]) -> Board:
    """Return the station's board: each sensor under the middle of its socket."""
    side, reach = table["station"]["board_side"]["mm"], table["socket"]["pitch"]["mm"] / 2
    front = table["station_board"]["jack_front"]["mm"]
    middle = side / 2
    places = {
        # From below, the jack's contacts run the other way.
        "J1": Place(middle + JACK_MIDDLE, round(middle + front - JACK_FRONT, 3), 180, below=True),
        "D1": Place(middle - 1.27, middle),
    }
    # Power 0 and 1 at the back, 2 and 3 in front, as one looks at the station.
    for n, (right, down) in enumerate(((-1, -1), (1, -1), (-1, 1), (1, 1))):
        x, y = middle + right * reach, middle + down * reach
        places[f"HS{n + 1}"] = Place(x, y)
        places[f"C{n + 1}"] = Place(x - right * 5.08, y, 90)
    for n, (x, y) in enumerate(table["station_board"]["screws"]):
        places[f"H{n + 1}"] = Place(middle + x, middle + y)
    legends = [
        (f"{n}: {name}", places[f"HS{n + 1}"].x, places[f"HS{n + 1}"].y + 5, False)
        for n, name in enumerate(("U, red", "N, blue", "O, green", "!, yellow"))
    ]
    legends += [("-", middle - 4.2, middle, False)]
    legends += [("Station: this side up", middle, 5.0, False)]
    legends += [("jack on this side", middle, middle - 8, True)]
    return Board(station(table), side, side, places, legends)


def main_board_laid(table: dict[str, Any]) -> Board:
    """Return the main board: jacks on two edges, the Pico's USB port on the third."""
    box = table["main_box"]
    width, height = box["board_width"]["mm"], box["board_height"]["mm"]
    places: dict[str, Place] = {"A1": Place(2.54 + 24.13, _snap(height / 2), 90)}
    for n in range(box["places"]):
        column, lower = n % 4, n >= 4
        centre = width / 2 + (column - 1.5) * JACK_PITCH
        if lower:
            x, y = _snap(centre - JACK_MIDDLE), _snap(height - JACK_FRONT)
        else:
            x, y = _snap(centre + JACK_MIDDLE), _snap(JACK_FRONT)
        places[f"J{n + 1}"] = Place(x, y, 0 if lower else 180)
        row = _snap(height - 20.955) if lower else _snap(20.955)
        for k in range(5):
            at = _snap(centre + (k - 2) * 2.54)
            # Pin 1 to the jack.
            places[f"R{10 * (n + 1) + k}"] = Place(at, row, 90 if lower else 270)
    places["MUX1"] = Place(_snap(width / 2 - 6), _snap(31.115), 270)
    places["MUX2"] = Place(_snap(width / 2 - 6), _snap(height - 31.115), 90)
    places["C3"] = Place(_snap(width / 2 - 17), _snap(31.75), 90)
    places["C4"] = Place(_snap(width / 2 + 5), _snap(height - 31.75), 90)
    places["R1"] = Place(_snap(width / 2 + 5), _snap(31.75), 90)
    places["R2"] = Place(_snap(width / 2 - 17), _snap(height - 31.75), 90)
    places["VR1"] = Place(_snap(76), _snap(31.75))
    places["C1"] = Place(_snap(69), _snap(31.75), 90)
    places["C2"] = Place(_snap(83), _snap(31.75), 90)
    places["BZ1"] = Place(_snap(77), _snap(height - 32.5))
    places["R3"] = Place(_snap(69), _snap(height - 31.75), 90)
    places["JP1"] = Place(_snap(57.5), _snap(height / 2 - 8.89))
    places["J10"] = Place(_snap(66), _snap(height / 2 - 1.27), 90)
    edge = box["screw_from_edge"]["mm"]
    for n, (x, y) in enumerate(
        ((edge, edge), (width - edge, edge), (edge, height - edge), (width - edge, height - edge))
    ):
        places[f"H{n + 1}"] = Place(x, y)
    placed = main_board(table).parts
    legends = []
    for n in range(box["places"]):
        jack = places[f"J{n + 1}"].box(FOOTPRINTS["jack"].body)
        label = "TRAY" if n == 0 else f"SEAT {n}"
        y = jack[3] - 1.5 if n >= 4 else jack[1] + 1.5
        legends.append((label, (jack[0] + jack[2]) / 2, y, False))
    for ref, aside in (("MUX1", 2.0), ("MUX2", -2.0)):
        x, y = places[ref].at(-4.65, -6.985)
        legends.append(("1", x + aside, y, False))
    legends.append(("USB", 4.0, height / 2, False))
    legends.append(("Never into network equipment", 75.0, height / 2 + 6, False))
    # The numbers of the pins at the corners: of the Pico, and of J10, where one measures.
    for ref, pins, aside, along in (
        ("A1", ("1", "20", "21", "40"), 2.6, 0.0),
        ("J10", ("1", "2", "11", "12"), 0.0, 2.4),
    ):
        middle = places[ref].box(FOOTPRINTS[placed[ref].kind].body)
        for pad in FOOTPRINTS[placed[ref].kind].pads:
            if pad.name in pins:
                x, y = places[ref].at(pad.x, pad.y)
                right = along if x > (middle[0] + middle[2]) / 2 else -along
                down = aside if y > (middle[1] + middle[3]) / 2 else -aside
                legends.append((pad.name, x + right, y + down, False))
    return Board(main_board(table), width, height, places, legends)
