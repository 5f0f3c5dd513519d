"""Reads KiCad's files back, to compare what stands in them with what was meant."""

import re
from collections.abc import Iterator
from typing import Any

from lab.plans.kicad_board import LAYERS, ORIGIN
from lab.plans.kicad_schematic import pins_of
from lab.plans.router import Track, Via

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)')


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
    (found,) = all_of(tree, kind)
    return found


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


def _point(part: list[Any]) -> tuple[float, float]:
    x, y = map(float, one_of(part, "at")[1:3])
    return round(x, 2), round(y, 2)
