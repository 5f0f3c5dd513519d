"""Every operation of tournaments in every role, as docs/rights.md says."""

from typing import Any

import pytest
from flask import Flask

from tests.api.clubs import Club, open_club, sender
from tests.api.conftest import API, KEY
from tests.api.test_rights_matrix import EVERY_PATH, read_matrix

ROLES, MATRIX = read_matrix("tournament operation")
BEGUN = frozenset(
    {
        *("changeClock", "endTournamentRound", "drawTournamentRound"),
        *("enterTournamentResult", "confirmTournamentResult"),
    }
)
BODIES: dict[str, Any] = {
    "createTournament": {"name": "Club", "ruleset": "classic-108"},
    "changeTournament": {"name": "Other"},
    "addTournamentPlayers": {"players": ["Zoe"]},
    "changeTournamentPlayer": {"status": "paused"},
    "addOrganiser": {"name": "Olle"},
    "drawTournamentRound": {"force": True},
    "startTournamentRound": {},
    "changeClock": {"change": "pause"},
    "enterTournamentResult": {"scores": [3, 2, 1, 0]},
    "confirmTournamentResult": {"agrees": True},
}


class World:
    """A tournament in its first round, with a token for each role."""

    def __init__(self, app: Flask, operation: str) -> None:
        self.club: Club = open_club(sender(app.test_client()), minutes=30)
        begun = self.club.play()
        phone = self.club.join(begun["tables"][0], 2)
        if operation == "confirmTournamentResult":
            for table in (1, 2):
                self.club.enter(1, table, [3, 2, 1, 0], decided=False)
        self.number = 1
        if operation not in BEGUN:
            self.number = self.club.call("POST", "/rounds", {"force": True})["round"]
        self.second = self.club.call("POST", "/organisers", {})["token_id"]
        self.tokens = {
            "nobody": None,
            "stranger": open_club(self.club.send).token,
            "seat": phone,
            "organiser": self.club.token,
            "operator": KEY,
        }

    def send(self, operation: str, role: str, table: int = 1) -> tuple[int, Any]:
        """Send a request that nothing but rights can be in the way of."""
        method, path = EVERY_PATH[operation]
        values = {
            "tournament_id": self.club.id,
            "token_id": self.second,
            "player": 1,
            "round_number": 1 if operation == "getTournamentRound" else self.number,
            "table_number": table,
        }
        path = path.removeprefix(API).format(**values)
        return self.club.send(method, path, self.tokens[role], BODIES.get(operation))


def test_every_operation_has_its_row() -> None:
    assert set(MATRIX) == {name for name, at in EVERY_PATH.items() if "/tournaments" in at[1]}
    for cells in MATRIX.values():
        assert set(cells.values()) <= {"yes", "no", "own"}


@pytest.mark.parametrize("operation", sorted(MATRIX))
def test_who_may(app: Flask, operation: str) -> None:
    rights = MATRIX[operation]
    world = World(app, operation)
    before = world.club.call("GET")["version"]
    for role in (role for role in ROLES if rights[role] == "no"):
        status, said = world.send(operation, role)
        assert status == (401 if role == "nobody" else 403), (role, said)
    for role in (role for role in ROLES if rights[role] == "own"):
        assert world.send(operation, role, table=2)[0] == 403, role
    assert world.club.call("GET")["version"] == before
    for role in (role for role in ROLES if rights[role] != "no"):
        status, said = World(app, operation).send(operation, role)
        assert 200 <= status < 300, (role, said)


@pytest.mark.parametrize("operation", sorted(MATRIX))
def test_who_reads_what_is_not_public(app: Flask, operation: str) -> None:
    if EVERY_PATH[operation][0] != "GET":
        return
    world = World(app, operation)
    world.club.call("PATCH", "", {"public": False})
    told = {role: world.send(operation, role)[0] for role in ROLES}
    assert told == {"nobody": 401, "stranger": 403, "seat": 200, "organiser": 200, "operator": 403}
