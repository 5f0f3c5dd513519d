"""Each seat's colour in a picture, and a shape for readers who cannot see colours."""

import math
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

# Distinguishable with any kind of colour blindness (after Okabe and Ito), and dark on white.
COLORS = (
    *("#0072b2", "#c24d00", "#00805d", "#b3508a", "#8a6d00"),
    *("#2f8fc4", "#6a3d9a", "#1c1b19", "#9b2d2d", "#6b6b6b"),
)
# corners, first corner (in turns, clockwise from the top), inner radius as a share of the outer
SHAPES: Sequence[tuple[int, float, float]] = (
    (24, 0.0, 1.0),
    (4, 0.125, 1.0),
    (3, 0.0, 1.0),
    (4, 0.0, 1.0),
    (3, 0.5, 1.0),
    (5, 0.0, 0.42),
    (6, 0.0, 1.0),
    (4, 0.0, 0.3),
    (4, 0.125, 0.3),
    (3, 0.25, 1.0),
)


def color(seat: int) -> str:
    """Return the colour of a seat, from 1."""
    return COLORS[(seat - 1) % len(COLORS)]


def mark(parent: Element, seat: int, x: float, y: float, size: float) -> None:
    """Draw the shape of a seat around a point."""
    corners, first, inner = SHAPES[(seat - 1) % len(SHAPES)]
    SubElement(
        parent,
        "polygon",
        {
            "points": polygon(x, y, size, corners, first, inner),
            "fill": color(seat),
            "stroke": "#fff",
            "stroke-width": "1.5",
        },
    )


def polygon(x: float, y: float, size: float, corners: int, first: float, inner: float = 1.0) -> str:
    """Return the points of a polygon or star around a point; see ``SHAPES``."""
    points = []
    for i in range(2 * corners):
        away = size if i % 2 == 0 else size * (inner if inner < 1 else math.cos(math.pi / corners))
        turn = 2 * math.pi * (first + i / (2 * corners))
        points.append(f"{x + away * math.sin(turn):.1f},{y - away * math.cos(turn):.1f}")
    return " ".join(points)
