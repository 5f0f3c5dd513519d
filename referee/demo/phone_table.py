"""A table at the server, as the players' devices use it together."""

import uuid
from collections.abc import Callable
from random import Random
from typing import Any

from referee.demo.client import Client, DemoError, Json
from referee.rules.actions import Move
from referee.rules.codec import move_to_json

# How often an answer is taken to be lost, so that the move has to be sent again.
LOST = 0.04


def _nobody(text: str) -> None:
    """Nobody listens yet."""


class PhoneTable:
    """One table: the host's client, one for each seat, and the version that all have seen."""

    def __init__(self, server: str, ruleset: str, names: tuple[str, ...], options: Json) -> None:
        self.server = server
        self.ruleset, self.options = ruleset, options
        self.anybody = Client(server)
        wish = {"ruleset": ruleset, "seats": list(names), "options": options}
        made = self.anybody.post("/tables", wish).body
        self.id: str = made["table"]["id"]
        self.code: str = made["table"]["code"]
        self.host = Client(server, made["token"])
        self.seats = {seat: self._join(seat) for seat in range(1, len(names) + 1)}
        self.move_seconds: list[float] = []
        self.repeated = 0
        self.version = 0
        # Entries that the host has undone, as nobody had made these moves.
        self.undone: set[int] = set()
        # Moves that had to be said again, by their new entries: the entries they had at first.
        self.again: dict[int, int] = {}
        # Whom to tell of what happens beside the moves.
        self.tell: Callable[[str], None] = _nobody
        self.read()

    def read(self) -> Json:
        """The table as it stands."""
        view = self.host.get(f"/tables/{self.id}")
        if view["version"] < self.version:
            raise DemoError(f"The table went back from version {self.version}.")
        self.version = view["version"]
        return view

    def join_to_watch(self) -> Json:
        """A token for a spectator, and its id."""
        return self._joined({"code": self.code})

    def send_away(self, token_id: str) -> None:
        """The host takes a token back."""
        self.host.delete(f"/tables/{self.id}/tokens/{token_id}", self.version)
        self.version += 1

    def draw_for_deal(self, seat: int, card: str) -> Json:
        """A seat shows the card it drew for the deal."""
        draws = {"draws": [{"seat": seat, "card": card}]}
        return self._write(self.seats[seat], "deal-draws", draws)

    def propose_card(self, seat: int, card: Json) -> Json:
        """A seat proposes a custom card."""
        return self._write(self.seats[seat], "custom-cards", {"card": card})

    def approve_card(self, seat: int, number: int) -> Json:
        """A seat approves a custom card."""
        return self._write(self.seats[seat], f"custom-cards/{number}/approvals", {})

    def open_round(self, dealer: int, opening: tuple[str, ...]) -> Json:
        """The dealer turns up the first card."""
        body = {"dealer": dealer, "opening": list(opening)}
        return self._write(self.seats[dealer], "rounds", body)

    def move(self, move: Move, rng: Random) -> Json:
        """A seat says what it did; the entry with the ruling comes back.

        Now and then the answer is taken to be lost and the move is sent once more.
        """
        client, body, version = self.seats[move.seat], move_to_json(move), self.version
        del body["seat"]
        key = str(uuid.uuid4())
        entry = self._write(client, "moves", body, key, self.move_seconds)
        if rng.random() < LOST:
            again = client.post(f"/tables/{self.id}/moves", body, version, key).body
            self.repeated += 1
            if again != entry:
                raise DemoError(f"Move {entry['id']}, sent twice, was answered in two ways.")
        return entry

    @property
    def lying(self) -> frozenset[str]:
        """The cards that lie open beside what the state says: none, where every move is said."""
        return frozenset()

    def settle(self) -> None:
        """Wait for what is still under way: nothing, where every move is said."""

    def report(self) -> tuple[str, ...]:
        """What else held, as sentences."""
        return ()

    def _write(
        self,
        client: Client,
        where: str,
        body: Json,
        key: str | None = None,
        seconds: list[float] | None = None,
    ) -> Json:
        answer = client.post(f"/tables/{self.id}/{where}", body, self.version, key)
        entry = answer.body
        if entry["id"] != self.version + 1 or answer.version != entry["id"]:
            said = f"entry {entry['id']}, version {answer.version} after {self.version}"
            raise DemoError(f"The table's versions do not count on: {said}.")
        self.version = entry["id"]
        if seconds is not None:
            seconds.append(answer.seconds)
        return entry

    def _join(self, seat: int) -> Client:
        return Client(self.server, str(self._joined({"code": self.code, "seat": seat})["token"]))

    def _joined(self, wish: dict[str, Any]) -> Json:
        return self.anybody.post("/join", wish).body
