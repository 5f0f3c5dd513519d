"""What a group keeps survives kill -9: it is computed from the log."""

from pathlib import Path

from tests.e2e.server import Server
from tests.web.games import game_of


def test_a_group_survives_a_kill_and_counts_nothing_twice(tmp_path: Path) -> None:
    with Server(tmp_path / "tables.sqlite3") as server:
        made = server.ask("POST", "/groups", None, {"name": "Thursdays"})
        token, path = made["token"], f"/groups/{made['group']['id']}"
        hosts = []
        for _ in range(2):
            record = game_of(("Ann", "Bo", "Cy"), 1, target=1)
            table = server.ask("POST", "/records", None, record)
            address = f"/tables/{table['table']['id']}/group"
            server.ask("PUT", address, table["token"], {"token": token})
            hosts.append(table)
            if len(hosts) == 1:
                assert server.ask("GET", path, token)["games_kept"] == 1
        # The second game was never read when the server dies.
        server.kill()
        server.start()
        found = server.ask("GET", path, token)
        assert found["games_kept"] == 2
        assert {person["name"]: person["won"] for person in found["people"]} == {
            "Bo": 2,
            "Ann": 0,
            "Cy": 0,
        }
        assert server.ask("GET", path, token) == found
