"""The time of day is set while the server runs: by NTP, by hand, after a start without a clock.

``python -m bench clock`` does it under load and says how long answers took.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import requests

from tests.e2e.clock import Clock
from tests.e2e.server import PATIENCE, Server
from tests.e2e.test_kill import check, seat_down

HOUR = 3_600


def ask(url: str) -> requests.Response:
    return requests.get(url, timeout=PATIENCE)


def answers(url: str, pause: float = 0.0) -> Iterator[requests.Response]:
    """Ask again and again."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        yield ask(url)
        time.sleep(pause)


def exhaust(url: str) -> None:
    refused = next(answer for answer in answers(url) if answer.status_code == 429)
    assert refused.headers["Retry-After"] == "1"


def test_a_limit_counts_no_longer_than_it_says(tmp_path: Path) -> None:
    clock = Clock(tmp_path)
    env = {"REFEREE_LIMITS": "on", "REFEREE_LIMIT_ADDRESS": "4/second"}
    with Server(tmp_path / "clock.sqlite3", env=env, clock=clock) as server:
        url = f"{server.url}/api/v1/rulesets"
        exhaust(url)
        for jump in (HOUR, -HOUR, 400 * 24 * HOUR, -60 * 365 * 24 * HOUR):
            clock.set(jump)
            # The server really uses the other clock.
            year = time.strftime("%Y", time.gmtime(time.time() + jump))
            assert any(
                answer.status_code == 200 and answer.headers["Date"][12:16] == year
                for answer in answers(url, pause=1.05)
            )
            exhaust(url)


def test_moves_and_tickets_do_not_depend_on_the_time_of_day(tmp_path: Path) -> None:
    clock = Clock(tmp_path)
    with Server(tmp_path / "clock.sqlite3", clock=clock) as server:
        player = seat_down(server)
        table, headers = player.table, {"Authorization": f"Bearer {player.token}"}
        ticket = f"{server.url}/api/v1/tables/{table}/events"
        for jump in (HOUR, -HOUR, 0):
            clock.set(jump)
            state = player.get("")["state"]
            body = {"seat": state["turn"], "move": "draw"}
            player.send(f"drew-at{jump}", body)
            player.send(f"passed-at{jump}", {**body, "move": "pass"})
            asked = f"{server.url}/api/v1/tables/{table}/stream-tickets"
            made = requests.post(asked, headers=headers, timeout=PATIENCE)
            assert made.status_code == 201, made.text
            with requests.get(
                ticket, params={"ticket": made.json()["ticket"]}, stream=True, timeout=PATIENCE
            ) as stream:
                assert stream.status_code == 200
        check(player)
        made = requests.post(asked, headers=headers, timeout=PATIENCE).json()["ticket"]
        clock.set(-HOUR)
        # A ticket does not outlive a clock that is set back.
        assert requests.get(ticket, params={"ticket": made}, timeout=PATIENCE).status_code == 401
