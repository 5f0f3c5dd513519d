"""Checks of a board without KiCad: that copper joins each net as meant, and keeps its distance."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from lab.plans.kicad_board import all_of, one_of, parse
from lab.plans.kicad_schematic import pins_of
from lab.plans.layout import Board, PlacedPad
from lab.plans.router import CLEARANCE, VIA, Track, Via, apart

NEAR = 1e-3
LEAST = CLEARANCE - 0.05  # what KiCad is told, too


def overlaps(board: Board) -> Iterator[str]:
    """Yield pairs of parts on one side that want the same room."""
    rooms = {ref: place.box(board.footprint(ref).room) for ref, place in board.places.items()}
    for one, two in combinations(board.places, 2):
        a, b = rooms[one], rooms[two]
        same_side = board.places[one].below == board.places[two].below
        if same_side and a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
            yield f"{one} and {two}"


def unjoined(board: Board, tracks: list[Track], vias: list[Via]) -> Iterator[str]:
    """Yield nets whose pads the tracks and vias do not join, ground areas not counted."""
    for net in sorted(board.circuit.nets()):
        pads = [pad for pad in board.pads() if pad.net == net]
        own = [track for track in tracks if track.net == net]
        holes = [via for via in vias if via.net == net]
        things: list[PlacedPad | Track | Via] = [*pads, *own, *holes]
        group = list(range(len(things)))

        def root(n: int, group: list[int] = group) -> int:
            while group[n] != n:
                n = group[n]
            return n

        for (i, one), (j, two) in combinations(enumerate(things), 2):
            if _touch(one, two):
                group[root(i)] = root(j)
        if len({root(n) for n in range(len(pads))}) > 1:
            yield net


def too_near(board: Board, tracks: list[Track], vias: list[Via]) -> Iterator[str]:
    """Yield what of different nets is nearer than ``LEAST``."""
    for one, two in combinations(tracks, 2):
        if one.net != two.net and one.layer == two.layer:
            gap = apart(one, two.x1, two.y1, two.x2, two.y2) - (one.width + two.width) / 2
            if gap < LEAST:
                yield f"{one} and {two}"
    for via in vias:
        for track in tracks:
            gap = apart(track, via.x, via.y, via.x, via.y) - (track.width + VIA) / 2
            if via.net != track.net and gap < LEAST:
                yield f"{via} and {track}"
    for one_via, two_via in combinations(vias, 2):
        gap = _distance(one_via, two_via) - VIA
        if one_via.net != two_via.net and gap < LEAST:
            yield f"{one_via} and {two_via}"
    for pad in board.pads():
        for track in tracks:
            if pad.net != track.net and track.layer in pad.layers:
                gap = _from_pad(pad, track) - track.width / 2
                if gap < LEAST:
                    yield f"{pad.ref} {pad.pad.name} and {track}"
        for via in vias:
            if pad.net != via.net and pad.distance(via.x, via.y) - VIA / 2 < LEAST:
                yield f"{pad.ref} {pad.pad.name} and {via}"


def _from_pad(pad: PlacedPad, track: Track) -> float:
    if pad.distance(track.x1, track.y1) == 0 or pad.distance(track.x2, track.y2) == 0:
        return 0.0
    a, b = pad.width / 2, pad.height / 2
    corners = [(-a, -b), (a, -b), (a, b), (-a, b)]
    return min(
        apart(track, pad.x + x1, pad.y + y1, pad.x + x2, pad.y + y2)
        for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True)
    )


def _distance(one: Via, two: Via) -> float:
    return float(((one.x - two.x) ** 2 + (one.y - two.y) ** 2) ** 0.5)


def _touch(one: PlacedPad | Track | Via, two: PlacedPad | Track | Via) -> bool:
    if isinstance(two, PlacedPad):
        one, two = two, one
    if isinstance(one, PlacedPad):
        if isinstance(two, Track):
            return two.layer in one.layers and _from_pad(one, two) < NEAR
        return isinstance(two, Via) and one.distance(two.x, two.y) < NEAR
    if isinstance(two, Track):
        one, two = two, one
    if isinstance(one, Track):
        if isinstance(two, Track):
            return one.layer == two.layer and apart(one, two.x1, two.y1, two.x2, two.y2) < NEAR
        return isinstance(two, Via) and apart(one, two.x, two.y, two.x, two.y) < NEAR
    return False


def schematic_nets(text: str) -> tuple[dict[str, set[tuple[str, str]]], set[tuple[str, str]]]:
    """Return the pins of each net, and the pins marked as not connected.

    Raises ValueError for a pin that has neither, or a label or mark where no pin ends.
    """
    tree = parse(text)
    ends: dict[tuple[float, float], tuple[str, str]] = {}
    for symbol in all_of(tree, "symbol"):
        kind = one_of(symbol, "lib_id")[1].partition(":")
        x, y = map(float, one_of(symbol, "at")[1:3])
        (ref,) = (p[2] for p in all_of(symbol, "property") if p[1] == "Reference")
        pins = {"1": (0.0, 0.0, 0)} if kind[0] == "power" else pins_of(kind[2])
        for pin, (px, py, _) in pins.items():
            point = (round(x + px, 2), round(y - py, 2))
            if point in ends:
                raise ValueError(f"{ref} and {ends[point][0]} touch at {point}")
            ends[point] = (ref, pin)
    nets: dict[str, set[tuple[str, str]]] = {}
    for label in all_of(tree, "global_label"):
        nets.setdefault(label[1], set()).add(ends.pop(_point(label)))
    loose = {ends.pop(_point(mark)) for mark in all_of(tree, "no_connect")}
    if ends:
        raise ValueError(f"pins that nothing names: {sorted(ends.values())}")
    return nets, loose


def board_nets(text: str) -> dict[str, set[tuple[str, str]]]:
    """Return the pads of each net of a ``.kicad_pcb``."""
    nets: dict[str, set[tuple[str, str]]] = {}
    for footprint in all_of(parse(text), "footprint"):
        (ref,) = (t[2] for t in all_of(footprint, "fp_text") if t[1] == "reference")
        for pad in all_of(footprint, "pad"):
            for net in all_of(pad, "net"):
                nets.setdefault(net[2], set()).add((ref, pad[1]))
    return nets


def _point(part: list[Any]) -> tuple[float, float]:
    x, y = map(float, one_of(part, "at")[1:3])
    return round(x, 2), round(y, 2)
