"""Footprints of the parts: pads, holes and the room they take, in millimetres.

Taken from the drawings of the makers, and equal to those of KiCad's own libraries, whose names
they carry; but a resistor has the pads of a capacitor of its size, and the Pico's are from its data
sheet. y points down, as in KiCad.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pad:
    """A pad, or a hole without copper if it has no name.

    Attributes:
        name: The part's pin.
        x: Middle, from the footprint's origin.
        y: As x.
        width: Along x.
        height: Along y.
        drill: Diameter of the hole; 0 for a surface pad.
        square: Whether it has corners.
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    drill: float = 0.0
    square: bool = False


@dataclass(frozen=True)
class Footprint:
    """A part's footprint.

    Attributes:
        lib_id: Its name in KiCad's libraries.
        pads: Its pads and holes.
        body: The part itself: left, top, right, bottom.
        room: What no other part may enter.
    """

    lib_id: str
    pads: tuple[Pad, ...]
    body: tuple[float, float, float, float]
    room: tuple[float, float, float, float]

    @property
    def through(self) -> bool:
        """Whether its legs go through the board."""
        return any(pad.drill and pad.name for pad in self.pads)


def _chip(lib_id: str) -> Footprint:
    pads = (Pad("1", -0.95, 0, 1.0, 1.45, square=True), Pad("2", 0.95, 0, 1.0, 1.45, square=True))
    return Footprint(lib_id, pads, (-1.0, -0.625, 1.0, 0.625), (-1.7, -0.98, 1.7, 0.98))


def _round(name: str, x: float, y: float, size: float, drill: float) -> Pad:
    return Pad(name, x, y, size, size, drill, square=name == "1")


_JACK_PADS = tuple(
    _round(str(n + 1), 1.27 * n, -2.54 if n % 2 else 0.0, 1.5, 0.76) for n in range(8)
)
_JACK_POSTS = (Pad("", -1.27, 6.35, 3.2, 3.2, 3.2), Pad("", 10.16, 6.35, 3.2, 3.2, 3.2))
_SO24 = tuple(
    Pad(
        str(n + 1),
        -4.65 if n < 12 else 4.65,
        1.27 * ((n if n < 12 else 23 - n) - 5.5),
        2.05,
        0.6,
        square=True,
    )
    for n in range(24)
)
_PICO = tuple(
    _round(
        str(n + 1),
        -8.89 if n < 20 else 8.89,
        2.54 * ((n if n < 20 else 39 - n) - 9.5),
        1.7,
        1.0,
    )
    for n in range(40)
)
_HEADER_12 = tuple(_round(str(n + 1), 2.54 * (n % 2), 2.54 * (n // 2), 1.7, 1.0) for n in range(12))

FOOTPRINTS = {
    "jack": Footprint(
        "Connector_RJ:RJ45_Amphenol_54602-x08_Horizontal",
        _JACK_PADS + _JACK_POSTS,
        (-3.205, -3.77, 12.095, 13.97),
        (-3.71, -4.27, 12.6, 14.47),
    ),
    "sensor": Footprint(
        "Package_TO_SOT_SMD:SOT-23",
        (
            Pad("1", -0.9375, -0.95, 1.475, 0.6, square=True),
            Pad("2", -0.9375, 0.95, 1.475, 0.6, square=True),
            Pad("3", 0.9375, 0, 1.475, 0.6, square=True),
        ),
        (-0.65, -1.45, 0.65, 1.45),
        (-1.92, -1.7, 1.92, 1.7),
    ),
    "multiplexer": Footprint(
        "Package_SO:SOIC-24W_7.5x15.4mm_P1.27mm",
        _SO24,
        (-3.75, -7.7, 3.75, 7.7),
        (-5.93, -7.95, 5.93, 7.95),
    ),
    "regulator": Footprint(
        "Package_TO_SOT_SMD:SOT-223-3_TabPin2",
        (
            Pad("1", -3.15, -2.3, 2.0, 1.5, square=True),
            Pad("2", -3.15, 0, 2.0, 1.5, square=True),
            Pad("3", -3.15, 2.3, 2.0, 1.5, square=True),
            Pad("2", 3.15, 0, 2.0, 3.8, square=True),
        ),
        (-1.75, -3.25, 1.75, 3.25),
        (-4.4, -3.6, 4.4, 3.6),
    ),
    "resistor": _chip("Resistor_SMD:R_0805_2012Metric"),
    "capacitor": _chip("Capacitor_SMD:C_0805_2012Metric"),
    "light": Footprint(
        "LED_THT:LED_D5.0mm",
        (_round("1", 0, 0, 1.8, 0.9), _round("2", 2.54, 0, 1.8, 0.9)),
        (-1.23, -2.5, 3.77, 2.5),
        (-1.95, -3.25, 4.5, 3.25),
    ),
    "piezo": Footprint(
        "Buzzer_Beeper:Buzzer_TDK_PS1240P02BT_D12.2mm_H6.5mm",
        (_round("1", 0, 0, 2.0, 1.0), _round("2", 5.0, 0, 2.0, 1.0)),
        (-3.6, -6.1, 8.6, 6.1),
        (-3.85, -6.35, 8.85, 6.35),
    ),
    "jumper": Footprint(
        "Connector_PinHeader_2.54mm:PinHeader_1x02_P2.54mm_Vertical",
        (_round("1", 0, 0, 1.7, 1.0), _round("2", 0, 2.54, 1.7, 1.0)),
        (-1.27, -1.27, 1.27, 3.81),
        (-1.8, -1.8, 1.8, 4.35),
    ),
    "header": Footprint(
        "Connector_PinHeader_2.54mm:PinHeader_2x06_P2.54mm_Vertical",
        _HEADER_12,
        (-1.27, -1.27, 3.81, 13.97),
        (-1.8, -1.8, 4.35, 14.5),
    ),
    "pico": Footprint(
        "Module:RaspberryPi_Pico", _PICO, (-10.5, -25.5, 10.5, 25.5), (-10.75, -25.75, 10.75, 25.75)
    ),
    "screw": Footprint(
        "MountingHole:MountingHole_2.7mm_M2.5",
        (Pad("", 0, 0, 2.7, 2.7, 2.7),),
        (-2.5, -2.5, 2.5, 2.5),
        (-2.7, -2.7, 2.7, 2.7),
    ),
}
