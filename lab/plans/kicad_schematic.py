"""Writes a circuit as a KiCad schematic: each part as a box, each pin with the name of its net."""

import uuid
from collections.abc import Callable, Iterator
from itertools import count

from lab.plans.circuit import Circuit, Part
from lab.plans.footprints import FOOTPRINTS

PITCH = 2.54
HALF = 12.7  # half a box's width
LEG = 5.08
COLUMN = 76.2
SHEET_HEIGHT = 380.0
# What each pin is called in its box; others show their number only.
PIN_NAMES = {
    "sensor": {"1": "VCC", "2": "OUT", "3": "GND"},
    "regulator": {"1": "VIN", "2": "GND", "3": "VOUT"},
    "light": {"1": "K", "2": "A"},
}
SUPPLIES = ("GND", "5V", "3V3", "3V3_SENSORS")


def write_schematic(circuit: Circuit, title: str) -> str:
    """Return the text of a ``.kicad_sch``."""
    numbers = count()

    def name() -> str:
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{circuit.name} {next(numbers)}"))

    root = name()
    lines = [
        f"(kicad_sch (version 20211123) (generator eeschema) (uuid {root})",
        f'  (paper "A2") (title_block (title "{title}") (rev "1"))',
        "  (lib_symbols",
    ]
    kinds = sorted({part.kind for part in circuit.parts.values()})
    for kind in kinds:
        lines += _symbol(kind)
    lines += [*_flag_symbol(), "  )"]
    instances = []
    x, y = 50.8, 38.1
    for part in circuit.parts.values():
        pins = pins_of(part.kind)
        rows = (len(pins) + 1) // 2
        height = (rows + 2) * PITCH
        if y + height > SHEET_HEIGHT:
            x, y = x + COLUMN, 38.1
        where = (round(x, 2), round(y + (rows - 1) * PITCH / 2, 2))
        where = (_grid(where[0]), _grid(where[1]))
        identity = name()
        lines += _instance(part, where, identity, name)
        instances.append((identity, part.ref, part.value, FOOTPRINTS[part.kind].lib_id))
        for pin, (px, py, side) in pins.items():
            at = f"{where[0] + px:.2f} {where[1] - py:.2f}"
            if pin in part.nets:
                turn, justify = (180, "right") if side < 0 else (0, "left")
                lines.append(
                    f'  (global_label "{part.nets[pin]}" (shape passive) (at {at} {turn})'
                    f" (effects (font (size 1.27 1.27)) (justify {justify})) (uuid {name()}))"
                )
            else:
                lines.append(f"  (no_connect (at {at}) (uuid {name()}))")
        y += height + 2 * PITCH
    used = circuit.nets()
    for index, net in enumerate(net for net in SUPPLIES if net in used):
        flag, ref = name(), f"#FLG{index + 1:02}"
        at = f"{_grid(25.4)} {_grid(50.8 + index * 12.7)}"
        lines += _flag(at, flag, ref, name())
        lines.append(
            f'  (global_label "{net}" (shape passive) (at {at} 270)'
            f" (effects (font (size 1.27 1.27)) (justify right)) (uuid {name()}))"
        )
        instances.append((flag, ref, "PWR_FLAG", ""))
    lines += ['  (sheet_instances (path "/" (page "1")))', "  (symbol_instances"]
    lines += [
        f'    (path "/{identity}" (reference "{ref}") (unit 1)'
        f' (value "{value}") (footprint "{footprint}"))'
        for identity, ref, value, footprint in instances
    ]
    return "\n".join([*lines, "  )", ")", ""])


def pins_of(kind: str) -> dict[str, tuple[float, float, int]]:
    """Return for each pin where it ends, from the middle of its box, and its side; y upward."""
    names = list(dict.fromkeys(pad.name for pad in FOOTPRINTS[kind].pads if pad.name))
    rows = (len(names) + 1) // 2
    places = {}
    for index, pin in enumerate(names):
        side = -1 if index < rows else 1
        row = index if side < 0 else len(names) - 1 - index
        places[pin] = (side * (HALF + LEG), _grid((rows - 1) / 2 * PITCH) - row * PITCH, side)
    return places


def _grid(value: float) -> float:
    return round(round(value / 1.27) * 1.27, 2)


def _text(size: float = 1.27, hidden: bool = False) -> str:
    return f"(effects (font (size {size} {size})){' hide' if hidden else ''})"


def _symbol(kind: str) -> Iterator[str]:
    pins = pins_of(kind)
    top = max(y for _, y, _ in pins.values()) + PITCH
    low = min(y for _, y, _ in pins.values()) - PITCH
    yield f'    (symbol "board:{kind}" (in_bom yes) (on_board yes)'
    yield f'      (property "Reference" "X" (id 0) (at 0 {top + 1.27:.2f} 0) {_text()})'
    yield f'      (property "Value" "{kind}" (id 1) (at 0 {low - 1.27:.2f} 0) {_text()})'
    yield f'      (property "Footprint" "" (id 2) (at 0 0 0) {_text(hidden=True)})'
    yield f'      (property "Datasheet" "" (id 3) (at 0 0 0) {_text(hidden=True)})'
    yield f'      (symbol "{kind}_1_1"'
    yield (
        f"        (rectangle (start {-HALF} {top:.2f}) (end {HALF} {low:.2f})"
        " (stroke (width 0.254) (type default) (color 0 0 0 0)) (fill (type background)))"
    )
    for pin, (x, y, side) in pins.items():
        turn = 0 if side < 0 else 180
        shown = PIN_NAMES.get(kind, {}).get(pin, "~")
        yield (
            f"        (pin passive line (at {x:.2f} {y:.2f} {turn}) (length {LEG})"
            f' (name "{shown}" {_text()}) (number "{pin}" {_text()}))'
        )
    yield "      )"
    yield "    )"


def _flag_symbol() -> list[str]:
    return [
        '    (symbol "power:PWR_FLAG" (power) (in_bom no) (on_board no)',
        f'      (property "Reference" "#FLG" (id 0) (at 0 1.9 0) {_text(hidden=True)})',
        f'      (property "Value" "PWR_FLAG" (id 1) (at 0 3.8 0) {_text()})',
        f'      (property "Footprint" "" (id 2) (at 0 0 0) {_text(hidden=True)})',
        f'      (property "Datasheet" "" (id 3) (at 0 0 0) {_text(hidden=True)})',
        '      (symbol "PWR_FLAG_1_1"',
        (
            f'        (pin power_out line (at 0 0 90) (length 0) (name "pwr" {_text()})'
            f' (number "1" {_text()}))'
        ),
        "      )",
        "    )",
    ]


def _flag(at: str, identity: str, ref: str, pin: str) -> list[str]:
    x, y = at.split()
    return [
        (
            f'  (symbol (lib_id "power:PWR_FLAG") (at {at} 0) (unit 1) (in_bom no) (on_board no)'
            f" (uuid {identity})"
        ),
        f'    (property "Reference" "{ref}" (id 0) (at {x} {y} 0) {_text(hidden=True)})',
        f'    (property "Value" "PWR_FLAG" (id 1) (at {x} {float(y) - 3:.2f} 0) {_text()})',
        f'    (pin "1" (uuid {pin})))',
    ]


def _instance(
    part: Part, where: tuple[float, float], identity: str, name: Callable[[], str]
) -> Iterator[str]:
    pins = pins_of(part.kind)
    x, y = where
    top = y - max(py for _, py, _ in pins.values()) - PITCH
    low = y - min(py for _, py, _ in pins.values()) + PITCH
    lib_id = FOOTPRINTS[part.kind].lib_id
    yield (
        f'  (symbol (lib_id "board:{part.kind}") (at {x:.2f} {y:.2f} 0) (unit 1)'
        f" (in_bom yes) (on_board yes) (uuid {identity})"
    )
    above, under = f"{x:.2f} {top - 1.27:.2f} 0", f"{x:.2f} {low + 1.27:.2f} 0"
    yield f'    (property "Reference" "{part.ref}" (id 0) (at {above}) {_text()})'
    yield f'    (property "Value" "{part.value}" (id 1) (at {under}) {_text()})'
    hidden = f"(at {x:.2f} {y:.2f} 0) {_text(hidden=True)}"
    yield f'    (property "Footprint" "{lib_id}" (id 2) {hidden})'
    for pin in pins:
        yield f'    (pin "{pin}" (uuid {name()}))'
    yield "  )"
