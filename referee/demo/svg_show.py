"""A picture of the board for the documentation, from a real moment of a real game."""

from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from referee.demo.captions import Caption, Snapshot
from referee.demo.terminal_show import KEPT, TerminalView

WIDTH, HEIGHT = 104, 32
LOOKED_AT = 8
# As rich writes it, less the font that a browser would fetch from elsewhere.
FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{
    font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace;
    font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width;
}}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


class SvgShow:
    """Keeps the moment at which an illegal play was ruled on while there was much to see."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[Caption] = []
        self._best: tuple[int, TerminalView] | None = None

    def __enter__(self) -> "SvgShow":
        return self

    def __exit__(self, *_: object) -> None:
        if self._best is not None:
            self.path.write_text(drawn(self._best[1]), encoding="utf-8")

    def update(self, scene: Snapshot, line: Caption) -> None:
        """Something happened; ``scene`` is the table after it."""
        self.lines = [*self.lines[1 - KEPT :], line]
        interest = _interest(scene, self.lines)
        if self._best is None or interest > self._best[0]:
            self._best = interest, TerminalView(scene, self.lines)


def _interest(scene: Snapshot, lines: list[Caption]) -> int:
    """How much there is to see: kinds of rulings, towers held, points made."""
    kinds = {line.kind for line in lines[-LOOKED_AT:]}
    held = sum(1 for holder in scene.state["powers"].values() if holder)
    ruled = lines[-1].kind == "illegal" and bool(lines[-1].put_right)
    plain = lines[-1].rule in ("match", "turn.order")
    return 10 * ruled + 5 * plain + 4 * len(kinds) + 2 * held + len(scene.state["uno"])


def drawn(view: TerminalView) -> str:
    """The board as SVG."""
    console = Console(
        width=WIDTH,
        height=HEIGHT,
        record=True,
        file=StringIO(),
        force_terminal=True,
        color_system="truecolor",
    )
    console.print(view, height=HEIGHT)
    return console.export_svg(title="referee demo", theme=MONOKAI, code_format=FORMAT)
