"""A tournament that two server processes serve from one database."""

import pytest
from flask import Flask

from tests.api.clubs import Club, open_club, sender
from tests.api.conftest import at_once


@pytest.fixture
def clubs(apps: tuple[Flask, Flask]) -> tuple[Club, Club]:
    """The organiser of one tournament, connected to each process."""
    here = open_club(sender(apps[0].test_client()), options={"target": 50})
    return here, Club(sender(apps[1].test_client()), here.id, here.token, here.made)


def test_a_round_in_two_processes(clubs: tuple[Club, Club]) -> None:
    here, there = clubs
    table, other = here.play()["tables"]
    assert there.call("GET", "/rounds/1")["tables"][0]["code"] == table["code"]
    phones = {seat: there.join(table, seat) for seat in range(1, 5)}
    # The game ends in one process; each reader of both learns it, and it is reported once.
    there.count(table, 1, [0, 30, 30, 0])
    at_once(
        *(lambda club=club: club.call("GET", "/rounds/1") for club in (here, there, here, there))
    )
    path = "/rounds/1/tables/1/confirmations"
    for club, seat in zip((here, there, here, there), phones, strict=True):
        club.call("POST", path, {"agrees": True}, phones[seat])
    assert other["table"] == 2
    there.enter(1, 2, [4, 3, 2, 1])
    log = [entry["kind"] for entry in here.call("GET", "/events")["items"]]
    assert log.count("result-reported") == 2
    assert here.standings() == there.standings()
    # Something at the table that changes no result, in the process that has not looked since.
    _, mode = here.send("PUT", f"/tables/{table['table_id']}/mode", here.token, {"mode": "referee"})
    assert mode["mode"] == "referee"
    assert there.call("GET", "/rounds/1")["state"] == "over"


def test_two_draws_at_once_are_one(clubs: tuple[Club, Club]) -> None:
    here, there = clubs
    told: list[int] = []

    def draw(club: Club) -> None:
        told.append(club.send("POST", f"/tournaments/{club.id}/rounds", club.token, {})[0])

    at_once(lambda: draw(here), lambda: draw(there))
    assert sorted(told) == [201, 409]
    assert here.call("GET")["drawn"] == there.call("GET")["drawn"] == 1


def test_a_removed_organiser_is_out_in_both(clubs: tuple[Club, Club]) -> None:
    here, there = clubs
    second = there.call("POST", "/organisers", {"name": "Olle"})
    assert here.call("GET", token=second["token"])["organisers"]
    there.call("DELETE", f"/organisers/{second['token_id']}")
    for club in clubs:
        assert club.refused("PATCH", "", {"name": "X"}, second["token"])[0] == 401
