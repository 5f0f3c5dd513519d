"""The chart of a game: a line per seat with its score after each round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from referee.api.scoresheet.marks import color, mark

LINES = 5
MOST_NUMBERS = 12
MOST_MARKS = 30
FAINT, TEXT = "#d9d5cc", "#5c5850"


@dataclass(frozen=True, slots=True)
class Box:
    """The area of a chart, in the picture's units."""

    x: float
    y: float
    width: float
    height: float


def step(most: int) -> int:
    """Return the distance of grid lines up to ``most``: 1, 2 or 5 times a power of ten."""
    rough = max(1, -(-most // LINES))
    power = int(10 ** (len(str(rough)) - 1))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= rough)


Course = Sequence[tuple[int, int]]


def courses(rounds: Sequence[Mapping[str, Any]]) -> list[Course]:
    """Return each seat's course: rounds played so far and score, from where the seat came in."""
    by_seat: list[Course] = []
    for seat in range(len(rounds[0]["scores"])):
        course: list[tuple[int, int]] = []
        for number, played in enumerate(rounds, 1):
            score = played["scores"][seat]
            if score is not None:
                if not course:
                    course.append((number - 1, score - (played["points"][seat] or 0)))
                course.append((number, score))
        by_seat.append(course)
    return by_seat


def draw_chart(
    parent: Element, box: Box, by_seat: Sequence[Course], rounds: int, target: int
) -> None:
    """Draw the course of each seat over the rounds, with a dashed line at the target."""
    top = max([1, *(points for course in by_seat for _, points in course)])
    distance = step(top)
    high = -(-top // distance) * distance

    def at(number: int, points: int) -> tuple[float, float]:
        return (box.x + box.width * number / rounds, box.y + box.height * (1 - points / high))

    _grid(parent, box, high, distance)
    every = -(-rounds // MOST_NUMBERS)
    for number in range(0, rounds + 1, every):
        x, _ = at(number, 0)
        write(parent, str(number), x, box.y + box.height + 34, anchor="middle")
    if 0 < target <= high:
        _, y = at(0, target)
        _line(parent, box.x, y, box.x + box.width, y, {"stroke": TEXT, "stroke-dasharray": "3 7"})
    for seat in range(len(by_seat), 0, -1):
        points = [at(number, score) for number, score in by_seat[seat - 1]]
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        look = {"fill": "none", "stroke": color(seat), "stroke-width": "5"}
        SubElement(parent, "polyline", {"points": drawn, "stroke-linejoin": "round", **look})
        marked = points[1:] if rounds <= MOST_MARKS else points[-1:]
        for x, y in marked:
            mark(parent, seat, x, y, 11)


def _grid(parent: Element, box: Box, high: int, distance: int) -> None:
    for points in range(0, high + 1, distance):
        y = box.y + box.height * (1 - points / high)
        _line(parent, box.x, y, box.x + box.width, y, {"stroke": FAINT})
        write(parent, str(points), box.x - 14, y + 8, anchor="end")


def _line(
    parent: Element, x1: float, y1: float, x2: float, y2: float, look: dict[str, str]
) -> None:
    ends = {"x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
    SubElement(parent, "line", {**ends, "stroke-width": "2", **look})


def write(
    parent: Element,
    text: str,
    x: float,
    y: float,
    size: int = 24,
    anchor: str = "start",
    fill: str = TEXT,
    weight: str = "400",
) -> None:
    """Write a line of text, leaving out characters that XML cannot hold."""
    look = {"font-size": str(size), "text-anchor": anchor, "fill": fill, "font-weight": weight}
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}"}
    # Isolated, so that a right-to-left name does not affect its surroundings.
    element = SubElement(parent, "text", {**place, **look, "unicode-bidi": "isolate"})
    element.text = "".join(letter for letter in text if letter.isprintable())
