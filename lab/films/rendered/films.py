"""Films of a small renderer that shares nothing with the drawn films."""

from collections.abc import Sequence

from lab.films.rendered.faces import FaceStore
from lab.films.rendered.prints import CARDS
from lab.films.rendered.stage import RenderedStage
from lab.films.rendered.textures import TABLES, with_things
from lab.films.staging.conditions import Condition
from lab.films.staging.eye import Array, Eye
from lab.films.staging.films import StagedFilms
from lab.films.staging.script import Rng

CLUTTERED = 0.75
"""Share of tables on which other things lie."""
GLOSS = {"wood": 0.25, "laminate": 0.35, "stone": 0.3, "oilcloth": 0.25}
"""How much tables reflect; the others do not."""


class RenderedFilms(StagedFilms):
    """Films whose cards, tables and hands are rendered."""

    salt = 83
    cards: Sequence[str] = CARDS

    def stage(
        self, condition: Condition, eye: Eye, region: Array, seed: int, rng: Rng
    ) -> RenderedStage:
        """Return a stage with a random table."""
        table = str(rng.choice(condition.tables))
        texture = TABLES[table](rng)
        if rng.random() < CLUTTERED:
            texture = with_things(texture, rng)
        return RenderedStage(eye, texture, FaceStore(seed), region, GLOSS.get(table, 0.0), seed)
