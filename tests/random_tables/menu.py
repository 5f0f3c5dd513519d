"""What may be done at a table: sensible moves, corrections and observations, odd ones, nonsense."""

from abc import ABC, abstractmethod
from random import Random
from typing import Any, NamedTuple

from referee.rules.cards import COLORS
from referee.rules.ruleset import find_ruleset
from tests.rules.builder import RULESETS
from tests.rules.custom_cards import HOUSE_RULES, house_options, random_options

Json = dict[str, Any]
# Cards that some deck has, or none.
CARDS = (
    *sorted({card for ruleset in RULESETS for card in find_ruleset(ruleset).deck.cards}),
    *("purple-3", "red-99", "joker", "wild", "é", "red-7:Z", "-", " ", "{card}", "<b>"),
)
POWERS = ("U", "N", "O", "1", "red", "yellow", "green", "blue", "Z", "")
NAMES = ("Fay", "Ann", "{seat}", "<b>", "Ætla", "%s", "\u200b")
STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 0, 1e308, 2**70, "", "x" * 300, "\u200b", "\u202e", [], {}, [[]]),
    *({"a": {"b": {}}}, "red 3", "purple-99", "wild-hold-hands", "１"),
)
AT = "2026-11-05T20:00:00+01:00"


class Request(NamedTuple):
    """What is sent below the table's path, and who may send it."""

    role: str
    method: str
    path: str
    body: Any = None


def random_game(seed: int, chance: Random) -> Json:
    """Return a table to be made: each deck in turn, every other table under some house rules."""
    ruleset = RULESETS[seed % len(RULESETS)]
    names = ["Ann", "Bo", "Cy", "Di", "Eve"][: chance.choice((2, 2, 3, 4, 5))]
    options = random_options(ruleset, chance)
    if options.get("scoring") != "hand":
        options["target"] = chance.choice((30, 100, 200))
    house = chance.sample(tuple(HOUSE_RULES), chance.randint(2, 6)) if seed % 2 else ()
    options |= house_options(ruleset, house, len(names), chance)
    return {"ruleset": ruleset, "seats": names, "options": options}


class Menu(ABC):
    """Requests at random for the table as it is ``seen`` by its host."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.seen: Json = {}
        self.log: list[Json] = []
        self.devices: dict[str, str] = {}
        self.sighting = 0

    @abstractmethod
    def get(self, path: str = "") -> Json:
        """Read below the table's path as the host."""

    @property
    def state(self) -> Json:
        """The public state."""
        return self.seen["state"]

    @property
    def due(self) -> list[int]:
        """Seats whose hand is awaited."""
        return [one["seat"] for one in self.state["awaiting"] if one["need"] == "reveal"]

    def faces(self) -> list[str]:
        """Return the cards that the deck has."""
        return list(find_ruleset(self.seen["ruleset"]).deck.cards)

    def deck(self) -> list[str]:
        """Return the cards of the deck, each as often as it is there."""
        deck = find_ruleset(self.seen["ruleset"]).deck
        cards = [(card, count) for card, count in deck.limits.items() if card in deck.cards]
        return [card for card, count in cards for _ in range(count)]

    def seat(self) -> int:
        return self.chance.randint(1, len(self.seen["seats"]) + (self.chance.random() < 0.03))

    def card(self) -> str:
        return self.chance.choice(self.faces() if self.chance.random() < 0.6 else CARDS)

    def cards(self, most: int = 4) -> list[str]:
        return [self.card() for _ in range(self.chance.randint(0, most))]

    def powers(self) -> list[str]:
        own = [*self.state["powers"], *POWERS]
        return [self.chance.choice(own) or "x" for _ in range(self.chance.randint(0, 3))]

    def hand(self, seat: int) -> Json:
        """Return a hand to show: as many cards as it has, or odd ones."""
        chance, hands = self.chance, self.state["hands"]
        if chance.random() < 0.1:
            return chance.choice(({"points": chance.randint(0, 300)}, {"unknown": True}))
        if chance.random() < 0.2 or seat > len(hands):
            return {"hand": self.cards(9)}
        return {"hand": chance.sample(deck := self.deck(), min(hands[seat - 1], len(deck)))}

    # Play

    def go_on(self) -> Request:
        """Return what the game waits for, mostly, or else any move."""
        chance = self.chance
        if not self.state["awaiting"]:
            return self.begin()
        if self.due and chance.random() < 0.85:
            seat = chance.choice(self.due)
            return self.moved({"seat": seat, "move": "reveal", **self.hand(seat)})
        moves = self.get("/legal-moves")["moves"] if chance.random() < 0.85 else []
        plays = [move for move in moves if move["move"] == "play"]
        if not moves:
            return self.any_move()
        return self.moved(chance.choice(plays if plays and chance.random() < 0.8 else moves))

    def any_move(self) -> Request:
        return self.moved(self.some_move())

    def moved(self, move: Json) -> Request:
        own = f"seat {move['seat']}" if self.chance.random() < 0.3 else "host"
        return Request(own, "POST", "/moves", move)

    def some_move(self) -> Json:
        """Return any move that can be read."""
        chance, turn = self.chance, self.state["turn"]
        seat = turn if turn and chance.random() < 0.5 else self.seat()
        card, color = self.card(), chance.choice(COLORS)
        move: Json = chance.choice(
            (
                {"move": "play", "card": card},
                {"move": "play", "card": card},
                {"move": "play", "card": card, "color": color, "uno": True},
                {"move": "play", "card": card, "powers": self.powers()},
                {"move": "flip", "card": card, "color": color},
                *({"move": name} for name in ("draw", "draw", "pass", "uno", "accept")),
                {"move": "challenge"},
                {"move": "catch", "accused": self.seat()},
                {"move": "swap", "with": self.seat()},
                {"move": "color", "color": color},
                {"move": "powers", "powers": self.powers()},
                {"move": "discard", "count": chance.randint(0, 9)},
                {"move": "discard", "cards": self.cards()},
                {"move": "give", "to": self.seat(), "cards": self.cards()},
                {"move": "report", "drawn": chance.randint(0, chance.choice((5, 112)))},
                {"move": "judge", "passed": chance.random() < 0.5},
                {"move": "reveal", **self.hand(seat)},
                {"move": "leave" if chance.random() < 0.2 else "draw"},
            )
        )
        return {"seat": seat, **move}

    def begin(self) -> Request:
        """Deal, enter a round by its result, start another game, or change who is there."""
        chance, order = self.chance, self.seen["order"]
        over = self.state["winner"] is not None
        if over and chance.random() < 0.85:
            return self.correction()
        if over or chance.random() < 0.02:
            new: Json = {}
            if chance.random() < 0.5:
                new["ruleset"] = chance.choice(RULESETS)
                new["options"] = random_options(new["ruleset"], chance)
            return Request("host", "POST", "/games", new)
        if len(order) < 2 or chance.random() < 0.15:
            return self.people()
        if chance.random() < 0.25:
            result = {"result": self.result(), "dealer": chance.choice((order[0], self.seat()))}
            return Request("host", "POST", "/rounds", result)
        card = chance.choice((*self.faces(), self.card()))
        body = {"opening": [card], "dealer": chance.choice((*order, self.seat()))}
        return Request("host", "POST", "/rounds", body)

    def result(self) -> Json:
        out, *others = self.chance.sample(self.seen["order"], len(self.seen["order"]))
        hands = (None, 5, 30, self.chance.randint(0, 60), self.cards())
        return {"out": out, "hands": {str(seat): self.chance.choice(hands) for seat in others}}

    def people(self) -> Request:
        """Come, go, change places, take another name or another referee."""
        chance, order = self.chance, self.seen["order"]
        name, place = f"N{self.seen['version']}", chance.choice((None, 1, 2))
        if chance.random() < 0.3:
            name = chance.choice(NAMES)
        seat = self.seat()
        method, path, body = chance.choice(
            (
                ("POST", "/seats", {"name": name, "place": place}),
                ("POST", "/seats", {"seat": seat}),
                ("PATCH", f"/seats/{seat}", {"name": name}),
                ("DELETE", f"/seats/{seat}", None),
                ("PUT", "/seating", {"order": chance.sample(order, len(order))}),
                ("PUT", "/seating", {"dealer": seat}),
                ("PUT", "/mode", {"mode": chance.choice(("score", "referee", "referee"))}),
                ("POST", "/host-request", {}),
                ("POST", "/games/end" if chance.random() < 0.2 else "/host-request", None),
            )
        )
        return Request("host" if path != "/host-request" else "seat 1", method, path, body)

    def before(self) -> Request:
        """Draw for the deal, propose a card or agree to it."""
        chance = self.chance
        card = {"text": "{card} sings.", "effects": [{"effect": "text", "text": "Sing {seat}!"}]}
        method, path, body = chance.choice(
            (
                ("POST", "/custom-cards", {"card": card, "seat": self.seat()}),
                ("POST", f"/custom-cards/{chance.randint(1, 3)}/approvals", {"seat": self.seat()}),
                ("DELETE", f"/custom-cards/{chance.randint(1, 3)}", None),
                ("POST", "/deal-draws", {"draws": [{"seat": self.seat(), "card": self.card()}]}),
            )
        )
        return Request("host", method, path, body)

    def correction(self) -> Request:
        """Correct something, sometimes what is not there."""
        chance = self.chance
        kinds = ("undo", "redo", "overrule", "replace", "insert", "hand-count", "opening", "result")
        kind = chance.choice((*kinds, "break-off", "undo", "redo", "replace", "overrule"))
        change: Json = {"kind": kind}
        if kind == "hand-count":
            change |= {"seat": self.seat(), "count": chance.choice((0, 1, 2, 3, 7, 8, 100))}
        elif kind != "redo" and chance.random() < 0.1:
            change["entry"] = chance.randint(1, self.seen["version"])
        elif kind != "redo":
            if chance.random() < 0.5:
                change["round"] = chance.randint(1, self.seen["round"] + 1)
            if chance.random() < 0.6 and kind not in ("opening", "result", "break-off"):
                change["move"] = chance.randint(1, max(1, self.moves()))
        if kind == "overrule":
            change["verdict"] = chance.choice(("legal", "illegal"))
        elif kind in ("replace", "insert"):
            name = "replacement" if kind == "replace" else "inserted"
            change[name] = self.some_move()
            if self.state["awaiting"] and chance.random() < 0.6:
                change[name] = self.go_on().body
        elif kind == "opening":
            change |= {"dealer": self.seat()} if chance.random() < 0.5 else {}
            change |= {"opening": [chance.choice(self.faces())]} if chance.random() < 0.7 else {}
        elif kind == "result":
            change["result"] = self.result()
        elif kind == "undo" and chance.random() < 0.4:
            change |= chance.choice(({"since": True}, {"count": chance.randint(1, 3)}))
        preview = "?preview=true" if chance.random() < 0.05 else ""
        return Request("host", "POST", f"/corrections{preview}", change)

    def moves(self) -> int:
        """Return how many moves the log has of the present round."""
        kinds = [entry["kind"] for entry in self.log]
        return kinds[::-1].index("round-opened") if "round-opened" in kinds else 0

    # What devices see, and are told

    def probabilities(self) -> dict[str, float]:
        """Return what a camera may say of one card: it names cards of the deck alone."""
        chance, top = self.chance, self.state["top"]
        some = chance.sample(self.faces(), chance.randint(0, 3))
        if top is not None and chance.random() < 0.3:
            some = list(dict.fromkeys((top, *some)))
        left, found = 1.0, {}
        for card in some:
            found[card] = round(left * chance.choice((0.0, 0.3, 0.6, 0.98, 1.0)), 4)
            left -= found[card]
        return found

    def sights(self) -> list[Json]:
        """Return an observation of each kind and event."""
        chance, number, state = self.chance, self.sighting + 1, self.state
        base: Json = {"kind": "pile", "at": AT, "number": number}
        cards, seat = self.probabilities(), str(chance.randint(1, len(self.seen["seats"])))
        origin = chance.choice(({}, {"from": {seat: 0.9}}, {"from": {"draw-pile": 0.8}}))
        arm = chance.choice(({}, {"arm": chance.uniform(0, 360)}))
        place = {power: chance.randint(0, 10) for power in state["powers"]}
        lifted = {power: chance.choice(("lifted", "unknown")) for power in state["powers"]}
        due = self.due
        held = state["hands"][due[0] - 1] if due else chance.randint(0, 3)
        shown = [self.probabilities() for _ in range(held)]
        return [
            {**base, "event": "placed", "cards": cards, **origin, **arm},
            {**base, "event": "placed", "cards": cards, "laid": chance.choice((0, 0.5, 1))},
            {**base, "event": "found", "cards": cards},
            {**base, "event": "lifted", "cards": self.probabilities()},
            {**base, "event": "lifted", "cards": {}},
            {**base, "event": "cleared"},
            {**base, "event": "unread", **arm},
            {**base, "event": "same"},
            {**base, "event": "unsure", "cards": cards, "readings": ["lifted", "placed", "same"]},
            {**base, "event": "unsure", "cards": cards, "likelihoods": {"placed": 0.5, "same": 1}},
            {**base, "event": "placed", "cards": cards, "resolves": chance.randint(0, number)},
            {"kind": "camera", "at": AT, "state": "blind", "reason": "no-pile"},
            {"kind": "camera", "at": AT, "state": "watching"},
            {"kind": "hand", "at": AT, "shown": shown, **({"seat": due[0]} if due else {})},
            {"kind": "hand", "at": AT, "shown": shown},
            {"kind": "powers", "at": AT, "powers": place},
            {"kind": "powers", "at": AT, "powers": lifted},
        ]

    def observation(self) -> Request:
        """See something for good; cards laid more often than the rest."""
        sights = self.sights()
        seen = self.chance.choice([*sights[:3], *sights])
        self.sighting += self.chance.random() < 0.95
        role = "board" if seen["kind"] == "powers" else "camera"
        return Request(role, "POST", "/observations", seen)

    def answer(self) -> Request:
        """Answer an open question with an option, or with nonsense."""
        chance = self.chance
        if not self.seen["questions"]:
            return self.observation()
        question = chance.choice(self.seen["questions"])
        answer: Json = chance.choice(
            (
                {"option": chance.randint(1, len(question["options"]))},
                {"option": 1},
                {"card": self.card(), "seat": self.seat()},
                {"card": self.card()},
                {"hand": self.cards(9), "seat": self.seat()},
                {"hand": self.hand(question.get("seat", 1)).get("hand", [])},
            )
        )
        return Request("host", "POST", f"/questions/{question['id']}/answers", answer)

    def change_devices(self) -> Request:
        """Register a device, or send one away."""
        if len(self.devices) > 2:
            gone = self.chance.choice(list(self.devices))
            return Request("host", "DELETE", f"/devices/{gone}")
        kind = self.chance.choice(("camera", "board"))
        return Request("host", "POST", "/devices", {"name": kind, "kind": kind})

    def spoilt(self) -> Request:
        """Return something sensible with one value replaced."""
        sensible = (self.any_move, self.begin, self.correction, self.observation, self.answer)
        role, method, path, body = self.chance.choice(sensible)()
        body = dict(body or {})
        body[self.chance.choice([*body, "extra"])] = self.chance.choice(STRANGE)
        return Request(role, method, path, body)
