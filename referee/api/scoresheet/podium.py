"""The podium of a score sheet, and the fan of cards above it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from referee.api.scoresheet.chart import Box, write
from referee.api.scoresheet.marks import color, mark, polygon
from referee.api.scoresheet.teams import teams_of

# Ways to score in which fewer points are better.
LOWEST_WINS = ("low", "elimination")
STEPS = 3
# Who stands where, seen from the front, by how many stand there.
ORDERS = {1: (0,), 2: (1, 0), 3: (1, 0, 2)}
HEIGHTS = (320, 244, 178)
WIDEST, GAP, ABOVE = 300, 20, 170
NAME_SIZES = ((10, 36), (14, 28), (19, 22))
LONGEST = NAME_SIZES[-1][0]
CROWN = ((-30, 0), (-36, -34), (-15, -16), (0, -42), (15, -16), (36, -34), (30, 0))
# The four colours of the cards, each with its shape: corners, the first one's turn, and a number.
CARDS = (
    ("#cc212e", 3, 0.0, "7"),
    ("#ffc61a", 24, 0.0, "4"),
    ("#14a04b", 4, 0.0, "2"),
    ("#3b82f6", 4, 0.125, "9"),
)
CARD_WIDTH, CARD_HEIGHT = 100, 150
# From the lower edge of a card to where it is held, and the degrees between two cards.
REACH, TURN = 150, 15


@dataclass(frozen=True, slots=True)
class Side:
    """A seat, or a team of seats, as it stands in the end; equals share a place, from 1."""

    seats: tuple[int, ...]
    name: str
    points: int
    won: bool
    place: int


def ranking(sheet: Mapping[str, Any]) -> list[Side]:
    """Return the sides of a sheet, best first: the teams if there are any, or the seats."""
    names: Sequence[str] = sheet["seats"]
    teams = [(team.seats, team.names(names), team.points) for team in teams_of(sheet)]
    return _ranked(sheet, teams) if teams else seats_alone(sheet)


def seats_alone(sheet: Mapping[str, Any]) -> list[Side]:
    """Return the seats of a sheet, best first, whoever plays together.

    Who came after the last round has no place.
    """
    rounds = [played["points"] for played in sheet["rounds"]]
    scored = enumerate(zip(sheet["seats"], sheet["scores"], strict=True), 1)
    sides = [
        ((seat,), name, points)
        for seat, (name, points) in scored
        if not rounds or any(brought[seat - 1] is not None for brought in rounds)
    ]
    return _ranked(sheet, sides)


def _ranked(
    sheet: Mapping[str, Any], sides: Sequence[tuple[tuple[int, ...], str, int]]
) -> list[Side]:
    winner = sheet["winner"]
    winners = winner if isinstance(winner, list) else [winner]
    best = 1 if sheet["scoring"] in LOWEST_WINS else -1
    placed: list[Side] = []
    for won, points, seats, name in sorted(
        (
            (any(seat in winners for seat in seats), points, seats, name)
            for seats, name, points in sides
        ),
        key=lambda side: (not side[0], best * side[1]),
    ):
        # Who wins together is first together.
        last = placed[-1] if placed else None
        equal = last is not None and last.won == won and (won or last.points == points)
        place = last.place if last is not None and equal else len(placed) + 1
        placed.append(Side(seats, name, points, won, place))
    return placed


def on_steps(sides: Sequence[Side]) -> int:
    """Return how many of the sides, best first, stand on steps: equals together, or not at all."""
    fits = (side for side in sides if sum(other.place <= side.place for other in sides) <= STEPS)
    return sum(1 for _ in fits)


def draw_podium(parent: Element, up: Sequence[Side], box: Box, *, points: bool) -> int:
    """Draw up to three sides on steps in the colours of their seats; return the y below.

    Their ``points`` are written where the game has any.
    """
    wide = min(WIDEST, (box.width - GAP * (STEPS - 1)) / STEPS)
    whole = len(up) * wide + (len(up) - 1) * GAP
    floor = box.y + ABOVE + HEIGHTS[0]
    for at, side in enumerate(up):
        column = ORDERS[len(up)].index(at)
        height = HEIGHTS[side.place - 1]
        left = box.x + (box.width - whole) / 2 + column * (wide + GAP)
        middle, top = left + wide / 2, floor - height
        outline = _step(left, top, wide, height)
        SubElement(parent, "path", {"d": outline, "fill": color(side.seats[0])})
        for number, seat in enumerate(side.seats):
            x = middle + 52 * (number - (len(side.seats) - 1) / 2)
            mark(parent, seat, x, top - 76, 22)
        size = next((size for most, size in NAME_SIZES if len(side.name) <= most), 22)
        write(parent, short(side.name, LONGEST), middle, top - 20, size, "middle", "#161a2c", "800")
        if side.won:
            _crown(parent, middle, top - 112)
        write(parent, str(side.place), middle, top + 62, 44, "middle", "#ffffff", "800")
        size = 64 if len(str(side.points)) <= len("1000") else 48
        if points:
            write(parent, str(side.points), middle, floor - 32, size, "middle", "#ffffff", "800")
    return round(floor)


def draw_fan(parent: Element, x: float, y: float) -> None:
    """Draw a hand of four cards, one of each colour, held at a point below them."""
    for at, (fill, corners, first, number) in enumerate(CARDS):
        turn = TURN * (at - (len(CARDS) - 1) / 2)
        card = SubElement(parent, "g", {"transform": f"rotate({turn:.1f} {x:.0f} {y:.0f})"})
        left, top = x - CARD_WIDTH / 2, y - CARD_HEIGHT - REACH
        place = {"x": f"{left:.0f}", "y": f"{top:.0f}", "width": str(CARD_WIDTH)}
        edge = {"height": str(CARD_HEIGHT), "rx": "13", "fill": fill, "stroke": "#ffffff"}
        SubElement(card, "rect", {**place, **edge, "stroke-width": "6"})
        middle = top + CARD_HEIGHT / 2
        stone = polygon(x, middle, 44, corners, first)
        SubElement(card, "polygon", {"points": stone, "fill": "#ffffff", "fill-opacity": "0.28"})
        write(card, number, x, middle + 22, 62, "middle", "#ffffff", "800")


def short(text: str, longest: int) -> str:
    """Return a text of at most so many letters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _crown(parent: Element, x: float, y: float) -> None:
    points = " ".join(f"{x + right:.1f},{y + down:.1f}" for right, down in CROWN)
    look = {"fill": "#ffc61a", "stroke": "#8a6d00", "stroke-width": "3", "stroke-linejoin": "round"}
    SubElement(parent, "polygon", {"points": points, **look})


def _step(left: float, top: float, wide: float, height: float) -> str:
    round_ = 18
    return (
        f"M{left:.1f} {top + height:.1f}V{top + round_:.1f}q0-{round_} {round_}-{round_}"
        f"H{left + wide - round_:.1f}q{round_} 0 {round_} {round_}V{top + height:.1f}Z"
    )
