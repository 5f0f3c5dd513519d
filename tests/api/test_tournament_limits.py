"""What one sender can cost the server with tournaments."""

from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.api import kept_answers
from referee.api.limits import work
from referee.config import NO_LIMITS, Guard
from referee.service import names
from referee.service.tournaments import rounds
from tests.api.clubs import open_club, sender
from tests.api.conftest import MakeApp

# A sentence once it is spelt out.
LONG = "\ufdfa"
MANY = [f"Player {n}" for n in range(200)]


def only(**limits: str) -> Guard:
    return Guard(limits=replace(NO_LIMITS, **limits))


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that were looked at letter by letter."""
    found: list[str] = []
    look = names._look

    def looking(name: str) -> str:
        found.append(name)
        return look(name)

    monkeypatch.setattr(names, "_look", looking)
    return found


def test_a_name_that_grows_is_refused_unseen(client: FlaskClient, looked: list[str]) -> None:
    send = sender(client)
    new: dict[str, Any] = {"name": "x", "ruleset": "classic-108"}
    new["players"] = ["Ann", *(f"{n:03}{LONG * 23}" for n in range(199))]
    status, answer = send("POST", "/tournaments", None, new)
    assert (status, answer["errors"][0]["field"]) == (422, "players[1]")
    assert set(looked) == {"x", "Ann"}
    # One such letter is a name, and the same as its letters.
    club = open_club(send, [LONG, "Bo"])
    _, said = club.refused("PATCH", "/players/2", {"name": names._look(LONG)})
    assert "taken" in said


def test_each_name_is_looked_at_once(client: FlaskClient, looked: list[str]) -> None:
    club = open_club(sender(client), MANY[:-1])
    # As it is, and as it reads in Latin letters; the evening's name too.
    assert len(looked) == 2 * len(MANY)
    looked.clear()
    status, said = club.refused("POST", "/players", {"players": [MANY[0].upper()]})
    assert status == 422
    assert "Player 0" in said
    assert len(looked) <= 2 * len(MANY)


def test_work_on_tournaments_is_counted(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    # However long it takes.
    monkeypatch.setattr(work, "MOVES_A_SECOND", 0)
    club = open_club(sender(make_app(only(work="4500/hour")).test_client()))
    club.call("POST", "/players", {"players": ["Ike"]})
    club.refused("POST", "/players", {"players": ["Ike"]})
    club.play()
    status, said = club.refused("POST", "/rounds", {"force": True})
    assert status == 429
    assert "4500 in an hour" in said


@pytest.mark.usefixtures("slow_work")
def test_time_on_tournaments_is_counted(make_app: MakeApp) -> None:
    club = open_club(sender(make_app(only(work="15000/hour")).test_client()))
    assert club.refused("POST", "/rounds", {})[0] == 429


def test_the_tables_of_a_round_count(make_app: MakeApp) -> None:
    send = sender(make_app(only(tables="7/hour")).test_client())
    club = open_club(send, MANY[:100], table_size=2)
    club.play()
    club.call("POST", "/rounds", {"force": True})
    assert club.refused("POST", "/rounds/2/start", {})[0] == 429


def test_a_tournament_has_so_many_tables(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "MOST_TABLES", 5)
    club = open_club(sender(client), table_size=2)
    club.play()
    status, said = club.refused("POST", "/rounds", {"force": True})
    assert status == 409
    assert "5 tables" in said


def test_files_are_rendered_once_and_sent_once(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = open_club(sender(client))
    club.play()
    club.enter(1, 1, [30, 20, 10, 0])
    for name in ("/export", "/results.csv", "/standings.csv", "/standings", "/standings?round=1"):
        path = f"/api/v1/tournaments/{club.id}{name}"
        first = client.get(path)
        with monkeypatch.context() as patch:
            for made in ("export", "result_lines", "standing_lines"):
                patch.delattr(f"referee.service.tournaments.export.{made}")
            patch.delattr("referee.api.resources.clubs.tournaments.standings_view")
            again = client.get(path)
            assert (again.data, again.headers["ETag"]) == (first.data, first.headers["ETag"])
            assert again.headers["Content-Type"] == first.headers["Content-Type"]
            known = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
            assert (known.status_code, known.data) == (304, b"")
        club.enter(1, 1, [0, 20, 10, 30])
        other = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert other.status_code == 200
        assert other.data != first.data
        club.enter(1, 1, [30, 20, 10, 0])


def test_kept_answers_have_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_answers, "MOST_KEPT", 10)
    kept = kept_answers.KeptAnswers()
    for version, name in enumerate(("a", "b", "b", "c")):
        kept.keep(("t", name), version, b"1234")
    assert [kept.get(("t", name), n) for name, n in (("a", 0), ("b", 1), ("b", 2), ("c", 3))] == [
        *(None, None),
        *(b"1234", b"1234"),
    ]


def test_rounds_come_in_pages(client: FlaskClient) -> None:
    club = open_club(sender(client))
    for _ in range(6):
        club.play(force=True)
    first = club.call("GET", "/rounds")
    rest = club.call("GET", f"/rounds?after={first['next']}")
    assert [one["round"] for one in first["items"] + rest["items"]] == [1, 2, 3, 4, 5, 6]
    assert rest["next"] is None
