"""The two circuits, made from the table of pins and contacts: parts, and the net of each pin."""

from dataclasses import dataclass, field
from typing import Any

GND = "GND"
SENSORS = "3V3_SENSORS"  # the regulator's output, for the sensors only
LOGIC = "3V3"  # the Pico's own output, for the multiplexers
USB = "5V"
CHANNELS = 16
# The CD74HC4067's pins: data sheet SCHS209.
MUX_INPUTS = (9, 8, 7, 6, 5, 4, 3, 2, 23, 22, 21, 20, 19, 18, 17, 16)
MUX_ADDRESS = (10, 11, 14, 13)
MUX_COMMON, MUX_GND, MUX_ENABLE, MUX_SUPPLY = 1, 12, 15, 24
PICO_GROUNDS = (3, 8, 13, 18, 23, 28, 33, 38)
PICO_USB, PICO_LOGIC = 40, 36
# A Pico's pins in runs: ground and supply lie between.
_RUNS = ((1, 3), (4, 8), (9, 13), (14, 18), (19, 23), (24, 28), (29, 30), (31, 33), (34, 35))
PICO_PIN = dict(
    zip(
        [*range(23), 26, 27, 28],
        [pin for first, end in _RUNS for pin in range(first, end)],
        strict=True,
    )
)


@dataclass(frozen=True)
class Part:
    """A part on a board.

    Attributes:
        ref: Its name on the board, as R12.
        kind: Its footprint.
        value: What is written beside it.
        nets: The net of each pin; a pin that is left out is not connected.
    """

    ref: str
    kind: str
    value: str
    nets: dict[str, str]


@dataclass
class Circuit:
    """A board's parts.

    Attributes:
        name: ``station`` or ``main``.
        parts: By their names on the board.
    """

    name: str
    parts: dict[str, Part] = field(default_factory=dict)

    def add(self, ref: str, kind: str, value: str, **nets: str) -> None:
        """Add a part; pins are given as ``p1="GND"``."""
        pins = {pin.removeprefix("p"): net for pin, net in nets.items()}
        self.parts[ref] = Part(ref, kind, value, pins)

    def nets(self) -> dict[str, set[tuple[str, str]]]:
        """Return the pins of each net, as pairs of part and pin."""
        pins: dict[str, set[tuple[str, str]]] = {}
        for part in self.parts.values():
            for pin, net in part.nets.items():
                pins.setdefault(net, set()).add((part.ref, pin))
        return pins


def _jack(table: dict[str, Any], nets: dict[str, str]) -> dict[str, str]:
    return {f"p{contact}": nets[what] for contact, what in table["contacts"].items()}


def station(table: dict[str, Any]) -> Circuit:
    """Return a station: four sensors, a light and a jack."""
    circuit = Circuit("station")
    wires = {"supply": SENSORS, "ground": GND, "light": "LIGHT"}
    wires |= {f"power {n}": f"POWER{n}" for n in range(4)}
    circuit.add("J1", "jack", "54602-908LF", **_jack(table, wires))
    for n in range(4):
        circuit.add(
            f"HS{n + 1}", "sensor", table["sensor"]["part"], p1=SENSORS, p2=f"POWER{n}", p3=GND
        )
        circuit.add(f"C{n + 1}", "capacitor", "100 nF", p1=SENSORS, p2=GND)
    circuit.add("D1", "light", "TLLR5400", p1=GND, p2="LIGHT")
    return circuit


def main_board(table: dict[str, Any]) -> Circuit:
    """Return the main board: a Pico, two multiplexers and a jack for each place."""
    circuit = Circuit("main")
    pins, places = table["pins"], table["main_box"]["places"]
    pico = {f"p{pin}": GND for pin in PICO_GROUNDS}
    pico |= {f"p{PICO_USB}": USB, f"p{PICO_LOGIC}": LOGIC}

    def wire(gpio: int, net: str) -> str:
        pico[f"p{PICO_PIN[gpio]}"] = net
        return net

    address = [wire(gpio, f"S{n}") for n, gpio in enumerate(pins["address"])]
    signal = [wire(gpio, f"SIG_{'ABC'[n]}") for n, gpio in enumerate(pins["signal"])]
    lights = [wire(gpio, f"GP{gpio}") for gpio in pins["lights"]]
    buzzer, service = wire(pins["buzzer"], "BUZZER"), wire(pins["service"], "SERVICE")
    circuit.add("A1", "pico", "Raspberry Pi Pico", **pico)

    muxes = places * 4 // CHANNELS
    for mux in range(muxes):
        nets = {f"p{MUX_INPUTS[n]}": f"IN{mux * CHANNELS + n}" for n in range(CHANNELS)}
        nets |= {f"p{pin}": net for pin, net in zip(MUX_ADDRESS, address, strict=True)}
        nets |= {f"p{MUX_COMMON}": signal[mux], f"p{MUX_SUPPLY}": LOGIC}
        nets |= {f"p{MUX_GND}": GND, f"p{MUX_ENABLE}": GND}
        circuit.add(f"MUX{mux + 1}", "multiplexer", "CD74HC4067M", **nets)
        circuit.add(f"C{mux + 3}", "capacitor", "100 nF", p1=LOGIC, p2=GND)
        circuit.add(f"R{mux + 1}", "resistor", "22 kΩ", p1=signal[mux], p2=GND)
    for place in range(places):
        wires = {"supply": SENSORS, "ground": GND, "light": f"LIGHT{place}"}
        wires |= {f"power {n}": f"P{place}_{n}" for n in range(4)}
        circuit.add(f"J{place + 1}", "jack", "54602-908LF", **_jack(table, wires))
        for n in range(4):
            number = 4 * place + n
            circuit.add(
                f"R{10 * (place + 1) + n}",
                "resistor",
                "220 Ω",
                p1=f"P{place}_{n}",
                p2=f"IN{number}",
            )
        circuit.add(
            f"R{10 * (place + 1) + 4}", "resistor", "470 Ω", p1=f"LIGHT{place}", p2=lights[place]
        )
    circuit.add("VR1", "regulator", "MCP1826S-3302E/DB", p1=USB, p2=GND, p3=SENSORS)
    circuit.add("C1", "capacitor", "1 µF", p1=USB, p2=GND)
    circuit.add("C2", "capacitor", "1 µF", p1=SENSORS, p2=GND)
    circuit.add("R3", "resistor", "100 Ω", p1=buzzer, p2="PIEZO")
    circuit.add("BZ1", "piezo", "PS1240P02BT", p1="PIEZO", p2=GND)
    circuit.add("JP1", "jumper", "service", p1=service, p2=GND)
    more = [SENSORS, LOGIC, GND, GND, *address, signal[2], *lights[places:]]
    circuit.add("J10", "header", "seats 8-10", **{f"p{n + 1}": net for n, net in enumerate(more)})
    return circuit
