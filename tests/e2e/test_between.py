"""A killed server: who has approved house rules, and since when a turn runs, are there again."""

from pathlib import Path

from tests.e2e.server import Server

RESULT = {"result": {"out": 1, "hands": {"2": 5}}, "dealer": 1}


def test_approvals_and_the_time_of_a_turn_outlive_a_killed_server(tmp_path: Path) -> None:
    with Server(tmp_path / "killed.sqlite3") as server:
        new = {"ruleset": "classic-112", "seats": ["Ann", "Bo"], "timer": {"seconds": 300}}
        made = server.ask("POST", "/tables", None, new)
        host, at = made["token"], f"/tables/{made['table']['id']}"
        server.ask("POST", f"{at}/rounds", host, RESULT)
        wish = {"preset": "home", "seat": 1}
        proposal = server.ask("POST", f"{at}/house-rules", host, wish)["id"]
        before = server.ask("GET", at, host)["house_proposal"]
        server.kill()
        server.start()
        assert server.ask("GET", at, host)["house_proposal"] == before
        answer = {"approve": True, "seat": 2}
        server.ask("POST", f"{at}/house-rules/{proposal}/answers", host, answer)
        server.kill()
        server.start()
        assert server.ask("GET", at, host)["house_proposal"]["agreed"]
        server.ask("POST", f"{at}/rounds", host, {"opening": ["red-7"]})
        running = server.ask("GET", at, host)["timer"]["running"]
        server.kill()
        server.start()
        found = server.ask("GET", at, host)
        assert found["timer"]["running"] == running
        assert (found["house_code"], found["house_proposal"]) == ("D1S1", None)
