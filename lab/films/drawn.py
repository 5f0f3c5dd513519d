"""The drawn clips as films."""

from collections.abc import Iterator, Sequence

import numpy as np

from lab.clips.clip import Clip, random_setting
from lab.clips.random_scripts import idle_script, play_script, starting_pile
from lab.films.film import Film, FilmFrame, FilmOptions

SECONDS_A_CARD = 3.0
"""Length of a film over the cards to be laid in it: cards come so often in random play."""


class DrawnFilms:
    """Drawn clips of random play ("play"), and of tables where nobody plays ("idle")."""

    conditions: Sequence[str] = ("play", "idle")

    def __init__(self, options: FilmOptions) -> None:
        self._options = options

    def film(self, condition: str, seed: int) -> Film:
        """Return a film. Raises KeyError for an unknown condition."""
        seconds = SECONDS_A_CARD * self._options.placements
        scripts = {"play": play_script(seed, seconds), "idle": idle_script(seed, seconds)}
        setting = random_setting(seed, self._options.size, starting_pile(seed))
        clip = Clip(setting, scripts[condition])
        region = setting.camera.region.astype(np.float32)
        return Film(condition, region, _frames(clip), clip.happened)


def _frames(clip: Clip) -> Iterator[FilmFrame]:
    for frame in clip:
        yield FilmFrame(frame.picture, frame.time)
