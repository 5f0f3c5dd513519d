"""An evening at a real table: real cards and a score sheet on paper, which the referee must match.

``Evening`` has what people do, each with what must be true after it. What the referee may not know
(the hands), and what it must get right (points, names, order, what was undone), is kept here.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random

from referee.demo.http.checks import check_ruling
from referee.demo.players import illegal_moves
from referee.demo.players.observer import Memory, move_seen, opening_seen
from referee.demo.players.player import Attempt, Habits, next_attempt
from referee.rules import actions as act
from referee.rules.codec import move_to_json
from referee.rules.engine import new_game
from referee.rules.position import events as ev
from referee.rules.ruleset import find_ruleset
from tests.table.phones import Json, Phone, join
from tests.table.real_cards import Guest, Kept, RealCards, forget_seat

ILLEGAL = (illegal_moves.wrong_card, illegal_moves.out_of_turn, illegal_moves.draw_twice)
ILLEGAL_CHANCE = 0.08
MOST_TRIES = 200
# Mostly sensible people: the rounds end before the evening does.
SOBER = Habits(bluffs=0.3, draws_anyway=0.03)
NOBODY: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Moment:
    """How it was before an entry of a round."""

    entry: int
    attempt: Attempt
    state: Json
    kept: Kept
    broken: frozenset[tuple[int, int, str]]


@dataclass
class Paper:
    """The score sheet on paper, of one game."""

    start: dict[int, int] = field(default_factory=dict)
    rounds: list[dict[int, int]] = field(default_factory=list)

    def total(self, seat: int) -> int:
        return self.start.get(seat, 0) + sum(one.get(seat, 0) for one in self.rounds)


class Evening:
    """A table with phones, real cards and paper."""

    def __init__(
        self,
        ruleset: str,
        seed: int,
        names: list[str],
        options: Json,
        phones: tuple[Phone, dict[int, Phone], Phone],
    ) -> None:
        self.ruleset, self.rng = find_ruleset(ruleset), Random(f"evening {ruleset}/{seed}")
        self.host, self.phones, self.watcher = phones
        self.acknowledged = self.host.acknowledged
        self.names = dict(enumerate(names, 1))
        self.order: list[int] = sorted(self.names)
        self.marks: dict[int, int] = {}
        self.of_round: list[int] = []
        self.begin(options)

    def begin(self, options: Json) -> None:
        """Begin a game: a fresh sheet of paper."""
        self.options, self.paper, self.memory = options, Paper(), Memory()
        parsed = new_game(self.ruleset.id, options, list(self.names.values())).game.options
        self.cards = RealCards(self.ruleset, parsed, len(self.names), self.rng)
        self.state: Json = self.host.get()["state"]
        self.broken: frozenset[tuple[int, int, str]] = frozenset()
        self.past: list[Moment] = []
        self.wrong: tuple[str, str] | None = None

    # Rounds

    def deal(self, dealer: int | None) -> Json:
        """Deal and turn up a card; None for whoever is next."""
        view = self.host.get()
        due = view["next_dealer"]
        self.cards.seat_down(tuple(self.order))
        self.players = [
            Guest(seat, self.cards, self.memory, self.rng, SOBER) for seat in self.order
        ]
        opening = self.cards.deal()
        body: Json = {"opening": list(opening)}
        if dealer is not None:
            body["dealer"] = dealer
        entry = self.phones[dealer or due].do("POST", "/rounds", body)
        assert entry["dealer"] == (dealer or due)
        self.past, self.broken, self.of_round = [], frozenset(), [entry["id"]]
        self.state = entry["state"]
        self._see(opening_seen(entry, self.ruleset))
        self.check("the deal")
        return entry

    def play(self, moves: int) -> None:
        """Make moves as long as the round lasts."""
        for _ in range(moves):
            if self.state["turn"] is None:
                return
            self.step()

    def play_until(self, moment: Callable[[], bool]) -> bool:
        """Play on until the moment has come; return whether it came before the round was over."""
        while self.state["turn"] is not None:
            if moment():
                return True
            self.step()
        return False

    def quiet(self) -> bool:
        """Return whether nothing but the next play is awaited, of a seat with cards enough."""
        needs = [one["need"] for one in self.state["awaiting"]]
        hands = [self.state["hands"][seat - 1] for seat in self.order]
        return needs == ["play"] and min(hands) > 1 and not self.memory.owed

    def step(self) -> Json:
        """Let somebody make the next move."""
        return self.enter(self.next_attempt())

    def next_attempt(self) -> Attempt:
        players = self.rng.sample(self.players, len(self.players))
        shown = {**self.state, "top": self.cards.discard_pile[-1]}
        if not self.wrong and self.rng.random() < ILLEGAL_CHANCE and self.state["turn"] is not None:
            for kind in self.rng.sample(ILLEGAL, len(ILLEGAL)):
                found = [one for player in players for one in kind(player, shown)]
                if found:
                    return self.rng.choice(found)
        for _ in range(MOST_TRIES):
            attempt = next_attempt(players, shown)
            assert attempt is not None, f"nobody knows what is awaited: {self.state['awaiting']}"
            if self._holds_either_way(attempt):
                return attempt
        raise AssertionError("nobody can go on")

    def _holds_either_way(self, attempt: Attempt) -> bool:
        """Return whether a move does not depend on which of two cards lies on top."""
        if self.wrong is None or self.state["top"] != self.wrong[0]:
            return True
        if not isinstance(attempt.move, act.Play):
            return True
        card = self.cards.card(attempt.move.card)
        return card.wild or card.color == self.state["color"]

    def enter(self, attempt: Attempt, stated: str | None = None) -> Json:
        """Enter a move, with another card than was laid if one is ``stated``; check the ruling."""
        move = attempt.move
        body = move_to_json(replace(move, card=stated) if stated else move)  # type: ignore[call-arg]
        kept, before = self.cards.keep(self.memory), self.state
        entry = self.phones[move.seat].do("POST", "/moves", body)
        self.past.append(Moment(entry["id"], attempt, before, kept, self.broken))
        self.of_round.append(entry["id"])
        self.state = entry["state"]
        place = f"entry {entry['id']}, {body}"
        check_ruling(attempt, entry, before, place)
        if attempt.hidden:
            self.broken |= {(move.seat, entry["number"], attempt.breaks)}
        if stated is not None and isinstance(move, act.Play):
            self.wrong = stated, move.card
        seen = move_seen(entry, move, before)
        if stated is not None and isinstance(move, act.Play):
            # On the table lies the card that was really laid.
            seen = [
                replace(one, card=move.card) if isinstance(one, ev.Played) else one for one in seen
            ]
        self._see(seen)
        self.check(place)
        return entry

    def _see(self, events: Iterable[ev.Event]) -> None:
        for event in events:
            self.cards.obey(event)
            self.memory.see(event)

    def show_hands(self, points: int | None = None, unknown: int | None = None) -> None:
        """Show the hands after the round, one by its ``points``, one ``unknown``; count."""
        while self.state["winner"] is None and self.state["awaiting"]:
            seat = self.state["awaiting"][0]["seat"]
            if seat == unknown:
                self.phones[seat].refused(
                    "POST", "/moves", {"seat": seat, "move": "reveal", "unknown": True}
                )
                told: Json = {"seat": seat, "move": "reveal", "unknown": True}
                self.state = self.host.do("POST", "/moves", told)["state"]
            elif seat == points:
                told = {"move": "reveal", "points": self.cards.points(seat)}
                self.state = self.phones[seat].do("POST", "/moves", told)["state"]
            else:
                player = next(one for one in self.players if one.seat == seat)
                self.enter(Attempt(act.Reveal(seat, player.hand())))
        out = self.state["round_winner"]
        self.write(out, {s: 0 if s == unknown else self.cards.points(s) for s in self.order})
        self.check_sheet()

    def write(self, out: int, hands: dict[int, int]) -> None:
        """Write a round on paper."""
        self.paper.rounds.append(self.counted(out, hands))

    def counted(self, out: int, hands: dict[int, int]) -> dict[int, int]:
        """Return what a round brings everybody."""
        if self.options.get("scoring", "winner") == "low":
            return {seat: points for seat, points in hands.items() if seat != out}
        return {out: sum(points for seat, points in hands.items() if seat != out)}

    # People

    def leave(self, seat: int) -> None:
        """Leave in the middle of a round."""
        entry = self.phones[seat].do("DELETE", f"/seats/{seat}")
        self.of_round.append(entry["id"])
        self.order.remove(seat)
        self.cards.leave(seat)
        forget_seat(self.memory, seat)
        self.players = [one for one in self.players if one.seat != seat]
        self.state = entry["state"]
        # What came before cannot be taken back card by card: the hand is shuffled away.
        self.past = []
        self.check("somebody left")
        again = self.phones[seat].do("DELETE", f"/seats/{seat}")
        self.of_round.append(again["id"])
        assert (again["ruling"]["verdict"], again["state"]) == ("illegal", self.state)

    def join(self, name: str, place: int, points: int) -> int:
        """Join between rounds, with points, at a place in the order; return the seat."""
        wish = {"name": name, "place": place, "points": points}
        self.host.do("POST", "/seats", wish)
        seat = len(self.names) + 1
        self.names[seat] = name
        self.order.insert(place - 1, seat)
        self.paper.start[seat] = points
        code = self.host.get()["code"]
        self.phones[seat] = join(self.host.server, code, seat, self.acknowledged)
        self.check_people()
        return seat

    def come_back(self, seat: int, place: int) -> None:
        self.host.do("POST", "/seats", {"seat": seat, "place": place})
        self.order.insert(place - 1, seat)
        self.check_people()

    def rename(self, seat: int, name: str) -> None:
        self.phones[seat].do("PATCH", f"/seats/{seat}", {"name": name})
        self.names[seat] = name
        self.check_people()

    def arrange(self, order: list[int]) -> None:
        self.host.do("PUT", "/seating", {"order": order})
        self.order = list(order)
        self.check_people()

    # Corrections

    def correct(self, phone: Phone, change: Json) -> Json:
        """Try a correction, and make it; both answer the same."""
        tried = phone.do("POST", "/corrections?preview=true", change)
        made = phone.do("POST", "/corrections", change)
        same = ("state", "changed", "fell", "stands", "differs", "announcements")
        assert [tried.get(name) for name in same] == [made.get(name) for name in same]
        assert made["announcements"]
        self.marks |= {deed["id"]: made["id"] for deed in made["fell"]}
        return made

    def take_back(self, moment: Moment, gone: list[Moment]) -> None:
        """Lay the cards as they lay, and check that the referee has done so too."""
        self.cards.put_back(moment.kept, self.memory)
        self.broken = moment.broken
        assert self.state == moment.state, "undone, the game is not as it was"
        self.check("after taking back")
        assert {one.entry for one in gone} <= self.marks.keys()

    def undo(self, count: int, phone: Phone | None = None) -> None:
        """Take back the last moves: one's own entry, or as the host everything since."""
        gone = self.past[-count:]
        change: Json = {"kind": "undo"}
        if count > 1:
            numbers = self.acknowledged[gone[0].entry]["number"]
            change |= {"move": numbers, "since": True}
        made = self.correct(phone or self.host, change)
        self.state = made["state"]
        assert sorted(deed["id"] for deed in made["fell"]) == [one.entry for one in gone]
        del self.past[-count:]
        self.take_back(gone[0], gone)

    def undo_and_redo(self, count: int) -> None:
        """Take moves back as the host, and take that back as well."""
        now, cards, past = self.state, self.cards.keep(self.memory), list(self.past)
        broken, gone = self.broken, self.past[-count:]
        self.undo(count)
        undone = max(self.acknowledged)
        made = self.correct(self.host, {"kind": "redo"})
        assert made["voids"] == undone
        assert sorted(deed["id"] for deed in made["stands"]) == [one.entry for one in gone]
        for one in gone:
            del self.marks[one.entry]
        self.marks[undone] = made["id"]
        self.state, self.past, self.broken = made["state"], past, broken
        assert self.state == now, "redone, the game is not as it was"
        self.cards.put_back(cards, self.memory)
        self.check("after the redo")

    def take_own_entry_back(self) -> None:
        """Let a player take the last entry back, and make the very same move again."""
        last = self.past[-1]
        others = [p for seat, p in self.phones.items() if seat != last.attempt.move.seat]
        others[0].refused("POST", "/corrections", {"kind": "undo"})
        self.undo(1, self.phones[last.attempt.move.seat])
        self.enter(last.attempt)

    def lay_wrong(self) -> bool:
        """Enter another card than was laid; return whether somebody could."""
        attempt = self.next_attempt()
        card = attempt.move.card if isinstance(attempt.move, act.Play) and attempt.legal else ""
        number, colour = card.partition("-")[2], card.partition("-")[0]
        # One that is still in the draw pile, so that the deck has it.
        like = [
            other
            for other in self.cards.draw_pile
            if other.startswith(colour) and other != card and other.partition("-")[2].isdecimal()
        ]
        matches = card and colour == self.state["color"]
        if not (matches and number.isdecimal() and like and len(set(self.state["hands"])) > 0):
            self.enter(attempt)
            return False
        self.enter(attempt, stated=like[0])
        return True

    def find_wrong(self) -> None:
        """Replace the card that was entered wrongly; the moves since stand."""
        assert self.wrong is not None
        place = next(
            one
            for one in reversed(self.past)
            if isinstance(one.attempt.move, act.Play)
            and one.attempt.move.card == self.wrong[1]
            and self.acknowledged[one.entry]["move"]["card"] == self.wrong[0]
        )
        entry = self.acknowledged[place.entry]
        since = [one for one in self.past if one.entry > place.entry]
        change = {"kind": "replace", "round": entry["round"], "move": entry["number"]}
        said = move_to_json(place.attempt.move)
        made = self.correct(self.host, {**change, "replacement": said})
        assert [deed["id"] for deed in made["fell"]] == [place.entry]
        assert made["changed"] == []
        assert len(since) >= 3
        self.state, self.wrong = made["state"], None
        self.of_round.append(made["id"])
        # Before it, the game was another one.
        self.past = []
        self.check("a wrong card was found")

    def misdeal(self) -> None:
        """Break the round off; the same dealer deals again."""
        view = self.host.get()
        scores, dealer = self.state["scores"], view["dealer"]
        standing = [number for number in self.of_round if number not in self.marks]
        made = self.correct(self.host, {"kind": "break-off"})
        assert sorted(deed["id"] for deed in made["fell"]) == standing
        assert made["state"]["scores"] == scores
        assert made["state"]["awaiting"] == []
        assert self.host.get()["next_dealer"] == dealer
        self.state = made["state"]

    # What must hold

    def check(self, place: str) -> None:
        """Compare the state with the table."""
        state, cards = self.state, self.cards
        hands = [len(cards.hand(seat)) for seat in sorted(self.names)]
        assert state["hands"] == hands, place
        assert state["draw_pile"] == len(cards.draw_pile), place
        assert state["discard_pile"] == len(cards.discard_pile), place
        top = cards.discard_pile[-1]
        told = (top, self.wrong[0]) if self.wrong and top == self.wrong[1] else (top,)
        assert state["top"] in told, place
        lying = [card for seat in cards.order for card in cards.hand(seat)]
        assert sorted([*lying, *cards.draw_pile, *cards.discard_pile]) == sorted(cards.deck), place
        if self.wrong is None:
            proved = {(one["seat"], one["move"], one["rule"]) for one in state["evidence"]}
            assert proved <= self.broken, place

    def scores(self) -> list[int]:
        """Return the totals on paper."""
        return [self.paper.total(seat) for seat in sorted(self.names)]

    def check_people(self) -> None:
        """Compare names, order and scores with the table's."""
        view = self.host.get()
        self.state = view["state"]
        assert {one["seat"]: one["name"] for one in view["seats"]} == self.names
        assert view["order"] == self.order
        assert [one["seat"] for one in view["seats"] if one["in"]] == sorted(self.order)
        assert view["state"]["scores"] == self.scores()

    def check_sheet(self) -> None:
        """Compare the score sheet with the paper."""
        self.check_people()
        sheet = self.watcher.get("/scores")
        assert sheet["scores"] == self.scores()
        assert sheet["seats"] == [self.names[seat] for seat in sorted(self.names)]
        told = [
            {seat: points for seat, points in enumerate(one["points"], 1) if points}
            for one in sheet["rounds"]
        ]
        assert told == [{s: n for s, n in one.items() if n} for one in self.paper.rounds]

    def check_log(self) -> None:
        """Nothing that was acknowledged is lost, and the right entries are marked as undone."""
        log = {entry["id"]: entry for entry in self.host.entries()}
        assert sorted(log) == list(range(1, self.host.get()["version"] + 1))
        for number, told in self.acknowledged.items():
            for name in ("kind", "at", "round", "number", "state", "by"):
                assert log[number].get(name) == told.get(name), (number, name)
        marked = {number: one["undone"] for number, one in log.items() if "undone" in one}
        assert marked == self.marks
