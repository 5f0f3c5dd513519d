"""Widens the tracks that carry the supply, as far as the neighbours allow."""

from dataclasses import replace

from lab.plans.circuit import GND, LOGIC, SENSORS, USB
from lab.plans.layout import Board
from lab.plans.router import CLEARANCE, EDGE, TRACK, VIA, Track, Via

SUPPLIES = {GND, LOGIC, SENSORS, USB}
WIDTHS = (1.2, 1.0, 0.8, 0.6, 0.4)


def apart(one: Track, x1: float, y1: float, x2: float, y2: float) -> float:
    """Return the least distance between two straight pieces, by their middles."""
    if _cross(one.x1, one.y1, one.x2, one.y2, x1, y1, x2, y2):
        return 0.0
    return min(
        _to_point(x1, y1, x2, y2, one.x1, one.y1),
        _to_point(x1, y1, x2, y2, one.x2, one.y2),
        _to_point(one.x1, one.y1, one.x2, one.y2, x1, y1),
        _to_point(one.x1, one.y1, one.x2, one.y2, x2, y2),
    )


def widen(board: Board, tracks: list[Track], vias: list[Via]) -> list[Track]:
    """Return the tracks, those of supplies as wide as there is room."""
    pads = board.pads()
    done = list(tracks)
    for index, track in enumerate(done):
        if track.net not in SUPPLIES:
            continue
        room = 2 * min(
            min(x, y, board.width - x, board.height - y) - EDGE
            for x, y in ((track.x1, track.y1), (track.x2, track.y2))
        )
        for other in done:
            if other.net != track.net and other.layer == track.layer:
                gap = apart(track, other.x1, other.y1, other.x2, other.y2)
                room = min(room, 2 * (gap - other.width / 2 - CLEARANCE))
        for via in vias:
            if via.net != track.net:
                gap = apart(track, via.x, via.y, via.x, via.y)
                room = min(room, 2 * (gap - VIA / 2 - CLEARANCE))
        for pad in pads:
            if pad.net != track.net and track.layer in pad.layers:
                # A pad as its two diagonals and its edges: near enough, and never too near.
                a, b = pad.width / 2, pad.height / 2
                corners = [(-a, -b), (a, -b), (a, b), (-a, b)]
                gap = min(
                    apart(track, pad.x + x1, pad.y + y1, pad.x + x2, pad.y + y2)
                    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True)
                )
                room = min(room, 2 * (gap - CLEARANCE - (0.1 if not pad.pad.name else 0)))
        width = next((width for width in WIDTHS if width <= room + 1e-6), TRACK)
        done[index] = replace(track, width=width)
    return done


def _to_point(x1: float, y1: float, x2: float, y2: float, x: float, y: float) -> float:
    length = (x2 - x1) ** 2 + (y2 - y1) ** 2
    along = 0.0 if length == 0 else ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length
    along = min(max(along, 0.0), 1.0)
    return float(((x1 + along * (x2 - x1) - x) ** 2 + (y1 + along * (y2 - y1) - y) ** 2) ** 0.5)


def _cross(*p: float) -> bool:
    ax, ay, bx, by, cx, cy, dx, dy = p

    def side(px: float, py: float, qx: float, qy: float, rx: float, ry: float) -> float:
        return (qx - px) * (ry - py) - (qy - py) * (rx - px)

    return (
        side(ax, ay, bx, by, cx, cy) * side(ax, ay, bx, by, dx, dy) < 0
        and side(cx, cy, dx, dy, ax, ay) * side(cx, cy, dx, dy, bx, by) < 0
    )
