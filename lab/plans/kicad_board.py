"""Writes a board as a KiCad file, by itself, and reads its copper back.

KiCad fills the ground areas in and checks it.
"""

import re
import uuid
from collections.abc import Iterator
from itertools import count
from typing import Any

from lab.plans.circuit import GND
from lab.plans.layout import JACK_MIDDLE, Board, PlacedPad
from lab.plans.router import CLEARANCE, TRACK, VIA, VIA_DRILL, Track, Via

LAYERS = ("F.Cu", "B.Cu")
ORIGIN = (50.0, 40.0)  # of the board on KiCad's sheet
THICK = 0.12
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)')

_HEAD = """(kicad_pcb (version 20211014) (generator pcbnew)
  (general (thickness {thickness}))
  (paper "A4")
  (title_block (title "{title}") (rev "1"))
  (layers
    (0 "F.Cu" signal) (31 "B.Cu" signal)
    (34 "B.Paste" user) (35 "F.Paste" user) (36 "B.SilkS" user "B.Silkscreen")
    (37 "F.SilkS" user "F.Silkscreen") (38 "B.Mask" user) (39 "F.Mask" user)
    (44 "Edge.Cuts" user) (46 "B.CrtYd" user "B.Courtyard") (47 "F.CrtYd" user "F.Courtyard")
    (48 "B.Fab" user) (49 "F.Fab" user)
  )
  (setup (pad_to_mask_clearance 0.05))"""


class _Names:
    """Identifiers that are the same each time the file is written."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._numbers = count()

    def __call__(self) -> str:
        return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self._name} {next(self._numbers)}"))


def write_board(
    board: Board, tracks: list[Track], vias: list[Via], title: str, thickness: float
) -> str:
    """Return the text of a ``.kicad_pcb``."""
    nets = ["", *sorted(board.circuit.nets())]
    number = {net: index for index, net in enumerate(nets)}
    name = _Names(board.circuit.name)
    lines = [_HEAD.format(title=title, thickness=thickness)]
    lines += [f'  (net {index} "{net}")' for index, net in enumerate(nets)]
    pads = board.pads()
    for ref in board.places:
        lines += _part(board, ref, [pad for pad in pads if pad.ref == ref], number, name)
    lines += _edge(board, name)
    for track in tracks:
        lines.append(
            f"  (segment (start {_at(track.x1, track.y1)}) (end {_at(track.x2, track.y2)})"
            f' (width {track.width:g}) (layer "{LAYERS[track.layer]}")'
            f" (net {number[track.net]}) (tstamp {name()}))"
        )
    for via in vias:
        lines.append(
            f"  (via (at {_at(via.x, via.y)}) (size {VIA}) (drill {VIA_DRILL})"
            f' (layers "F.Cu" "B.Cu") (net {number[via.net]}) (tstamp {name()}))'
        )
    for text, x, y, below in board.legends:
        side, mirrored = ("B", " (justify mirror)") if below else ("F", "")
        lines.append(
            f'  (gr_text "{text}" (at {_at(x, y)}) (layer "{side}.SilkS") (tstamp {name()})'
            f" (effects (font (size 1.2 1.2) (thickness 0.18)){mirrored}))"
        )
    for layer in LAYERS:
        lines += _ground(board, layer, number[GND], name)
    return "\n".join([*lines, ")", ""])


def write_project(name: str) -> str:
    """Return the text of a ``.kicad_pro``: the rules by which KiCad checks the board."""
    return (
        '{"board": {"design_settings": {"rules": {'
        f'"min_clearance": {CLEARANCE - 0.05}, "min_track_width": 0.2, '
        '"min_through_hole_diameter": 0.3, "min_via_diameter": 0.5, "min_via_annular_width": 0.1, '
        '"min_hole_to_hole": 0.25, "min_copper_edge_clearance": 0.3, "min_hole_clearance": 0.2, '
        '"min_silk_clearance": 0.0}}}, '
        f'"meta": {{"filename": "{name}.kicad_pro", "version": 1}}, '
        '"net_settings": {"classes": [{"name": "Default", '
        f'"clearance": {CLEARANCE - 0.05}, "track_width": {TRACK}, '
        f'"via_diameter": {VIA}, "via_drill": {VIA_DRILL}, '
        '"bus_width": 12.0, "wire_width": 6.0, "diff_pair_gap": 0.25, "diff_pair_via_gap": 0.25, '
        '"diff_pair_width": 0.2, "line_style": 0, "microvia_diameter": 0.3, "microvia_drill": 0.1, '
        '"pcb_color": "rgba(0, 0, 0, 0.000)", "schematic_color": "rgba(0, 0, 0, 0.000)"}], '
        '"meta": {"version": 2}}, "sheets": [], "text_variables": {}}\n'
    )


def _at(x: float, y: float) -> str:
    return f"{x + ORIGIN[0]:.4f} {y + ORIGIN[1]:.4f}"


def _part(
    board: Board, ref: str, pads: list[PlacedPad], number: dict[str, int], name: _Names
) -> Iterator[str]:
    place, footprint = board.places[ref], board.footprint(ref)
    part = board.circuit.parts.get(ref)
    side = "B" if place.below else "F"
    flip = -1 if place.below else 1
    turn = f" {place.turned}" if place.turned else ""
    yield f'  (footprint "{footprint.lib_id}" (layer "{side}.Cu") (tedit 0) (tstamp {name()})'
    yield f"    (at {_at(place.x, place.y)}{turn})"
    if part is None:
        yield "    (attr exclude_from_pos_files exclude_from_bom)"
    else:
        yield f"    (attr {'through_hole' if footprint.through else 'smd'})"
    mirrored = " (justify mirror)" if place.below else ""
    small = f"(effects (font (size 0.8 0.8) (thickness {THICK})){mirrored})"
    hide = " hide" if part is None else ""
    x, y, angle = _label(part.kind if part else "screw", place.turned)
    for kind, text, layer in (
        ("reference", ref, "SilkS"),
        ("value", part.value if part else "M2.5", "Fab"),
    ):
        yield (
            f'    (fp_text {kind} "{text}" (at {x:g} {flip * y:g} {angle})'
            f' (layer "{side}.{layer}"){hide} {small} (tstamp {name()}))'
        )
    for layer, area, width in (("CrtYd", footprint.room, 0.05), ("Fab", footprint.body, 0.1)):
        a, b, c, d = area
        yield (
            f"    (fp_rect (start {a:g} {flip * b:g}) (end {c:g} {flip * d:g})"
            f' (layer "{side}.{layer}") (width {width}) (fill none) (tstamp {name()}))'
        )
    for placed in pads:
        pad = placed.pad
        where = f"(at {pad.x:g} {flip * pad.y:g}{turn})"
        size = f"(size {pad.width:g} {pad.height:g})"
        shape = "rect" if pad.square else "circle"
        if not pad.name:
            kind, rest = "np_thru_hole", f"(drill {pad.drill:g}) (layers *.Cu *.Mask)"
        elif pad.drill:
            kind, rest = "thru_hole", f"(drill {pad.drill:g}) (layers *.Cu *.Mask)"
        else:
            kind, rest = "smd", f'(layers "{side}.Cu" "{side}.Paste" "{side}.Mask")'
        net = f' (net {number[placed.net]} "{placed.net}")' if placed.net else ""
        yield f'    (pad "{pad.name}" {kind} {shape} {where} {size} {rest}{net} (tstamp {name()}))'
    yield "  )"


def _label(kind: str, turned: int) -> tuple[float, float, int]:
    """Return where a part's name is written, so that it covers no copper; and its angle."""
    if kind in ("resistor", "capacitor"):
        # Rows of them stand close: the name goes to the end of the part.
        return (2.5, 0.0, 0) if turned % 180 else (0.0, -1.5, 0)
    spots = {"sensor": (0.0, -2.3), "light": (1.27, -3.8), "jack": (JACK_MIDDLE, 9.5)}
    spots |= {"piezo": (2.5, 3.5), "jumper": (0.0, -2.4), "header": (-2.4, 6.35)}
    return (*spots.get(kind, (0.0, 0.0)), 0)


def _edge(board: Board, name: _Names) -> Iterator[str]:
    yield (
        f"  (gr_rect (start {_at(0, 0)}) (end {_at(board.width, board.height)})"
        f' (layer "Edge.Cuts") (width 0.1) (fill none) (tstamp {name()}))'
    )


def _ground(board: Board, layer: str, net: int, name: _Names) -> Iterator[str]:
    inset = 0.5
    corners = [
        (inset, inset),
        (board.width - inset, inset),
        (board.width - inset, board.height - inset),
        (inset, board.height - inset),
    ]
    points = " ".join(f"(xy {_at(x, y)})" for x, y in corners)
    yield (
        f'  (zone (net {net}) (net_name "{GND}") (layer "{layer}")'
        f" (tstamp {name()}) (hatch edge 0.5)"
    )
    yield "    (connect_pads (clearance 0.25)) (min_thickness 0.25)"
    yield "    (fill (thermal_gap 0.3) (thermal_bridge_width 0.4))"
    yield f"    (polygon (pts {points})))"


def parse(text: str) -> list[Any]:
    """Return an s-expression as nested lists of strings. Raises ValueError."""
    stack: list[list[Any]] = [[]]
    for quoted, bracket, word in _TOKEN.findall(text):
        if bracket == "(":
            stack.append([])
        elif bracket == ")":
            if len(stack) < 2:
                raise ValueError("a bracket too many")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word or quoted)
    if len(stack) != 1 or len(stack[0]) != 1:
        raise ValueError("brackets that do not match")
    return list(stack[0][0])


def all_of(tree: list[Any], kind: str) -> Iterator[list[Any]]:
    """Yield the direct parts of one kind."""
    return (part for part in tree if isinstance(part, list) and part and part[0] == kind)


def one_of(tree: list[Any], kind: str) -> list[Any]:
    """Return the only part of a kind. Raises ValueError."""
    (entry,) = all_of(tree, kind)
    return entry


def board_copper(text: str) -> tuple[list[Track], list[Via]]:
    """Return the tracks and vias of a ``.kicad_pcb``."""
    tree = parse(text)
    names = {net[1]: net[2] for net in all_of(tree, "net")}
    tracks = []
    for part in all_of(tree, "segment"):
        layer = LAYERS.index(one_of(part, "layer")[1])
        ends = _on_board(one_of(part, "start")) + _on_board(one_of(part, "end"))
        width = float(one_of(part, "width")[1])
        tracks.append(Track(names[one_of(part, "net")[1]], layer, *ends, width))
    vias = [
        Via(names[one_of(part, "net")[1]], *_on_board(one_of(part, "at")))
        for part in all_of(tree, "via")
    ]
    return tracks, vias


def _on_board(part: list[Any]) -> tuple[float, float]:
    return round(float(part[1]) - ORIGIN[0], 4), round(float(part[2]) - ORIGIN[1], 4)
