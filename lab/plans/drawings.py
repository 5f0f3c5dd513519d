"""``python -m lab.plans drawings``: the pictures of the building instructions, as SVG files."""

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from lab.plans.boards import boards
from lab.plans.kicad_board import board_copper
from lab.plans.layout import Board
from lab.plans.router import Track
from lab.plans.table import FOLDER, nominal_gap, read_table

STYLE = """
text{font:3.2px sans-serif;fill:#1b1f24}.s{font-size:2.2px}.b{font-weight:bold}.paper{fill:#fff}
.board{fill:#2f6b46}.top{stroke:#c98a3c;opacity:.55}.low{stroke:#4a7fb5;opacity:.45}
.pad{fill:#d9c27a}.hole{fill:#fff}
.body{fill:#1b1f24;fill-opacity:.32;stroke:#f2f2f2;stroke-width:.2}
.under{fill:none;stroke:#f2c14e;stroke-width:.35;stroke-dasharray:1.2 .8}
.n{fill:#fff;font-size:2.1px}.m{font-size:1.25px}.l{fill:#fff;font-size:3px;font-weight:bold}
.print{fill:#e7d7b8;stroke:#7c5c2e;stroke-width:.25}
.foot{fill:#d6dce6;stroke:#374151;stroke-width:.25}
.magnet{fill:#8b929c;stroke:#111827;stroke-width:.25}.chip{fill:#1b1f24}
.dim{stroke:#b91c1c;stroke-width:.25;fill:none}.red{fill:#b91c1c}
"""
CONTACTS = (
    *("orange-white", "orange", "green-white", "blue"),
    *("blue-white", "green", "brown-white", "brown"),
)


def svg(width: float, height: float, title: str, body: Iterator[str], scale: float) -> str:
    """Return a drawing; width and height in its own units."""
    size = f'width="{width * scale:.0f}" height="{height * scale:.0f}" role="img"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" {size}>',
        f"<title>{title}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{width:g}" height="{height:g}"/>',
        *body,
        "</svg>",
        "",
    ]
    return "\n".join(lines)


def board_picture(board: Board, tracks: list[Track]) -> Iterator[str]:
    """Yield a board as seen from above, with all parts and their names."""
    yield f'<rect class="board" width="{board.width:g}" height="{board.height:g}" rx="1"/>'
    for layer, kind in ((1, "low"), (0, "top")):
        for track in tracks:
            if track.layer == layer:
                yield (
                    f'<path class="{kind}" stroke-width="{track.width:g}" stroke-linecap="round"'
                    f' d="M{track.x1:g} {track.y1:g}L{track.x2:g} {track.y2:g}"/>'
                )
    for pad in board.pads():
        if pad.pad.name:
            corner = 0 if pad.pad.square else min(pad.width, pad.height) / 2
            yield (
                f'<rect class="pad" x="{pad.x - pad.width / 2:.3f}"'
                f' y="{pad.y - pad.height / 2:.3f}" width="{pad.width:g}" height="{pad.height:g}"'
                f' rx="{corner:g}"/>'
            )
        if pad.pad.drill:
            yield f'<circle class="hole" cx="{pad.x:g}" cy="{pad.y:g}" r="{pad.pad.drill / 2:g}"/>'
    for ref, place in board.places.items():
        part = board.circuit.parts.get(ref)
        if part is None:
            continue
        left, top, right, bottom = place.box(board.footprint(ref).body)
        body = "under" if place.below else "body"
        yield (
            f'<rect class="{body}" x="{left:.2f}" y="{top:.2f}" width="{right - left:.2f}"'
            f' height="{bottom - top:.2f}"/>'
        )
        small = part.kind in ("resistor", "capacitor")
        y = (top + bottom) / 2 + (-1.4 if place.below else 0.8)
        if small:
            y = bottom + 1.7
        elif part.kind == "sensor":
            y = top - 1.0
        kind = "n m" if small else "n"
        x = (left + right) / 2
        name = f"{ref}, on the underside" if place.below else ref
        yield f'<text class="{kind}" x="{x:.2f}" y="{y:.2f}" text-anchor="middle">{name}</text>'
    for text, x, y, below in board.legends:
        if not below:
            kind = "n" if len(text) < 3 or len(text) > 20 else "l"
            yield f'<text class="{kind}" x="{x:g}" y="{y + 1:g}" text-anchor="middle">{text}</text>'


def reach(board: Board) -> float:
    """Return how far parts stand out over the lower edge, millimetres."""
    lower = [place.box(board.footprint(ref).body)[3] for ref, place in board.places.items()]
    return max(0.0, round(max(lower) - board.height, 1) + 0.5)


def section(table: dict[str, Any]) -> Iterator[str]:
    """Yield a socket cut through, with the dimensions that decide."""

    def mm(part: str, name: str) -> float:
        return float(table[part][name]["mm"])

    zoom, middle = 3.0, 70.0
    floor_top = 34.0  # y on the paper, where foot and socket meet

    def box(kind: str, x: float, width: float, low: float, height: float) -> str:
        """A rectangle; ``low`` is its underside above the socket's bottom."""
        return (
            f'<rect class="{kind}" x="{middle + x * zoom:.2f}" width="{width * zoom:.2f}"'
            f' y="{floor_top - (low + height) * zoom:.2f}" height="{height * zoom:.2f}"/>'
        )

    half, wall = mm("socket", "side") / 2, 4.0
    floor, air, skin = mm("gap", "floor"), mm("gap", "air"), mm("gap", "skin")
    thick, element = mm("station", "board_thickness"), mm("gap", "element")
    key = table["keys"]["O"] / 2
    yield box("print", -half - wall, 2 * half + 2 * wall, -floor, floor)
    for x in (-half - wall, half):
        yield box("print", x, wall, 0, mm("socket", "depth"))
    foot = mm("foot", "side") / 2
    yield box("foot", -foot, 2 * foot, 0, mm("foot", "height"))
    hole = mm("foot", "hole_diameter")
    peg = mm("socket", "peg_diameter")
    for x in (-key, key):
        yield box("paper", x - hole / 2, hole, 0, mm("foot", "hole_depth"))
        yield box("print", x - peg / 2, peg, 0, mm("socket", "peg_height"))
    pocket = mm("foot", "magnet_pocket_diameter")
    yield box("paper", -pocket / 2, pocket, skin, mm("foot", "height") - skin)
    across = mm("magnet", "diameter")
    yield box("magnet", -across / 2, across, skin, mm("magnet", "thickness"))
    yield box("board", -half - wall, 2 * half + 2 * wall, -floor - air - thick, thick)
    yield box("chip", -0.65, 1.3, -floor - air, 1.0)
    y = floor_top + (floor + air - element) * zoom
    yield f'<circle class="red" cx="{middle}" cy="{y:.2f}" r="0.9"/>'

    def dimension(
        x: float, high: float, low: float, text: str, shift: float = 0.0
    ) -> Iterator[str]:
        a, b = floor_top - high * zoom, floor_top - low * zoom
        ends = f"M{x - 1.5} {a:.2f}h3M{x - 1.5} {b:.2f}h3"
        yield f'<path class="dim" d="{ends}M{x} {a:.2f}V{b:.2f}"/>'
        yield f'<text class="red" x="{x + 2.5}" y="{(a + b) / 2 + 1.1 + shift:.2f}">{text}</text>'

    right = middle + (half + wall) * zoom + 4
    yield from dimension(right, skin, 0, f"{skin:g} skin under the magnet", -1.6)
    yield from dimension(right, 0, -floor, f"{floor:g} bottom of the socket", 0.6)
    yield from dimension(right, -floor, -floor - air, f"{air:g} air")
    yield from dimension(right, -floor - air, -floor - air - thick, f"{thick:g} circuit board")
    yield from dimension(right + 48, skin, -floor - air + element, f"gap {nominal_gap(table):.1f}")
    yield from dimension(right, mm("socket", "depth"), 0, f"{mm('socket', 'depth'):g} recess", -3)
    yield (
        f'<text x="{middle + 3:.1f}" y="{y + 1.2:.2f}" class="red s">'
        f"sensing element, {element:g} above the board</text>"
    )
    for text, x, at in (
        ("foot", -foot + 1, mm("foot", "height") - 2.2),
        ("magnet", -2.9, skin + 1.1),
        ("peg", -key - 1.5, 3.0),
        ("plate", -half - wall + 0.2, 4.0),
    ):
        y = floor_top - at * zoom
        yield f'<text class="s" x="{middle + x * zoom:.2f}" y="{y:.2f}">{text}</text>'


def wiring(table: dict[str, Any]) -> Iterator[str]:
    """Yield both ends of a cable, contact by contact, and what is behind them."""
    names = {
        "supply": "3.3 V for the sensors, from VR1",
        "ground": "GND",
        "light": "light, through 470 Ω",
    }
    powers = ("U, red", "N, blue", "O, green", "!, yellow")
    yield '<text class="b" x="6" y="8">main board, jack J1 … J8</text>'
    yield '<text class="b" x="132" y="8">station, jack J1</text>'
    for n, (contact, what) in enumerate(table["contacts"].items()):
        y = 18 + 9 * n
        if what.startswith("power"):
            power = int(what[-1])
            left = f"input 4 × place + {power}, through 220 Ω"
            right = f"OUT of HS{power + 1}: {powers[power]}"
        else:
            left = names[what]
            right = {"supply": "VCC of HS1 … HS4", "ground": "GND", "light": "long leg of D1"}[what]
        yield f'<text x="68" y="{y + 1}" text-anchor="end">{left}</text>'
        for x in (71, 121):
            yield f'<rect class="foot" x="{x}" y="{y - 3}" width="8" height="6"/>'
            yield f'<text class="b" x="{x + 4}" y="{y + 1.2}" text-anchor="middle">{contact}</text>'
        yield f'<path class="dim" d="M79 {y}H121"/>'
        yield f'<text class="s" x="100" y="{y - 0.8}" text-anchor="middle">{CONTACTS[n]}</text>'
        yield f'<text x="132" y="{y + 1}">{right}</text>'


def drawings(table: dict[str, Any]) -> dict[str, str]:
    """Return each drawing's text by the name of its file."""
    texts = {}
    for board in boards(table):
        name = board.circuit.name
        text = (FOLDER / "kicad" / f"{name}.kicad_pcb").read_text(encoding="utf-8")
        tracks, _ = board_copper(text)
        title = {"station": "The station's circuit board", "main": "The main circuit board"}[name]
        body = board_picture(board, tracks)
        texts[f"board-{name}.svg"] = svg(
            board.width, board.height + reach(board), f"{title}, from above", body, 8
        )
    texts["section.svg"] = svg(210, 62, "A socket with its foot, cut through", section(table), 4)
    texts["cable.svg"] = svg(178, 88, "The cable between main box and station", wiring(table), 4.5)
    return texts


def main(arguments: Sequence[str] | None = None) -> int:
    """Write all drawings into ``hardware/plans/pictures``."""
    argparse.ArgumentParser(prog="python -m lab.plans drawings", description=__doc__).parse_args(
        arguments
    )
    for name, text in drawings(read_table()).items():
        (FOLDER / "pictures" / name).write_text(text, encoding="utf-8")
    return 0
