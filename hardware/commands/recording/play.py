"""``referee-table play``: replay a recorded session, locally or against a server."""

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardware.commands import exits
from hardware.commands.output import say
from hardware.commands.recording.replay_recording import (
    follower_of,
    posted_bodies,
    replay_bytes,
    replay_frames,
    repost,
)
from hardware.gateway.api import Api, Unreachable
from hardware.gateway.config import ServerConfig
from hardware.gateway.fields import ConfigError, Fields, read_token
from hardware.gateway.recording.form import Recording, RecordingError
from hardware.times import utc

DIFFERENT, NOT_UNDERSTOOD = 1, 2
HELP = "replay a recorded session"
DESCRIPTION = "Replay a session that 'referee-table record' has written."
EPILOG = """\
Without a server, the recorded pictures and bytes go through the camera and board code again, and
the new observations are compared with the recorded ones. With a server, the recorded observations
are posted to a table there, which should be in the state that the recorded table was in.

examples:
  referee-table play evening.table
  referee-table play evening.table --server http://127.0.0.1:8000 --table 3hq7w --token-file token

exit status: 0 the same as recorded, 1 something differs, 2 wrong file or flags
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    add = parser.add_argument
    add("file", metavar="FILE", type=Path, help="the recording")
    add("--server", metavar="URL", help="the referee's address")
    add("--table", metavar="ID", help="the table's id")
    add("--token-file", metavar="FILE", type=Path, help="a device's token")
    add("--models", metavar="FOLDER", type=Path, help="folder of other networks")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    named = [args.server, args.table, args.token_file]
    with exits(NOT_UNDERSTOOD, RecordingError, ConfigError), exits(DIFFERENT, Unreachable):
        if any(named) and not all(named):
            raise ConfigError("--server, --table and --token-file belong together")
        recording = Recording(args.file)
        if all(named):
            return _post(recording, args)
        return 0 if _dry(recording, args.models) else DIFFERENT


def _post(recording: Recording, args: argparse.Namespace) -> int:
    token = read_token(Fields({}), "--token-file", args.token_file)
    api = Api(ServerConfig(args.server.rstrip("/"), args.table), token)
    same = True
    try:
        for post in repost(recording, api, utc(time.time())):
            same &= post.meaning == post.before
            then = "" if post.meaning == post.before else f"   (then: {post.before})"
            say(f"{post.status} {post.meaning}: {_short(post.body)}{then}")
    finally:
        api.close()
    return 0 if same else DIFFERENT


def _dry(recording: Recording, models: Path | None) -> bool:
    """Replay locally; return whether every device reports the same as in the recording."""
    same = True
    for name, backend in recording.backends.items():
        if recording.of("frame", name):
            again = _camera(recording, name, models)
        elif recording.of("bytes", name):
            again = replay_bytes(recording, name)
        else:
            say(f"{name} ({backend}): nothing was recorded")
            continue
        new = []
        for t, body in again:
            new.append(_meaning(body))
            say(f"{name} {t:8.2f} s  {_short(body)}")
        old = [_meaning(body) for body in posted_bodies(recording, name)]
        say(f"{name}: {len(new)} observations now, {len(old)} then" + _first_difference(new, old))
        same &= new == old
    return same


def _camera(
    recording: Recording, name: str, models: Path | None
) -> Iterator[tuple[float, dict[str, Any]]]:
    from hardware.camera.decks import cards_of
    from hardware.camera.reading.recognise import MODELS, CardRecogniser, ModelError

    try:
        recogniser = CardRecogniser(cards_of(recording.ruleset), models or MODELS)
    except KeyError:
        raise RecordingError(f"there is no deck {recording.ruleset!r}") from None
    except ModelError as error:
        raise RecordingError(str(error)) from None
    yield from replay_frames(recording, name, recogniser, follower_of(recording, name))


def _meaning(body: dict[str, Any]) -> tuple[Any, ...]:
    """Return an observation's meaning, without probabilities."""
    card = next(iter(body.get("cards") or {}), None)
    powers = json.dumps(body.get("powers"), sort_keys=True)
    return body["kind"], body.get("event"), body.get("state"), card, powers


def _first_difference(new: list[tuple[Any, ...]], old: list[tuple[Any, ...]]) -> str:
    if new == old:
        return ", the same"
    at = next((i for i, (a, b) in enumerate(zip(new, old, strict=False)) if a != b), None)
    at = min(len(new), len(old)) if at is None else at
    return f"; they differ from number {at + 1} on"


def _short(body: Any) -> str:
    return json.dumps({k: v for k, v in body.items() if k != "at"}, separators=(",", ":"))[:160]
