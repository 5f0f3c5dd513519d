"""The score sheet as a picture: standings, a chart of the game, and who caught whom."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from referee.api.scoresheet.chart import FAINT, Box, courses, draw_chart, write
from referee.api.scoresheet.marks import color, mark
from referee.service.caught_players import CHALLENGE, UNO

WIDTH, EDGE = 1080, 64
ROW, CHART, LINE = 68, 420, 40
INK, PAPER = "#1c1b19", "#fbfaf7"
# Longest texts in letters: a name in the standings, one in a pair, a column's heading, a headline.
LONGEST, LONGEST_OF_PAIR, LONGEST_HEADING, LONGEST_LINE = 17, 9, 19, 50
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
    y = _standings(picture, sheet, y)
    rounds = sheet["rounds"]
    if rounds:
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
    write(picture, deck, EDGE, EDGE + 30, 32)
    winner = sheet["winner"]
    rounds = len(sheet["rounds"])
    headline = label("after", count=rounds) if rounds else label("none")
    if winner is not None:
        won = winner if isinstance(winner, list) else [winner]
        headline = _short(label("won", seats=won), LONGEST_LINE)
    size = 46 if len(headline) <= LONGEST_LINE // 2 + 6 else 32
    write(picture, headline, EDGE, EDGE + 96, size, "start", INK, "700")
    goal = [label("target", target=sheet["target"])]
    if sheet["scoring"] == "low":
        goal.append(label("low"))
    if winner is not None:
        goal.insert(0, label("after", count=rounds))
    write(picture, " · ".join(goal), EDGE, EDGE + 146, 26)
    return EDGE + 186


def _standings(picture: Element, sheet: Mapping[str, Any], y: int) -> int:
    """Draw a row per seat, best first: mark, name, bar and score; return the y below."""
    scores: Sequence[int] = sheet["scores"]
    low = sheet["scoring"] == "low"
    order = sorted(range(len(scores)), key=lambda i: scores[i] if low else -scores[i])
    most = max(*scores, 1)
    start, room = EDGE + 400, WIDTH - 2 * EDGE - 400 - 120
    for i in order:
        middle = y + ROW // 2
        mark(picture, i + 1, EDGE + 16, middle, 16)
        name = _short(sheet["seats"][i], LONGEST)
        write(picture, name, EDGE + 52, middle + 11, 32, "start", INK, "600")
        bar = {"x": str(start), "y": str(middle - 14), "height": "28", "rx": "6"}
        SubElement(picture, "rect", {**bar, "width": str(room), "fill": FAINT, "opacity": "0.5"})
        long = f"{room * max(scores[i], 0) / most:.1f}"
        SubElement(picture, "rect", {**bar, "width": long, "fill": color(i + 1)})
        write(picture, str(scores[i]), WIDTH - EDGE, middle + 13, 38, "end", INK, "700")
        y += ROW
    return y + 24


def _caught(picture: Element, sheet: Mapping[str, Any], label: Callable[..., str], y: int) -> int:
    """Draw three columns of pairs and counts: caught without UNO, challenges won and lost."""
    wide = (WIDTH - 2 * EDGE) // COLUMNS
    longest = 0
    for column, (heading, rule, right) in enumerate(CAUGHT):
        x = EDGE + column * wide
        words = label(heading)
        size = 24 if len(words) <= LONGEST_HEADING else 20
        write(picture, words, x, y + 30, size, "start", INK, "700")
        pairs = Counter(
            (one["by"], one["of"])
            for one in sheet["caught"]
            if one["rule"] == rule and one["right"] is right
        )
        often = pairs.most_common(MOST_PAIRS)
        lines = [_pair(sheet["seats"], by, of, times) for (by, of), times in often]
        if len(pairs) > MOST_PAIRS:
            lines[-1] = "…"
        for i, line in enumerate(lines or [label("nobody")], 1):
            write(picture, line, x, y + 30 + i * LINE, 22)
        longest = max(longest, len(lines), 1)
    return y + 30 + longest * LINE


def _pair(seats: Sequence[str], by: int, of: int, times: int) -> str:
    names = " → ".join(_short(seats[seat - 1], LONGEST_OF_PAIR) for seat in (by, of))
    return f"{names} × {times}" if times > 1 else names


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
