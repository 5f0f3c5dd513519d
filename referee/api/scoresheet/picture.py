"""The score sheet as a picture: standings, a chart of the game, and who caught whom."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from referee.api.scoresheet.chart import FAINT, Box, courses, draw_chart, write
from referee.api.scoresheet.marks import color, mark
from referee.api.scoresheet.podium import (
    LOWEST_WINS,
    Side,
    draw_fan,
    draw_podium,
    on_steps,
    ranking,
    seats_alone,
    short,
)
from referee.service.log.caught_players import CHALLENGE, UNO

WIDTH, EDGE = 1080, 64
ROW, CHART, LINE = 68, 420, 40
INK, PAPER, HEAD = "#161a2c", "#f7f8fd", "#4a27b0"
HEAD_HEIGHT = 360
# A headline's size, and its most letters at that size.
HEADLINES = ((64, 25), (46, 36), (32, 50))
# Longest texts in letters: a name in the standings, one in a pair, a column's heading.
LONGEST, LONGEST_OF_PAIR, LONGEST_HEADING = 19, 9, 19
COLUMNS, MOST_PAIRS = 3, 8
FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"
# heading, rule, whether the accuser was right
CAUGHT = (("uno", UNO, True), ("right", CHALLENGE, True), ("wrong", CHALLENGE, False))


def draw_sheet(sheet: Mapping[str, Any], deck: str, label: Callable[..., str]) -> str:
    """Return the sheet as SVG, 1080 wide, without references to fonts or other files.

    ``label`` returns a translated label, given its key and values.
    """
    picture = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "font-family": FONT})
    paper = SubElement(picture, "rect", {"width": "100%", "height": "100%", "fill": PAPER})
    SubElement(picture, "title").text = f"{label('title')}: {deck}"
    y = _head(picture, sheet, deck, label)
    sides, rounds = ranking(sheet), sheet["rounds"]
    counts = any(sheet["scores"])
    if not counts:
        # In a game for a single round nobody but the winner has a place.
        sides = [side for side in sides if side.won] or sides
    steps = on_steps(sides) if rounds else 0
    if steps:
        box = Box(EDGE, y, WIDTH - 2 * EDGE, 0)
        y = draw_podium(picture, sides[:steps], box, points=counts)
        SubElement(picture, "rect", {"y": str(y), "width": "100%", "height": "10", "fill": HEAD})
        y += 34
        sides = sides[steps:]
    # The points of a team are those of its members, who are named one by one.
    members = seats_alone(sheet) if sheet["options"].get("teams") and counts else []
    y = _standings(picture, members or sides, y, placed=bool(rounds) and not members)
    if len(rounds) > 1:
        box = Box(EDGE + 56, y + 24, WIDTH - 2 * EDGE - 72, CHART)
        draw_chart(picture, box, courses(rounds), len(rounds), sheet["target"])
        y += CHART + 100
    y = _caught(picture, sheet, label, y)
    height = str(y + EDGE)
    for element in (picture, paper):
        element.set("width", str(WIDTH))
        element.set("height", height)
    picture.set("viewBox", f"0 0 {WIDTH} {height}")
    return tostring(picture, encoding="unicode")


def _head(picture: Element, sheet: Mapping[str, Any], deck: str, label: Callable[..., str]) -> int:
    """Draw the deck's name, and the winner or the rounds played; return the y below."""
    SubElement(picture, "rect", {"width": "100%", "height": str(HEAD_HEIGHT), "fill": HEAD})
    draw_fan(picture, WIDTH - EDGE - 190, HEAD_HEIGHT - 24)
    write(picture, deck, EDGE, EDGE + 16, 28, "start", PAPER)
    winner = sheet["winner"]
    rounds = len(sheet["rounds"])
    headline = label("after", count=rounds) if rounds else label("none")
    if winner is not None:
        won = winner if isinstance(winner, list) else [winner]
        headline = label("won", seats=won)
    size, longest = next((fit for fit in HEADLINES if len(headline) <= fit[1]), HEADLINES[-1])
    bottom = HEAD_HEIGHT - 72
    write(picture, short(headline, longest), EDGE, bottom, size, "start", "#ffffff", "800")
    goal = [label("target", target=sheet["target"])] if sheet["target"] else []
    if sheet["scoring"] in LOWEST_WINS:
        goal.append(label("low"))
    if winner is not None:
        goal.insert(0, label("after", count=rounds))
    write(picture, " · ".join(goal), EDGE, bottom + 44, 26, "start", PAPER)
    return HEAD_HEIGHT + 32


def _standings(picture: Element, sides: Sequence[Side], y: int, *, placed: bool) -> int:
    """Draw a row per side: mark, place if ``placed``, name, bar, score; return the y below."""
    most = max([1, *(side.points for side in sides)])
    start, room = EDGE + 450, WIDTH - 2 * EDGE - 450 - 120
    for side in sides:
        middle = y + ROW // 2
        mark(picture, side.seats[0], EDGE + 16, middle, 16)
        name = short(f"{side.place}. {side.name}" if placed else side.name, LONGEST)
        write(picture, name, EDGE + 52, middle + 11, 32, "start", INK, "600")
        bar = {"x": str(start), "y": str(middle - 14), "height": "28", "rx": "6"}
        SubElement(picture, "rect", {**bar, "width": str(room), "fill": FAINT, "opacity": "0.5"})
        long = f"{room * max(side.points, 0) / most:.1f}"
        SubElement(picture, "rect", {**bar, "width": long, "fill": color(side.seats[0])})
        write(picture, str(side.points), WIDTH - EDGE, middle + 13, 38, "end", INK, "700")
        y += ROW
    return y + 24


def _caught(picture: Element, sheet: Mapping[str, Any], label: Callable[..., str], y: int) -> int:
    """Draw a column for each kind of catch there was, with its pairs and their counts."""
    wide = (WIDTH - 2 * EDGE) // COLUMNS
    x, longest = EDGE, 0
    for heading, rule, right in CAUGHT:
        pairs = Counter(
            (catch["by"], catch["of"])
            for catch in sheet["caught"]
            if catch["rule"] == rule and catch["right"] is right
        )
        if not pairs:
            continue
        words = label(heading)
        size = 24 if len(words) <= LONGEST_HEADING else 20
        write(picture, words, x, y + 30, size, "start", INK, "700")
        often = pairs.most_common(MOST_PAIRS)
        lines = [_pair(sheet["seats"], by, of, times) for (by, of), times in often]
        if len(pairs) > MOST_PAIRS:
            lines[-1] = "…"
        for i, line in enumerate(lines, 1):
            write(picture, line, x, y + 30 + i * LINE, 22)
        x, longest = x + wide, max(longest, len(lines))
    return y + 30 + longest * LINE if longest else y


def _pair(seats: Sequence[str], by: int, of: int, times: int) -> str:
    names = " → ".join(short(seats[seat - 1], LONGEST_OF_PAIR) for seat in (by, of))
    return f"{names} × {times}" if times > 1 else names
