"""Recorded films of real piles: what ``referee-table record`` wrote, and testers sent in.

A mark says that by its time a card lay there, and hardly before the mark before, so a report counts
in all of that time. Whether a card without a name is reported, or one that a correction took back,
is not counted.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from hardware.camera.source import read_picture
from hardware.commands.recording.replay_recording import follower_of
from hardware.gateway.recording.form import Mark, Recording, RecordingError
from lab.films.film import Film, FilmFrame, FilmOptions
from lab.films.ground_truth import TrueEvent

SUFFIX = ".table"
LATEST = 6.0
"""Seconds after a mark in which its report may still come: as long as for other films."""
EARLY = 3.0
"""Seconds by which a mark may be late: people lay the next card while one still types."""


class RecordedFilms:
    """The recordings of a folder, or one file; a condition is a file's name, the seed is unused."""

    def __init__(self, options: FilmOptions) -> None:
        if options.folder is None:
            raise ValueError("name the recordings: --cards FOLDER")
        folder = options.folder
        files = sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else [folder]
        self._files = {file.stem: file for file in files}

    @property
    def conditions(self) -> Sequence[str]:
        """The files' names."""
        return tuple(self._files)

    def film(self, condition: str, seed: int) -> Film:  # noqa: ARG002 - a film is what it is
        """Return a recorded film. Raises KeyError, RecordingError."""
        recording = Recording(self._files[condition])
        device = _camera(recording, self._files[condition])
        region = next(
            (
                entry.fields["pile"]
                for entry in recording.of("place", device)
                if entry.fields["pile"]
            ),
            None,
        )
        if region is None:
            raise RecordingError(f"{self._files[condition]} does not say where the pile lies")
        return Film(
            condition,
            np.array(region, np.float32),
            _frames(recording, device),
            true_events(recording.marks),
            follower_of(recording, device),
            recording.ruleset,
        )


def true_events(marks: Sequence[tuple[float, Mark]]) -> list[TrueEvent]:
    """Return what marks, each with its time, say has happened."""
    events = []
    for t, mark in marks:
        # Marks that were all made at the end of a film have one time, and tell the order alone.
        before = max((other for other, _ in marks if other < t), default=0.0)
        since = max(0.0, before - EARLY)
        told = mark.what == "cleared" or mark.card is not None
        certain = mark.stands and told and mark.what != "found"
        kind = "placed" if mark.what == "found" else mark.what
        note = f"marked at {t:.2f} by {mark.by}"
        events.append(
            TrueEvent(kind, since, mark.card, note=note, until=t + LATEST, certain=certain)
        )
    return events


def _frames(recording: Recording, device: str) -> Iterator[FilmFrame]:
    for event, jpeg in recording.frames(device):
        yield FilmFrame(read_picture(jpeg), event.t)


def _camera(recording: Recording, file: Path) -> str:
    for device in recording.backends:
        if recording.of("frame", device):
            return device
    raise RecordingError(f"{file} holds no pictures")
