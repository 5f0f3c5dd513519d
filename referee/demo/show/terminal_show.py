"""The live show in a terminal: the table as everybody sees it, and the rulings."""

import time
from collections.abc import Iterator, Sequence

from rich.align import Align
from rich.box import HEAVY, ROUNDED
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from referee.demo.players.captions import Caption, Snapshot, standing
from referee.demo.show import terminal_cards as cards

SMALLEST = (70, 22)
TITLE_ROWS = 1
SEAT_ROWS = 4
KEPT = 60
BAR = 10
NEEDS = {
    "play": "{} to play or draw",
    "drawn": "{} to play the drawn card or pass",
    "color": "{} to name a colour",
    "powers": "{} to choose what to take",
    "respond": "{} to accept or challenge",
    "reveal": "{} to show the hand",
    "discard": "{} to discard",
    "report": "{} to say how many were drawn",
    "judge": "{} to judge",
}
# How much longer than a move the introduction can be read.
READING = 60.0
MARKS = {
    "introduction": ("●", "bold"),
    "opened": ("▶", "bold"),
    "legal": ("✓", cards.PAINT["green"]),
    "illegal": ("✗", f"bold {cards.PAINT['red']}"),
    "challenge": ("?", f"bold {cards.PAINT['blue']}"),
    "catch": ("!", f"bold {cards.PAINT['yellow']}"),
    "proof": ("!", f"bold {cards.PAINT['red']}"),
    "won": ("★", f"bold {cards.PAINT['yellow']}"),
    "board": ("▣", f"bold {cards.PAINT['green']}"),
}
LEGEND = "✓ legal · ✗ illegal · ? challenge · ! caught · ★ out"
DEVICE_LEGEND = " · ▣ seen by a device"


class TerminalView:
    """One view of the table, fitted to the terminal's size."""

    def __init__(self, snapshot: Snapshot, captions: Sequence[Caption]) -> None:
        self.snapshot = snapshot
        self.captions = captions
        self.devices = any(caption.kind == "board" for caption in captions)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, height = options.max_width, options.height or console.height
        half = (len(self.snapshot.names) + 1) // 2
        seats = range(1, len(self.snapshot.names) + 1)
        left = height - TITLE_ROWS - 2 * SEAT_ROWS - cards.HEIGHT
        yield self._title()
        yield self._row(seats[:half], width)
        yield self._middle(width)
        # Seats go clockwise, so the lower row runs from right to left.
        yield self._row(seats[half:][::-1], width)
        yield self._rulings(console, width, left)

    def _title(self) -> RenderableType:
        snapshot = self.snapshot
        title = Table.grid(expand=True)
        title.add_column(no_wrap=True, overflow="ellipsis")
        title.add_column(justify="right", no_wrap=True)
        where = f"round {snapshot.round} · {standing(snapshot)} "
        title.add_row(
            Text(f" THE REFEREE · {snapshot.deck.partition(',')[0]}", "bold"), Text(where)
        )
        title.style = "reverse"
        return title

    def _row(self, seats: Sequence[int], width: int) -> RenderableType:
        grid = Table.grid(expand=True)
        for _ in seats:
            grid.add_column(ratio=1)
        room = width // len(seats) - 4
        grid.add_row(*(self._seat(seat, room) for seat in seats))
        return grid

    def _seat(self, seat: int, room: int) -> RenderableType:
        snapshot, state = self.snapshot, self.snapshot.state
        on_turn = state["turn"] == seat
        name = snapshot.names[seat - 1]
        title = Text(f"▶ {name}" if on_turn else name, "bold")
        if snapshot.dealer == seat and room > len(name) + 12:
            title.append(" deals", "not bold")
        held = Text(cards.backs(state["hands"][seat - 1], room), no_wrap=True)
        below = Text(no_wrap=True)
        if seat in state["uno"]:
            below.append("UNO! ", "bold")
        if seat in state["open_hands"]:
            below.append("open ")
        for power, holder in state["powers"].items():
            if holder == seat:
                below.append_text(cards.power(power)).append(" ")
        won = seat == state["round_winner"]
        return Panel(
            Group(held, below),
            title=title,
            title_align="left",
            subtitle=self._score(seat, room),
            subtitle_align="right",
            box=HEAVY if on_turn or won else ROUNDED,
            border_style="bold" if on_turn else cards.PAINT["yellow"] if won else "dim",
            height=SEAT_ROWS,
        )

    def _score(self, seat: int, room: int) -> Text:
        score, target = self.snapshot.state["scores"][seat - 1], self.snapshot.target
        text = Text(f"{score}", "bold")
        if room > BAR + 8:
            full = min(BAR, score * BAR // target)
            text.append(" " + "▰" * full + "▱" * (BAR - full), "not bold")
        return text

    def _middle(self, width: int) -> RenderableType:
        state = self.snapshot.state
        grid = Table.grid(padding=(0, 1))
        grid.add_column(width=cards.WIDTH)
        grid.add_column(width=cards.WIDTH)
        grid.add_column(width=min(width - 2 * cards.WIDTH - 8, 60))
        facts = Text(no_wrap=True, overflow="ellipsis")
        turn = "↻ clockwise" if state["direction"] == "clockwise" else "↺ anticlockwise"
        facts.append(f"{turn}   colour ")
        color = state["color"]
        facts.append(
            f" {color.upper()} " if color else "not named yet", cards.on(color) if color else ""
        )
        facts.append(f"\n{self._awaited()}\n", "bold")
        tray = [power for power, holder in state["powers"].items() if holder == 0]
        if state["powers"]:
            kind = "towers" if set(state["powers"]) <= set(cards.TOWERS) else "powers"
            facts.append(f"{kind} in the tray ")
            for power in tray:
                facts.append_text(cards.power(power)).append(" ")
            facts.append("nothing" if not tray else "")
        facts.append("\n")
        counts = self.snapshot.rulings
        facts.append(
            f"ruled so far: {counts.get('legal', 0)} legal, {counts.get('illegal', 0)} illegal\n"
        )
        facts.append(f"draw pile {state['draw_pile']}, discards {state['discard_pile']}", "dim")
        top = cards.face(state["top"], state["color"])
        grid.add_row(cards.back(state["draw_pile"]), top, facts)
        return Align.center(grid)

    def _awaited(self) -> str:
        snapshot, state = self.snapshot, self.snapshot.state
        if state["winner"] is not None:
            won = state["winner"] if isinstance(state["winner"], list) else [state["winner"]]
            return f"{' and '.join(snapshot.names[seat - 1] for seat in won)} won the game"
        needs: dict[str, list[str]] = {}
        for item in state["awaiting"]:
            needs.setdefault(item["need"], []).append(snapshot.names[item["seat"] - 1])
        return "; ".join(NEEDS[need].format(", ".join(who)) for need, who in needs.items())

    def _rulings(self, console: Console, width: int, height: int) -> RenderableType:
        room = height - 2
        rows: list[Text] = []
        for caption in reversed(self.captions):
            wrapped = list(_rows(caption, console, width - 4))
            if len(rows) + len(wrapped) > room:
                break
            rows = wrapped + rows
        return Panel(
            Group(*rows),
            title="rulings",
            title_align="left",
            subtitle=LEGEND + (DEVICE_LEGEND if self.devices else ""),
            box=ROUNDED,
            height=height,
            border_style="dim",
        )


def _rows(caption: Caption, console: Console, width: int) -> Iterator[Text]:
    """A line of the rulings, in as many rows as it takes."""
    mark, style = MARKS[caption.kind]
    head = Text().append(f"{mark} ", style)
    if caption.kind == "illegal":
        head.append("ILLEGAL ", style).append(caption.text, cards.PAINT["red"])
        yield from _hanging(head, console, width)
        why = Text(f"{caption.rule} · {caption.source}", "dim")
        if caption.put_right:
            why.append(f" → {caption.put_right}", "not dim")
        yield from _hanging(Text("  ").append_text(why), console, width)
        return
    head.append(caption.text, "" if caption.kind == "legal" else "bold")
    *rows, last = _hanging(head, console, width)
    yield from rows
    for cited in (
        f"{caption.rule} · {caption.source}" if caption.source else caption.rule,
        caption.rule,
    ):
        gap = width - last.cell_len - len(cited)
        if gap > 1 or not cited:
            yield last.append(" " * gap).append(cited, "dim")
            return
    yield last
    yield Text(caption.rule.rjust(width), "dim")


def _hanging(text: Text, console: Console, width: int) -> Iterator[Text]:
    """Wrap the text, with a hanging indent."""
    first, *rest = text.wrap(console, width)
    yield first
    remainder = Text(" ").join(rest) if rest else None
    if remainder is not None:
        for row in remainder.wrap(console, width - 2):
            yield Text("  ").append_text(row)


class TerminalShow:
    """Shows the game in a terminal, with ``delay`` seconds after each move."""

    def __init__(self, console: Console, delay: float, introduction: str) -> None:
        self.console = console
        self.delay = delay
        self.captions = [Caption("introduction", 0, 0, introduction)]
        self._live = Live(console=console, screen=True, auto_refresh=False, transient=True)

    def __enter__(self) -> "TerminalShow":
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def update(self, snapshot: Snapshot, caption: Caption) -> None:
        """Show the table and the new caption."""
        introduced = self.captions[-1].kind == "introduction"
        self.captions = [*self.captions[1 - KEPT :], caption]
        self._live.update(TerminalView(snapshot, self.captions), refresh=True)
        time.sleep(self.delay * (READING if introduced else caption.weight))
