"""The scenes of ``scenes.toml``, which says how they are written, and the texts in ``said``."""

import tomllib
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

QUESTIONS = (DO, WHY, MANY, MEANS) = ("do", "why", "many", "means")
NAMES = ("Mia", "Oma", "Jo")
SAID = Path(__file__).parent / "said"
LANGUAGES = tuple(sorted(file.stem for file in SAID.glob("*.toml")))
# Rules that a table may agree on are played with the first deck.
DECKS = {"house": "classic-108"}


@dataclass(frozen=True)
class Scene:
    """A scene of the data file; its fields are explained there."""

    name: str
    deck: str
    seat: int
    asks: str
    event: str
    lines: tuple[str, ...] = ()
    opening: str = "red-7"
    hands: dict[str, int] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    cards: tuple[int, ...] = ()
    players: int = 3

    @property
    def id(self) -> str:
        """Return the id that its texts have in the data files."""
        return f"{self.deck}.{self.name}"


WRITTEN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
SCENES = tuple(
    Scene(name, DECKS.get(part, part), **scene)
    for part, scenes in WRITTEN.items()
    for name, scene in scenes.items()
)

# What all decks have in common happens at each table, but for what a sheet does not have.
ZEROS = tuple(scene.name for scene in SCENES if scene.name.startswith("zero"))
# Other decks have more cards than this one leaves.
DEALT_OUT = "reshuffled"
ELSEWHERE = {
    "classic-112": set(),
    "moomin": {
        *("opening-draw", "opening-skip", "opening-reverse", "opening-wild"),
        *("last-card-draws", "corrected-at-the-end", "game-won", "game-lost"),
    },
    "color-powers": {"opening-wild", "wild", *ZEROS},
    "power-grab": {"opening-wild", "wild", *ZEROS},
}
# Elsewhere it is told in the words of the first deck, unless a deck has a text of its own.
EVERYWHERE = tuple(
    replace(scene, deck=deck, options=({"scoring": "winner"} | scene.options))
    for deck, without in ELSEWHERE.items()
    for scene in SCENES
    if scene.deck == "classic-108" and scene.name not in (*without, DEALT_OUT)
)


@cache
def approved(lang: str) -> dict[str, list[str]]:
    """Return title and text by scene, read and approved by somebody who speaks the language."""
    return tomllib.loads((SAID / f"{lang}.toml").read_text(encoding="utf-8"))


def awaited(lang: str) -> list[str]:
    """Return the scenes whose texts nobody has approved yet in a language."""
    return [scene.id for scene in SCENES if scene.id not in approved(lang)]
