"""A table on the server where every move is entered by phone."""

import uuid
from collections.abc import Callable
from random import Random
from typing import Any

from referee.demo.http.client import Answer, Client, DemoError, Json
from referee.rules.actions import Move
from referee.rules.codec import move_to_json

# The share of moves that are sent twice, as after a lost response.
RESENT = 0.04


class PhoneTable:
    """A table with a client for the host and for each seat.

    Attributes:
        version: The newest version that the players have seen.
        undone: Ids of moves that nobody made and that the host has undone.
        again: Original ids of moves that had to be entered again, by their new ids.
        tell: Called with a sentence about events that are no moves.
    """

    def __init__(self, server: str, ruleset: str, names: tuple[str, ...], options: Json) -> None:
        self.server = server
        self.ruleset, self.options = ruleset, options
        self.anybody = Client(server)
        wish = {"ruleset": ruleset, "seats": list(names), "options": options}
        created = self.anybody.post("/tables", wish).body
        self.id: str = created["table"]["id"]
        self.code: str = created["table"]["code"]
        self.host = Client(server, created["token"])
        self.seats = {seat: self._join(seat) for seat in range(1, len(names) + 1)}
        self.move_seconds: list[float] = []
        self.repeated = 0
        self.version = 0
        self.undone: set[int] = set()
        self.again: dict[int, int] = {}
        self.tell: Callable[[str], None] = lambda _: None
        self.read()

    def read(self) -> Json:
        """Read the table, which must not go back to an older version."""
        view = self.host.get(f"/tables/{self.id}")
        if view["version"] < self.version:
            raise DemoError(f"The table went back from version {self.version}.")
        self.version = view["version"]
        return view

    def join_to_watch(self) -> Json:
        """Return a new spectator's token and its id."""
        return self._joined({"code": self.code})

    def revoke(self, token_id: str) -> None:
        """Revoke a token as the host."""
        self.host.delete(f"/tables/{self.id}/tokens/{token_id}", self.version)
        self.version += 1

    def draw_for_deal(self, seat: int, card: str) -> Json:
        """Enter the card that a seat drew for the deal."""
        draws = {"draws": [{"seat": seat, "card": card}]}
        return self._write(self.seats[seat], "deal-draws", draws)

    def propose_card(self, seat: int, card: Json) -> Json:
        """Propose a custom card for a seat."""
        return self._write(self.seats[seat], "custom-cards", {"card": card})

    def approve_card(self, seat: int, number: int) -> Json:
        """Approve a custom card for a seat."""
        return self._write(self.seats[seat], f"custom-cards/{number}/approvals", {})

    def open_round(self, dealer: int, opening: tuple[str, ...]) -> Json:
        """Open a round as the dealer."""
        body = {"dealer": dealer, "opening": list(opening)}
        return self._write(self.seats[dealer], "rounds", body)

    def move(self, move: Move, rng: Random) -> Json:
        """Enter a move and return the log entry with its ruling.

        Now and then it is sent twice, as if the first response had been lost.
        """
        client, body, version = self.seats[move.seat], move_to_json(move), self.version
        del body["seat"]
        key = str(uuid.uuid4())
        entry = self._write(client, "moves", body, key, self.move_seconds)
        if rng.random() < RESENT:
            again = client.post(f"/tables/{self.id}/moves", body, version, key).body
            self.repeated += 1
            if again != entry:
                raise DemoError(f"Move {entry['id']}, sent twice, got two different responses.")
        return entry

    @property
    def open_cards(self) -> frozenset[str]:
        """Return open cards that the state does not show."""
        return frozenset()

    def settle(self) -> None:
        """Wait for devices to deliver what they observed."""

    def report(self) -> tuple[str, ...]:
        """Return further checks, as sentences."""
        return ()

    def _write(
        self,
        client: Client,
        where: str,
        body: Json,
        key: str | None = None,
        seconds: list[float] | None = None,
    ) -> Json:
        answer = client.post(f"/tables/{self.id}/{where}", body, self._if_match(), key)
        self._check_version(answer)
        self.version = answer.version
        if seconds is not None:
            seconds.append(answer.seconds)
        return answer.body

    def _if_match(self) -> int | None:
        return self.version

    def _check_version(self, answer: Answer) -> None:
        if answer.version != self.version + 1 or answer.body["id"] != answer.version:
            raise DemoError(
                f"The table's versions are not consecutive: entry {answer.body['id']}, "
                f"version {answer.version} after {self.version}."
            )

    def _join(self, seat: int) -> Client:
        return Client(self.server, str(self._joined({"code": self.code, "seat": seat})["token"]))

    def _joined(self, wish: dict[str, Any]) -> Json:
        return self.anybody.post("/join", wish).body
