"""Replay a recording: through the devices' own code, or to a server."""

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hardware.board.session.watch import BoardWatch
from hardware.camera.pipeline import Pipeline, pile_body, sight_body
from hardware.camera.setup.follow import Follower, MatFollower, PilePosition
from hardware.camera.source import Frame, PictureError, read_picture
from hardware.camera.types import Picture, Recogniser
from hardware.gateway.api import Api
from hardware.gateway.recording.form import RecordedEvent, Recording, RecordingError

Body = dict[str, Any]
# Between two chunks of bytes time passes in steps, as in the board's driver.
STEP_S = 0.05


@dataclass(frozen=True, slots=True)
class ReplayedPost:
    """An observation and the server's answer; ``before`` is the answer in the recording."""

    body: Mapping[str, Any]
    status: int
    meaning: str
    before: str


class RecordedPlace:
    """A follower that finds the piles where the recording says they were."""

    def __init__(self, recording: Recording, device: str) -> None:
        self._places = [(event.t, _position(event)) for event in recording.of("place", device)]
        self._next = 0
        self._present = PilePosition(None, "searching")

    def update(self, picture: Picture, at: float) -> PilePosition:  # noqa: ARG002 - of the protocol
        """Return the position recorded for this time; ``moved_by`` only once."""
        self._present = replace(self._present, moved_by=0.0)
        while self._next < len(self._places) and self._places[self._next][0] <= at:
            self._present = self._places[self._next][1]
            self._next += 1
        return self._present


def follower_of(recording: Recording, device: str) -> Follower:
    """Return the follower for a camera's recorded pictures; without places, the mat is sought."""
    known = recording.of("place", device)
    return RecordedPlace(recording, device) if known else MatFollower()


def posted_bodies(recording: Recording, device: str | None = None) -> list[Body]:
    """Return the recorded observations, each once, in order, without their times."""
    bodies: dict[str, Body] = {}
    for event in recording.of("posted", device):
        bodies.setdefault(event.fields["key"], without_time(event.fields["body"]))
    return list(bodies.values())


def without_time(body: Mapping[str, Any]) -> Body:
    """Return an observation without its time."""
    return {name: value for name, value in body.items() if name != "at"}


def replay_frames(
    recording: Recording, device: str, recogniser: Recogniser, follower: Follower
) -> Iterator[tuple[float, Body]]:
    """Yield a camera's observations of its recorded pictures, with seconds.

    Raises RecordingError.
    """
    pipeline = Pipeline(recogniser, follower, live=False)
    reported = None
    for number, (event, jpeg) in enumerate(recording.frames(device)):
        try:
            picture = read_picture(jpeg)
        except PictureError as error:
            raise RecordingError(f"{event.fields['file']}: {error}") from None
        events = pipeline.take(Frame(picture, event.t, number))
        sight = (pipeline.sight.state, pipeline.sight.reason)
        if pipeline.sight.state != "starting" and sight != reported:
            reported = sight
            yield event.t, sight_body(pipeline.sight)
        for pile_event in events:
            yield event.t, pile_body(pile_event, 0)


def replay_bytes(recording: Recording, device: str) -> Iterator[tuple[float, Body]]:
    """Yield the observations that a board's recorded bytes make, with seconds."""
    watch = BoardWatch({})
    incoming = [event for event in recording.of("bytes", device) if event.fields["way"] == "in"]
    if not incoming:
        return
    time_s = incoming[0].t
    watch.opened(time_s)
    watch.outgoing(time_s)
    for event in incoming:
        while time_s + STEP_S < event.t:
            time_s += STEP_S
            yield from ((time_s, dict(body)) for body in watch.poll(time_s))
        time_s = event.t
        data = bytes.fromhex(event.fields["hex"])
        for body in (*watch.receive(data, time_s), *watch.poll(time_s)):
            yield time_s, dict(body)
        watch.kept()
        # Drop the answer: the board's reactions are in the recording.
        watch.outgoing(time_s)


def repost(recording: Recording, api: Api, at: str) -> Iterator[ReplayedPost]:
    """Post the recorded observations in order, under new keys. Raises Unreachable.

    ``at``: the time to give as that of the observation.
    """
    path = api.table_path("/observations")
    for event in _taken(recording.of("posted")):
        body = {**event.fields["body"], "at": at}
        reply = api.post(path, json.dumps(body).encode(), str(uuid.uuid4()))
        meaning = str((reply.body or {}).get("meaning", reply.detail))
        before = str(event.fields["answer"].get("meaning", event.fields["answer"].get("status")))
        yield ReplayedPost(body, reply.status, meaning, before)


def _position(event: RecordedEvent) -> PilePosition:
    fields = event.fields
    pile, draw = (
        None if fields[name] is None else np.array(fields[name], np.float32)
        for name in ("pile", "draw")
    )
    moved_by, turned = float(fields["moved_by"]), float(fields.get("turned", 0.0))
    return PilePosition(pile, fields["state"], moved_by, draw, turned=turned)


def _taken(events: Sequence[RecordedEvent]) -> list[RecordedEvent]:
    """Return the last attempt to post each observation, at the place of its first."""
    last = {event.fields["key"]: event for event in events}
    return [last[key] for key in dict.fromkeys(event.fields["key"] for event in events)]
