"""A recording played again: through the devices' own code, or to a server."""

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hardware.board.watch import BoardWatch
from hardware.camera.payloads import pile_body, sight_body
from hardware.camera.pipeline import Pipeline
from hardware.camera.setup.follow import Follower
from hardware.camera.source import Frame, PictureError, read_picture
from hardware.camera.types import Recogniser
from hardware.gateway.api import Api
from hardware.gateway.recording.form import RecordedEvent, Recording, RecordingError

Body = dict[str, Any]
# Between two portions of bytes time goes by as for a board's driver.
STEP_S = 0.05


@dataclass(frozen=True, slots=True)
class ReplayedPost:
    """An observation and what a server said to it; ``before`` is what was said back then."""

    body: Mapping[str, Any]
    status: int
    meaning: str
    before: str


def said(recording: Recording, device: str | None = None) -> list[Body]:
    """The observations that were posted then, each once, in order, less their times."""
    bodies: dict[str, Body] = {}
    for event in recording.of("posted", device):
        bodies.setdefault(event.fields["key"], without_time(event.fields["body"]))
    return list(bodies.values())


def without_time(body: Mapping[str, Any]) -> Body:
    """An observation less when it was made."""
    return {name: value for name, value in body.items() if name != "at"}


def seen_again(
    recording: Recording, device: str, recogniser: Recogniser, follower: Follower
) -> Iterator[tuple[float, Body]]:
    """What a camera says to its pictures now, with the seconds. Raises RecordingError."""
    pipeline = Pipeline(recogniser, follower, live=False)
    told = None
    for number, (event, jpeg) in enumerate(recording.frames(device)):
        try:
            picture = read_picture(jpeg)
        except PictureError as error:
            raise RecordingError(f"{event.fields['file']}: {error}") from None
        events = pipeline.take(Frame(picture, event.t, number))
        sight = (pipeline.sight.state, pipeline.sight.reason)
        if pipeline.sight.state != "starting" and sight != told:
            told = sight
            yield event.t, sight_body(pipeline.sight)
        for one in events:
            yield event.t, pile_body(one, 0)


def heard_again(recording: Recording, device: str) -> Iterator[tuple[float, Body]]:
    """What is made of a board's bytes now, with the seconds."""
    watch = BoardWatch({})
    incoming = [event for event in recording.of("bytes", device) if event.fields["way"] == "in"]
    if not incoming:
        return
    now = incoming[0].t
    watch.opened(now)
    watch.outgoing(now)
    for event in incoming:
        while now + STEP_S < event.t:
            now += STEP_S
            yield from ((now, dict(body)) for body in watch.poll(now))
        now = event.t
        data = bytes.fromhex(event.fields["hex"])
        for body in (*watch.receive(data, now), *watch.poll(now)):
            yield now, dict(body)
        watch.kept()
        # What it would answer goes nowhere: the board's side of it is on the tape.
        watch.outgoing(now)


def post_again(recording: Recording, api: Api, at: str) -> Iterator[ReplayedPost]:
    """Post what was posted then, in order, each as something new. Raises Unreachable.

    ``at``: when it is said to have been seen.
    """
    told: set[str] = set()
    path = api.table_path("/observations")
    for event in _taken(recording.of("posted")):
        if event.fields["key"] in told:
            continue
        told.add(event.fields["key"])
        body = {**event.fields["body"], "at": at}
        reply = api.post(path, json.dumps(body).encode(), str(uuid.uuid4()))
        meaning = str((reply.body or {}).get("meaning", reply.detail))
        before = str(event.fields["answer"].get("meaning", event.fields["answer"].get("status")))
        yield ReplayedPost(body, reply.status, meaning, before)


def _taken(events: Sequence[RecordedEvent]) -> list[RecordedEvent]:
    """The last try of each observation, at the place of its first."""
    last = {event.fields["key"]: event for event in events}
    return [last[key] for key in dict.fromkeys(event.fields["key"] for event in events)]
