"""What every test rests on: live or deterministic, the databases, and how a run ended.

A *deterministic* test gives the same result on every processor and at any load: it starts no
process, opens no socket and does not sleep, and it decides at the first try. All others are *live*,
by the places below: they get a second and a third try, and who needed one is told.
"""

import json
import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests.postgres import MISSING, PostgresServer, binaries, private_server

ROOT = Path(__file__).parents[1]
# Folders, files and tests, as in the name of a test.
LIVE = (
    "tests/api/test_changed_house_rules.py::test_an_approval_and_a_refusal_at_once",
    "tests/api/test_changed_house_rules.py::test_two_last_approvals_at_once",
    "tests/api/test_events.py",
    "tests/api/test_house_rules.py::test_two_who_jump_in_at_once",
    "tests/api/test_long_games.py::test_long_games_wait_for_one_another_and_short_ones_do_not",
    "tests/api/test_metrics.py::test_processes_of_one_server_count_together",
    "tests/api/test_operator.py::test_a_server_that_is_told_to_sweeps",
    "tests/api/test_pairings.py::test_a_stream_says_that_somebody_asks",
    "tests/api/test_presence.py::test_the_server_looks_by_itself",
    "tests/api/test_processes.py",
    "tests/api/test_store_trouble.py",
    "tests/api/test_stream_limits.py",
    "tests/api/test_stream_shares.py",
    "tests/api/test_timer.py::test_of_many_phones_at_once_one_is_ruled_on",
    "tests/api/test_tournament_processes.py",
    "tests/api/test_webhook_processes.py",
    "tests/api/test_webhooks.py",
    "tests/api/test_writes.py",
    "tests/cli/mcp_server/",
    "tests/cli/test_admin.py",
    "tests/cli/test_elsewhere.py",
    "tests/cli/test_home.py",
    "tests/cli/test_main.py",
    "tests/cli/test_serve.py",
    "tests/contract/test_contract.py",
    "tests/contract/test_fuzz.py",
    "tests/demo/test_decks.py::test_longer",
    "tests/demo/test_demo.py",
    "tests/docs/test_docs.py::test_a_command",
    "tests/docs/test_docs.py::test_a_tour",
    "tests/docs/test_table_guide.py",
    "tests/e2e/",
    "tests/examples/",
    "tests/hardware/board/test_discovery.py",
    "tests/hardware/board/test_driver.py",
    "tests/hardware/board/test_driver_contract.py",
    "tests/hardware/board/test_transport.py",
    "tests/hardware/camera/learn/test_store.py::test_a_killed",
    "tests/hardware/camera/setup/test_mat.py::test_every_language",
    "tests/hardware/camera/setup/test_mat.py::test_the_pdf",
    "tests/hardware/camera/source/test_live.py",
    "tests/hardware/camera/source/test_pushed.py",
    "tests/hardware/camera/source/test_url.py",
    "tests/hardware/camera/source/test_v4l2.py",
    "tests/hardware/camera/test_device.py",
    "tests/hardware/camera/test_floor.py",
    "tests/hardware/camera/test_pipeline.py",
    "tests/hardware/camera/track/test_drawpile.py",
    "tests/hardware/camera/track/test_occlusion.py",
    "tests/hardware/camera/track/test_watcher.py",
    "tests/hardware/commands/camera/test_camera.py",
    "tests/hardware/commands/test_board.py",
    "tests/hardware/commands/test_doctor.py",
    "tests/hardware/commands/test_pair.py",
    "tests/hardware/commands/test_record.py",
    "tests/hardware/commands/test_run.py",
    "tests/hardware/commands/test_virtual_board.py",
    "tests/hardware/commands/test_wifi.py",
    "tests/hardware/firmware/test_building.py",
    "tests/hardware/firmware/test_micropython.py",
    "tests/hardware/firmware/test_start.py",
    "tests/hardware/firmware/test_wireless.py",
    "tests/hardware/flashing/test_flash.py",
    "tests/hardware/frames/test_phones.py",
    "tests/hardware/gateway/recording/test_recording.py",
    "tests/hardware/gateway/test_camera.py",
    "tests/hardware/gateway/test_confirmed_cards.py",
    "tests/hardware/gateway/test_examples.py",
    "tests/hardware/gateway/test_join.py",
    "tests/hardware/gateway/test_outbox.py",
    "tests/hardware/gateway/test_poster.py",
    "tests/hardware/gateway/test_runner.py",
    "tests/hardware/gateway/test_stream.py",
    "tests/hardware/gateway/test_with_the_server.py",
    "tests/hardware/test_cli.py",
    "tests/hardware/test_fault_run.py",
    "tests/hardware/test_other_systems.py",
    "tests/hardware/virtual_board/test_device.py",
    "tests/hardware/virtual_board/test_keys.py",
    "tests/hardware/virtual_board/test_ports.py",
    "tests/hardware/virtual_board/test_virtual_board.py",
    "tests/home/test_announce.py",
    "tests/home/test_door.py",
    "tests/home/test_gateway.py",
    "tests/home/test_names.py::test_this_machine",
    "tests/lab/films/",
    "tests/lab/measure/",
    "tests/lab/outcomes/",
    "tests/lab/virtual_camera/test_virtual_camera.py",
    "tests/service/test_periodic_task.py",
    "tests/service/test_webhook_sender.py",
    "tests/serving/",
    "tests/store/test_backup.py::test_copies_made_while_it_is_written_to_hold_a_moment_each",
    "tests/store/test_postgres.py",
    "tests/store/test_store.py",
    "tests/strike/",
    "tests/table/",
    "tests/test_audit.py::test_the_dockerfile",
    "tests/test_setup.py",
    "tests/web/",
)
# One of each live kind, for `make test`.
SMOKE = (
    "tests/contract/test_contract.py::test_answers_are_as_described[1]",
    "tests/e2e/test_kill.py::test_kill_under_load[sqlite]",
    "tests/hardware/board/test_driver_contract.py::test_on_each_rig",
    "tests/store/test_postgres.py::test_a_statement",
    "tests/table/test_rounds.py::test_a_round_is_followed_to_the_right_scores[moomin",
    "tests/web/test_access.py::test_keys_alone_set_up_a_table_and_play",
)
# Seconds. A test that waits for what does not come ends here, also on a busy machine.
MOST_SECONDS = {"deterministic": 300, "live": 600}
TRIES = 3
STORES = ("sqlite", "postgresql")
MEMORY, ROOM = "/dev/shm", 4 << 30
both_stores = pytest.mark.parametrize("store", STORES)

hypothesis.settings.register_profile("same", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("same")


# A shell's background job ignores SIGINT, and so would the commands that tests end by it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def work_in_memory() -> None:
    """Keep temporary files in memory if it has room: tests sync often, and need no disk for it."""
    with suppress(OSError):
        memory = os.statvfs(MEMORY)
        roomy = memory.f_bavail * memory.f_frsize >= ROOM and not memory.f_flag & os.ST_NOEXEC
        if roomy and "TMPDIR" not in os.environ:
            os.environ["TMPDIR"] = tempfile.tempdir = MEMORY


work_in_memory()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server for this worker; skips if none is installed."""
    if binaries() is None:
        pytest.skip(MISSING)
    with private_server() as server:
        yield server


@pytest.fixture(params=STORES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind, as the command line names it."""
    if request.param == "sqlite":
        return str(tmp_path / "store.sqlite3")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.database()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--album``, the folder for screenshots of the page, and ``--outcome``."""
    parser.addoption("--album", metavar="DIR", help="keep the screenshots of the page there")
    parser.addoption("--outcome", metavar="FILE", help="write there how the run ended, as JSON")


def is_live(item: pytest.Item) -> bool:
    """Whether the test rests on more than its own code: by its place, or on PostgreSQL."""
    return item.nodeid.startswith(LIVE) or "postgresql" in item.nodeid.partition("[")[2]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test by what it rests on, and let two workers begin with those of the page.

    Each worker is handed its share of the list in one piece: two are busy with browsers while the
    others wait for servers, and nobody is left with browsers at the end.
    """
    page = [item for item in items if item.nodeid.startswith("tests/web/")]
    others = [item for item in items if not item.nodeid.startswith("tests/web/")]
    half, middle = len(page) // 2, len(others) // 2
    items[:] = page[:half] + others[:middle] + page[half:] + others[middle:]
    for item in items:
        live = is_live(item)
        if live:
            item.add_marker("live")
            item.add_marker(pytest.mark.flaky(reruns=TRIES - 1))
            if item.nodeid.startswith(SMOKE):
                item.add_marker("smoke")
        seconds = MOST_SECONDS["live" if live else "deterministic"]
        item.add_marker(pytest.mark.timeout(seconds))


@pytest.fixture(autouse=True)
def deterministic(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse a deterministic test what it must not rest on."""
    if request.node.get_closest_marker("live"):
        return

    def refuse(*_: Any, **__: Any) -> None:
        pytest.fail("rests on a process, socket or clock: its place is missing in LIVE")

    # The product itself makes way for others for less than that.
    sleep = time.sleep
    monkeypatch.setattr(time, "sleep", lambda s: sleep(s) if s < 0.01 else refuse())
    monkeypatch.setattr(subprocess.Popen, "__init__", refuse)
    for name in ("connect", "bind"):
        monkeypatch.setattr(socket.socket, name, refuse)


def failure(report: pytest.TestReport) -> str:
    """Return the first two lines of what a test failed with."""
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = (crash.message if crash else str(report.longrepr)).strip().splitlines()
    return " | ".join(line.strip() for line in lines[:2])


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Name the tests that needed another try, and write the outcome for ``.ci/summary.py``."""
    stats = terminalreporter.stats
    again = sorted({report.nodeid: failure(report) for report in stats.get("rerun", ())}.items())
    for test, why in again:
        terminalreporter.write_line(f"NEEDED A SECOND TRY: {test}: {why}")
    file = config.getoption("--outcome")
    if file and not hasattr(config, "workerinput"):
        failed = [*stats.get("failed", ()), *stats.get("error", ())]
        outcome = {
            "passed": len(stats.get("passed", ())),
            "failed": len(failed),
            "skipped": len(stats.get("skipped", ())),
            "failures": [(report.nodeid, failure(report)) for report in failed],
            "second_tries": again,
        }
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text(json.dumps(outcome, indent=1), encoding="utf-8")
