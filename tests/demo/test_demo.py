"""The demo: whole games over HTTP in a real server, and how it fails when the referee is wrong."""

import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import pytest

from referee.cli import main
from referee.commands import demo as command
from referee.demo.http.client import Client, DemoError
from referee.demo.http.phone_table import PhoneTable
from referee.demo.http.server_process import running_server
from referee.demo.http.spectator import Spectator
from referee.demo.rounds.game import DemoGame, Plan
from referee.rules.records.record import parse_record, replay
from tests.conftest import ROOT

SHORT = Plan("power-grab", 3, 1, 1)


def demo(*flags: str) -> list[str]:
    return [sys.executable, "-m", "referee", "demo", *flags]


def unwrapped(text: str) -> str:
    return " ".join(text.split())


def test_without_a_flag_it_is_the_classic_deck_explained_within_80_columns():
    done = subprocess.run(demo("--target", "1"), capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Ann, Bo, Cy and Dot play Classic, 108 cards.")
    assert max(map(len, lines)) <= 80
    for heading in ("Round 1 (to 1 point)", "Scores", "What was ruled", "What was checked"):
        assert heading in [line.strip() for line in lines]
    assert "tower" not in done.stdout
    assert "Next: your own deck on your own table. 'make home'" in unwrapped(done.stdout)


@pytest.mark.parametrize(
    "chosen",
    [
        ("power-grab",),
        ("color-powers",),
        # With proofs that name the card that somebody drew on.
        ("classic-108", "--house", "party", "--seed", "2"),
    ],
    ids=" ".join,
)
def test_a_whole_game(chosen, tmp_path):
    kept = tmp_path / "game.json"
    flags = ("--ruleset", *chosen, "--target", "1", "--keep", str(kept))
    done = subprocess.run(demo(*flags), capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stderr) == (0, "")
    for words in (
        " ILLEGAL ",
        "won the game of",
        "none refused",
        "none passed",
        "once and in order",
        "named no card of a hand",
        "imported: all the same",
    ):
        assert words in unwrapped(done.stdout), words
    steps = list(replay(parse_record(json.loads(kept.read_text()))))
    assert steps[-1].state.winner is not None
    assert not any(step.mismatches for step in steps)


def test_a_game_with_a_deck_of_ones_own():
    folder = Path(__file__).parents[1] / "toy_flip"
    flags = ("--ruleset", "toy-flip", "--target", "1", "--house", "party")
    surroundings = {**os.environ, "REFEREE_VARIANTS": str(folder)}
    done = subprocess.run(
        demo(*flags), capture_output=True, text=True, timeout=240, env=surroundings
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "All cards are turned over" in unwrapped(done.stdout)


def test_a_deck_that_there_is_not(capsys):
    assert main(["demo", "--ruleset", "toy-flip"]) == 2
    assert "there is no ruleset 'toy-flip' (known: classic-108" in capsys.readouterr().err


def test_a_round_with_a_sensor_board():
    pytest.importorskip("serial", reason="pyserial is not installed")
    done = subprocess.run(
        demo("--board", "--seed", "1"), capture_output=True, text=True, timeout=240
    )
    # What went wrong is told in whole.
    assert not done.stderr, done.stderr
    assert done.returncode == 0
    for words in (
        "Wrongly at",
        "The light that showed the place is out again",
        "cable is pulled",
        "The server is back, and the gateway has told it",
        "1 choice was made so",
        "each logged once",
    ):
        assert words in unwrapped(done.stdout), words


@pytest.mark.parametrize("flag", [("--players", "1"), ("--target", "0"), ("--delay", "-1")])
def test_flags_that_make_no_sense(flag, capsys):
    assert main(["demo", *flag]) == 2
    assert f"{flag[0]} must be" in capsys.readouterr().err


def test_where_the_record_goes_is_looked_at_before_the_game(tmp_path, capsys):
    kept = tmp_path / "game.json"
    kept.write_text("precious")
    missing = "cannot be written: No such file or directory"
    for file, reason in (
        (tmp_path, "exists already; name another file"),
        (kept, "exists already; name another file"),
        (tmp_path / "no" / "game.json", missing),
        (Path("/proc/game.json"), missing),
    ):
        assert main(["demo", "--keep", str(file)]) == 2
        assert capsys.readouterr().err == f"referee demo: --keep: {file} {reason}\n"
    assert kept.read_text() == "precious"


@pytest.mark.parametrize(("flag", "lost"), [("--board", "serial"), ("--table", "cv2")])
def test_demos_with_devices_name_the_packages_that_are_missing(monkeypatch, capsys, flag, lost):
    monkeypatch.setattr(command, "find_spec", lambda name: None if name == lost else name)
    assert main(["demo", flag]) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert f"{flag} needs the table packages ({lost}): pip install '.[table]'" in sentence
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = " ".join(project["optional-dependencies"]["board"])
    assert len(command.DEVICE_PACKAGES) == extra.count(">=")
    assert all(name in extra for name in command.DEVICE_PACKAGES)


def test_the_table_demo_asks_for_a_checkout_where_the_lab_is_missing(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "lab", None)
    monkeypatch.delitem(sys.modules, "lab.virtual_camera", raising=False)
    assert main(["demo", "--table"]) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert "--table needs a checkout of the project: git clone" in sentence
    assert "make demo-table" in sentence


def test_told_to_stop_it_stops_the_server(tmp_path):
    surroundings = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(demo("--delay", "30"), stdout=subprocess.PIPE, env=surroundings)
    assert process.stdout is not None
    assert any(line.startswith(b"Round 1") for line in process.stdout)
    assert list(tmp_path.iterdir())
    process.send_signal(signal.SIGTERM)
    assert process.wait(120) == 130
    process.stdout.close()
    assert not list(tmp_path.iterdir())


class Silent:
    def update(self, scene, line):
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with running_server() as running:
        address = running.url
        yield address


def short_game(server: str) -> DemoGame:
    table = PhoneTable(server, SHORT.ruleset, SHORT.names, {"target": 1})
    return DemoGame(SHORT, Silent(), table)


def tamper_with_moves(monkeypatch, change):
    """Let the referee's answers to moves be changed before the table hears them."""
    honest = PhoneTable.move

    def move(table, action, rng):
        entry = deepcopy(honest(table, action, rng))
        change(entry)
        return entry

    monkeypatch.setattr(PhoneTable, "move", move)


def refuse(entry):
    if entry["ruling"]["rule"] == "match":
        entry["ruling"]["verdict"] = "illegal"


def let_pass(entry):
    entry["ruling"]["verdict"] = "legal"


def miscount(entry):
    entry["state"]["hands"][0] += 1


def say_nothing(entry):
    entry["ruling"]["put_right"] = None


def cite_another_rule(entry):
    if entry["ruling"]["verdict"] == "illegal":
        entry["ruling"]["rule"] = "score.winner"


def change_the_game(entry):
    if entry["ruling"]["verdict"] == "illegal":
        entry["state"]["color"] = "purple"


def accuse(entry):
    if entry["ruling"]["verdict"] == "legal":
        proof = {"event": "proved", "seat": 1, "move": 1, "rule": "card.wild-draw-four"}
        entry["events"].append(proof)


def overpay(entry):
    if any(event["event"] == "scored" for event in entry["events"]):
        entry["state"]["scores"][0] += 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (refuse, "a legal play was refused"),
        (let_pass, "an illegal play passed"),
        (miscount, "the referee has hands as"),
        (say_nothing, "without a word on what to put right"),
        (cite_another_rule, "but what it breaks is"),
        (change_the_game, "yet it changed the game"),
        (accuse, "claims to have proof"),
        (overpay, "the hands give"),
    ],
)
def test_a_referee_that_is_wrong_is_caught(change, reason, server, monkeypatch):
    tamper_with_moves(monkeypatch, change)
    with pytest.raises(DemoError, match=reason):
        short_game(server).play()


def test_a_record_with_a_move_missing_is_caught(server, monkeypatch):
    honest = Client.get

    def get(client, path):
        body = honest(client, path)
        if path.endswith("/record"):
            del body["rounds"][0]["moves"][3]
        return body

    monkeypatch.setattr(Client, "get", get)
    with pytest.raises(DemoError, match="record is not the game that was played"):
        short_game(server).play()


def leak(seen):
    moved = next(e for e in seen if e["kind"] == "moved" and e["move"]["move"] == "draw")
    moved["announcements"] = [f"{moved['announcements']} It is the blue 9."]


def forget(seen):
    del seen[20]


@pytest.mark.parametrize(
    ("change", "reason"),
    [(leak, "cards in a hand: blue-9"), (forget, "every event once and in order")],
)
def test_a_stream_that_is_wrong_is_caught(change, reason, server, monkeypatch):
    monkeypatch.setattr(Spectator, "check_ended", lambda spectator: change(spectator.seen))
    with pytest.raises(DemoError, match=reason):
        short_game(server).play()


def test_a_refusal_is_one_readable_sentence(server):
    with pytest.raises(DemoError) as error:
        Client(server).post("/tables", {"ruleset": "power-grab", "seats": ["Ann"]})
    assert "POST /tables was refused with 422" in str(error.value)


def test_a_server_that_is_gone_is_said_to_be(monkeypatch):
    monkeypatch.setattr("referee.demo.http.client.PAUSE", 0.0)
    with pytest.raises(DemoError, match="got no answer in 4 tries"):
        Client("http://127.0.0.1:9").get("/rulesets")
