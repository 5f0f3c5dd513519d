import json
import zipfile
from pathlib import Path

import pytest

from hardware.camera.decks import cards_of
from hardware.camera.reading.recognise import CardRecogniser
from hardware.camera.setup.follow import MatFollower
from hardware.camera.types import Detection
from hardware.cli import main
from hardware.commands.recording.replay_recording import (
    follower_of,
    posted_bodies,
    replay_bytes,
    replay_frames,
)
from hardware.gateway.api import Reply
from hardware.gateway.config import ServerConfig
from hardware.gateway.posting.outbox import Outbox
from hardware.gateway.posting.poster import batch_body
from hardware.gateway.recording.form import Recording, RecordingError
from hardware.gateway.recording.tape import Tape, TapedApi
from tests.hardware.gateway.fakes import TOKEN, seen
from tests.tables import tables

SESSION = Path(__file__).with_name("session.table")
HEAD = {"version": 1, "began": "2026-11-21T10:00:00.000Z", "ruleset": None, "devices": []}
HOSTILE = tables(__file__)
JPEG = b"\xff\xd8 not really a picture"


def meant(body):
    return (
        body["kind"],
        body.get("event"),
        body.get("state"),
        next(iter(body.get("cards", {})), None),
    )


def written(path, head=HEAD, events=(), files=(), raw=None):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        if head is not None:
            archive.writestr("recording.json", head if isinstance(head, str) else json.dumps(head))
        lines = raw if raw is not None else "\n".join(json.dumps(event) for event in events)
        archive.writestr("events.jsonl", lines)
        for name, data in files:
            archive.writestr(name, data)
    return path


# The recorded session


def test_the_camera_says_the_same_again_to_its_pictures():
    recording = Recording(SESSION)
    recogniser = CardRecogniser(cards_of(recording.ruleset))
    again = [
        meant(body)
        for _, body in replay_frames(
            recording, "camera", recogniser, follower_of(recording, "camera")
        )
    ]
    assert again[:3] == [
        ("camera", None, "watching", None),
        ("pile", "placed", None, "red-5"),
        ("pile", "placed", None, "red-7"),
    ]
    then = [meant(body) for body in posted_bodies(recording, "camera")]
    assert then[:3] == again[:3]


def test_the_board_says_the_same_again_to_its_bytes():
    recording = Recording(SESSION)
    then = posted_bodies(recording, "serial-board")
    again = [body for _, body in replay_bytes(recording, "serial-board")]
    assert {"U": 1}.items() <= then[-1]["powers"].items()
    assert [body["powers"] for body in again] == [body["powers"] for body in then]


def test_there_is_no_token_in_it():
    with zipfile.ZipFile(SESSION) as archive:
        words = archive.read("events.jsonl") + archive.read("recording.json")
    assert b"token" not in words.lower()
    assert b"bearer" not in words.lower()
    assert b"http" not in words


def test_what_was_posted_is_posted_again(fake, tmp_path, capsys):
    token = tmp_path / "token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    flags = ["--server", fake.url, "--table", "t1", "--token-file", str(token)]
    status = main(["play", str(SESSION), *flags])
    posted = [body for _, body in fake.log]
    assert status in (0, 1)
    assert [meant(body) for body in posted] == [
        meant(body) for body in posted_bodies(Recording(SESSION))
    ]
    assert capsys.readouterr().out.count("201 ") == len(posted)


# The tape


def test_a_tape_keeps_the_latest():
    now = [0.0]
    tape = Tape(last=10, clock=lambda: now[0])
    for second in range(30):
        now[0] = float(second)
        tape.frame("Camera", JPEG)
    assert tape._kept[0].event["t"] >= 19
    small = Tape(most=2000, clock=lambda: now[0])
    for _ in range(30):
        small.frame("Camera", JPEG)
    assert 1 < len(small._kept) < 8


def test_what_is_saved_is_read(tmp_path):
    now = [5.0]
    tape = Tape(clock=lambda: now[0], wall_clock=lambda: 0.0)
    now[0] = 6.5
    tape.frame("Ann's", JPEG)
    tape.data("Board", "in", b"\x00\x01")
    tape.data("Board", "out", b"")
    tape.posted("Board", "k1", b'{"kind": "powers", "at": "x"}', Reply(201, {"meaning": "agrees"}))
    tape.posted("Board", "k1", b'{"kind": "powers", "at": "x"}', None)
    assert tape.save(tmp_path / "a", {"Ann's": "camera", "Board": "serial-board"}, "moomin") == 4
    recording = Recording(tmp_path / "a")
    assert recording.ruleset == "moomin"
    assert recording.backends == {"camera": "camera", "serial-board": "serial-board"}
    ((frame, picture),) = recording.frames("camera")
    assert (frame.t, picture) == (1.5, JPEG)
    assert posted_bodies(recording) == [{"kind": "powers"}]


def test_an_api_with_a_tape_keeps_bodies_and_no_headers(fake):
    tape = Tape()
    api = TapedApi(ServerConfig(fake.url, "t1"), TOKEN, "Board", tape)
    body = b'{"kind": "powers", "powers": {"U": 1}, "at": "2026-07-01T18:00:00.000Z"}'
    assert api.post(api.table_path("/observations"), body, "k1").status == 201
    api.close()
    (kept,) = tape._kept
    assert kept.event["answer"]["status"] == 201
    assert TOKEN not in json.dumps(kept.event)


def test_observations_that_went_together_are_recorded_one_by_one(fake, tmp_path):
    tape = Tape()
    api = TapedApi(ServerConfig(fake.url, "t1"), TOKEN, "Board", tape)
    outbox = Outbox(tmp_path / "outbox", "t1")
    outbox.open()
    outbox.put("Board", [seen(number) for number in range(1, 11)], {})
    fake.most_of_batch = 9
    api.post(api.table_path("/observations/batch"), batch_body(outbox.oldest("Board", 50)), "k")
    outbox.close()
    api.close()
    posted = [kept.event for kept in tape._kept]
    assert all(one["device"] == "Board" and one["key"] for one in posted)
    assert [(one["body"]["powers"]["U"], one["answer"]["status"]) for one in posted] == [
        (number, 201) for number in range(1, 10)
    ]


# Files that nobody should read


@pytest.mark.parametrize(
    ("made", "why"),
    [
        ({"head": None}, "it has no recording.json"),
        ({"head": "{"}, "recording.json is no JSON"),
        ({"files": [("../evil", b"x")]}, "'../evil' does not belong into it"),
        ({"files": [("frames/1.png", b"x")]}, "does not belong into it"),
        ({"files": [("frames/000001.jpg", b"\0" * 17_000_000)]}, "is too large"),
        ({"files": [("frames/000001.jpg", b"\0" * 9_000_000)]}, "frames/000001.jpg is too large"),
        ({"raw": "[" * 100_000}, "events.jsonl is too large"),
        ({"raw": "[" * 2_500}, "line 1 of events.jsonl is no JSON"),
        *(({"head": {**HEAD, **changes}}, why) for changes, why in HOSTILE["head"]),
        *(({"raw": "\n".join(lines)}, why) for *lines, why in HOSTILE["lines"]),
    ],
)
def test_hostile_files_are_refused(made, why, tmp_path, run):
    file = written(tmp_path / "x", **made)
    with pytest.raises(RecordingError) as error:
        Recording(file)
    assert why in str(error.value)
    assert "referee-table play: " in run("play", file, ends=2).err


def test_what_is_no_archive_is_refused(tmp_path):
    (tmp_path / "x").write_bytes(b"PK\x03\x04 and nothing more")
    with pytest.raises(RecordingError, match="no ZIP archive"):
        Recording(tmp_path / "x")
    with pytest.raises(RecordingError, match="No such file"):
        Recording(tmp_path / "y")


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_a_file_that_was_damaged_is_refused_or_read(method, tmp_path):
    event = {"kind": "frame", "t": 0, "device": "C", "file": "frames/000001.jpg"}
    with zipfile.ZipFile(tmp_path / "whole", "w", method) as archive:
        archive.writestr("recording.json", json.dumps(HEAD))
        archive.writestr("events.jsonl", json.dumps(event))
        archive.writestr("frames/000001.jpg", bytes(range(256)))
    whole = (tmp_path / "whole").read_bytes()
    refused = 0
    for place in range(0, len(whole), 3):
        damaged = bytearray(whole)
        damaged[place] ^= 0x55
        (tmp_path / "damaged").write_bytes(damaged)
        try:
            list(Recording(tmp_path / "damaged").frames("C"))
        except RecordingError:
            refused += 1
    assert refused > len(whole) / 6


def test_a_picture_that_is_none_is_told(tmp_path):
    event = {"kind": "frame", "t": 0, "device": "C", "file": "frames/000001.jpg"}
    file = written(tmp_path / "x", events=[event], files=[("frames/000001.jpg", JPEG)])

    class Nobody:
        def recognise(self, picture, *, parts=True) -> list[Detection]:
            return []

    with pytest.raises(RecordingError, match=r"frames/000001\.jpg: "):
        list(replay_frames(Recording(file), "C", Nobody(), MatFollower()))


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (("record", "{tmp}/there"), "is there already; choose another name, or --force"),
        (("record", "{tmp}/no/such"), "there is no folder"),
        (("record", "{tmp}/x", "--last", "0"), "--last is from 1 to 86400"),
        (("record", "{tmp}/x", "--rate", "0"), "--rate is from 0.1 to 60"),
        (("play", "{tmp}/there", "--server", "http://x"), "belong together"),
    ],
)
def test_flags_that_are_wrong(flags, why, tmp_path, run):
    (tmp_path / "there").write_text("")
    assert why in run(*[flag.format(tmp=tmp_path) for flag in flags], ends=2).err
