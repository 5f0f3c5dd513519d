"""A picture of the terminal show for the documentation, taken from a real game."""

from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from referee.demo.players.captions import Caption, Snapshot
from referee.demo.show.terminal_show import KEPT, TerminalView

WIDTH, HEIGHT = 104, 32
LOOKED_AT = 8
# Rich's own format without the font, which a browser would download.
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
    """Saves the most interesting moment: an illegal play, with much to see around it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.captions: list[Caption] = []
        self._best: tuple[int, TerminalView] | None = None

    def __enter__(self) -> "SvgShow":
        return self

    def __exit__(self, *_: object) -> None:
        if self._best is not None:
            self.path.write_text(to_svg(self._best[1]), encoding="utf-8")

    def update(self, snapshot: Snapshot, caption: Caption) -> None:
        """Keep the moment if it is the most interesting so far."""
        self.captions = [*self.captions[1 - KEPT :], caption]
        interest = _interest(snapshot, self.captions)
        if self._best is None or interest > self._best[0]:
            self._best = interest, TerminalView(snapshot, self.captions)


def _interest(snapshot: Snapshot, captions: list[Caption]) -> int:
    """Rate a moment by its ruling, the kinds of recent rulings, and towers held."""
    kinds = {caption.kind for caption in captions[-LOOKED_AT:]}
    held = sum(1 for holder in snapshot.state["powers"].values() if holder)
    ruled = captions[-1].kind == "illegal" and bool(captions[-1].put_right)
    plain = captions[-1].rule in ("match", "turn.order")
    return 10 * ruled + 5 * plain + 4 * len(kinds) + 2 * held + len(snapshot.state["uno"])


def to_svg(view: TerminalView) -> str:
    """Render the view as SVG."""
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
