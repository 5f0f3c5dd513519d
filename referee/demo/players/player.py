"""A simulated player, who chooses moves from the real hand and the public state.

Players are mostly sensible, sometimes forgetful, and now and then break a rule that only the hand
can show. Every choice comes with the rule it breaks, for checking the referee's rulings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from referee.demo.players.dealer import Dealer, can_be_doubted, same_face, stacks
from referee.demo.players.observer import Memory
from referee.rules import actions as act
from referee.rules.actions import Move
from referee.rules.cards import COLORS, Card
from referee.rules.custom import Effect
from referee.rules.position import events as ev

Public = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A move and the rule it breaks, "" for none.

    With ``hidden`` only the hand shows the breach: the referee rules the move legal until a reveal
    or cards shown later prove otherwise.
    """

    move: Move
    breaks: str = ""
    hidden: bool = False

    @property
    def legal(self) -> bool:
        """True if the referee must rule it legal."""
        return not self.breaks or self.hidden


@dataclass(frozen=True, slots=True)
class Habits:
    """Probabilities of a player's actions."""

    calls_uno: float = 0.7
    calls_late: float = 0.4
    catches: float = 0.6
    challenges: float = 0.4
    bluffs: float = 0.2
    draws_anyway: float = 0.1
    plays_more: float = 0.6
    names_at_once: float = 0.7
    gives: float = 0.2
    keeps_back: float = 0.0
    jumps_in: float = 0.7
    flips: float = 0.5
    calls_by_mistake: float = 0.02
    calls_early: float = 0.0


class Player:
    """A player of one seat. All players of a table may share a ``memory``."""

    def __init__(
        self, seat: int, dealer: Dealer, memory: Memory, rng: Random, habits: Habits | None = None
    ) -> None:
        self.seat = seat
        self.dealer = dealer
        self.memory = memory
        self.rng = rng
        self.habits = habits or Habits()

    def volunteer(self, public: Public) -> Attempt | None:
        """Choose a move that the referee does not wait for, if any."""
        if public["turn"] is None or self.seat in self.memory.out:
            return None
        memory, habits = self.memory, self.habits
        if self.seat in memory.owed and self._happens(habits.calls_late):
            return Attempt(act.CallUno(self.seat))
        careless = [seat for seat in memory.owed if seat != self.seat]
        if careless and self._happens(habits.catches):
            return Attempt(act.Catch(self.seat, self.rng.choice(careless)))
        offered = [offer.power for offer in memory.offers if offer.seat == self.seat]
        if offered and self._happens(0.5):
            return Attempt(act.ChoosePowers(self.seat, (self.rng.choice(offered),)))
        by_mistake = (memory.banned or self._happens(0.1)) and self._happens(
            habits.calls_by_mistake
        )
        if by_mistake and (memory.banned or self.seat not in public["uno"]):
            return Attempt(act.CallUno(self.seat))
        if public["turn"] == self.seat and self._now_and_then(habits.calls_early):
            return Attempt(act.CallUno(self.seat))
        return self._play_more(public) or self._gift(public) or self._jump_in(public)

    def respond(self, public: Public) -> Attempt | None:
        """Choose a move that the referee waits for; None if it waits for other seats."""
        needs = [n["need"] for n in public["awaiting"] if n["seat"] == self.seat]
        if not needs:
            return None
        need = self.rng.choice(needs)
        if need == "play":
            return self._turn(public)
        if need == "drawn":
            return self._after_draw(public)
        if need == "discard":
            return Attempt(self._discard(public))
        if need == "respond":
            return self._respond_to_hit(public)
        return Attempt(self._answer(need, public))

    def hand(self) -> tuple[str, ...]:
        """Return the cards of the seat."""
        return self.dealer.hand(self.seat)

    def playable(self, public: Public) -> list[str]:
        """Return the cards that may be played, with a wild-draw-four only if it is honest."""
        return [
            name
            for name in self.matching(public)
            if name != "wild-draw-four" or self.dealer.may_lay_draw_four(self.seat, public["color"])
        ]

    def matching(self, public: Public) -> list[str]:
        """Return the cards of the hand that match the pile."""
        return [name for name in self.hand() if self.matches(name, public)]

    def matches(self, name: str, public: Public) -> bool:
        """Return whether a card matches the pile."""
        return self.dealer.matches(name, public["color"], self.memory.opening)

    def laying(self, name: str, public: Public) -> act.Play:
        """Play a card, with or without naming the colour and powers and calling UNO at once."""
        card = self.dealer.card(name)
        color = self.rng.choice(COLORS) if card.wild else None
        powers = self.some_powers(name, public)
        down_to_one = len(self.hand()) == 2 or self._completes(card.icon, public)
        return act.Play(
            self.seat,
            name,
            color if self._happens(self.habits.names_at_once) else None,
            powers if self._happens(self.habits.names_at_once) else None,
            down_to_one and self._happens(self.habits.calls_uno),
            self._swapping_with(card),
        )

    def some_powers(self, name: str, public: Public) -> tuple[str, ...] | None:
        """Choose some of the powers that a card offers; None if it offers none."""
        most = self.dealer.ruleset.choices.get(self.dealer.card(name).symbol)
        if most is None:
            return None
        free = [power for power, seat in public["powers"].items() if seat != self.seat]
        wanted = self.rng.choice((most, most, self.rng.randint(0, most)))
        return tuple(self.rng.sample(free, min(wanted, len(free))))

    def _happens(self, probability: float) -> bool:
        return self.rng.random() < probability

    def _now_and_then(self, probability: float) -> bool:
        """Like ``_happens``, but without a habit the game's course of chance stays as it is."""
        return probability > 0 and self._happens(probability)

    def _completes(self, icon: str | None, public: Public) -> bool:
        others = [seat for power, seat in public["powers"].items() if power != icon]
        return icon is not None and all(seat == self.seat for seat in others)

    def _turn(self, public: Public) -> Attempt:
        matching, playable = self.matching(public), self.playable(public)
        flipped = self._flip(public, bool(matching))
        if flipped is not None:
            return flipped
        if "wild-draw-four" in matching and self._happens(self.habits.bluffs):
            play = self.laying("wild-draw-four", public)
            honest = "wild-draw-four" in playable
            return Attempt(play, "" if honest else "card.wild-draw-four", hidden=not honest)
        if playable and not self._happens(self.habits.draws_anyway):
            return Attempt(self.laying(self.rng.choice(playable), public))
        draw = act.Draw(self.seat, self._count_to_draw(public))
        if matching and self.dealer.options.forced_play == "any":
            return Attempt(draw, "draw.forced", hidden=True)
        return Attempt(draw)

    def _count_to_draw(self, public: Public) -> int | None:
        """Say how many cards come until one can be played, where the table draws until then."""
        if self.dealer.options.draw_until == "one":
            return None
        return self.dealer.draws_until_playable(public["color"], self.memory.opening) or None

    def _flip(self, public: Public, could_play: bool) -> Attempt | None:
        if public["powers"].get("green") != self.seat or act.Flip not in self._moves:
            return None
        name = self.dealer.next_card()
        if name is None or not self._happens(self.habits.flips / (8 if could_play else 1)):
            return None
        color = self.rng.choice(COLORS) if self.dealer.card(name).wild else None
        flip = act.Flip(
            self.seat, name, color if self._happens(self.habits.names_at_once) else None
        )
        return Attempt(flip, "power.green" if could_play else "", hidden=could_play)

    def _after_draw(self, public: Public) -> Attempt:
        hand = self.hand()
        cards = [name for name in self.dealer.drawn(self.seat) if name in hand]
        fitting = [name for name in cards if self.matches(name, public)]
        forced = fitting and self.dealer.options.forced_play != "off"
        kept = Attempt(act.Pass(self.seat), "draw.forced" if forced else "", hidden=bool(forced))
        if not fitting or self._happens(self.habits.draws_anyway):
            return kept
        name = self.rng.choice(fitting)
        honest = name != "wild-draw-four" or self.dealer.may_lay_draw_four(
            self.seat, public["color"]
        )
        if not honest and not self._happens(self.habits.bluffs):
            return kept
        breaks = "" if honest else "card.wild-draw-four"
        return Attempt(self.laying(name, public), breaks, hidden=not honest)

    def _answer(self, need: str, public: Public) -> Move:
        seat = self.seat
        if need == "color":
            return act.NameColor(seat, self.rng.choice(COLORS))
        if need == "powers":
            powers = self.some_powers(public["top"], public)
            return act.ChoosePowers(seat, powers) if powers else act.Pass(seat)
        if need == "swap":
            return act.Swap(seat, self.rng.choice(self.others()))
        if need == "reveal":
            return act.Reveal(seat, self.hand())
        if need == "report":
            color = self._color_to_draw(public["top"])
            return act.Report(seat, self.dealer.draws_until(color))
        return act.Judge(seat, self._happens(0.5))

    def _discard(self, public: Public) -> Move:
        hand = self.hand()
        if self.dealer.card(public["top"]).rule == "card.wild-custom":
            wilds = tuple(name for name in hand if self.dealer.card(name).wild)
            if self._happens(0.5):
                return act.Discard(self.seat, cards=wilds)
            return act.Discard(self.seat, count=len(wilds))
        declines = self.seat not in self.memory.bound and self._happens(0.2)
        if len(hand) < 2 or declines:
            return act.Pass(self.seat)
        if self._happens(0.3):
            return act.Discard(self.seat, count=1)
        return act.Discard(self.seat, cards=(self.rng.choice(hand),))

    def _color_to_draw(self, top: str) -> str:
        """Return the colour that the custom card on top makes the seat draw for."""
        written = self.dealer.options.custom_cards[int(top.rpartition("-")[2]) - 1]
        effects: list[Effect] = list(written.effects)
        while effects:
            effect = effects.pop(0)
            if effect.effect == "draw_until_color":
                return effect.color
            effects += [*effect.passed, *effect.failed]
        return COLORS[0]

    def _play_more(self, public: Public) -> Attempt | None:
        """Play a second card where a power or a house rule allows one."""
        more = self.memory.follow_up
        waits_for_play = any(n["need"] == "play" for n in public["awaiting"])
        if more is None or more.seat != self.seat or not waits_for_play:
            return None
        if self._happens(0.2):
            return Attempt(act.Pass(self.seat)) if public["turn"] != self.seat else None
        if public["turn"] == self.seat or not self._happens(self.habits.plays_more):
            return None
        cards = [name for name in self.playable(public) if self._allowed(more, name)]
        return Attempt(self.laying(self.rng.choice(cards), public)) if cards else None

    def _gift(self, public: Public) -> Attempt | None:
        if public["powers"].get("red") != self.seat or act.Give not in self._moves:
            return None
        reds = tuple(name for name in self.hand() if self.dealer.card(name).color == "red")
        shows = {n["seat"] for n in public["awaiting"] if n["need"] == "reveal"}
        to = [s for s in self.others() if s not in shows and public["powers"]["yellow"] != s]
        showing = self.seat in shows
        if not reds or not to or showing or not self._happens(self.habits.gives / 4):
            return None
        kept = len(reds) > 1 and self._now_and_then(self.habits.keeps_back)
        given = reds[1:] if kept else reds
        if len(given) == len(self.hand()) and self.must_not_go_out(public):
            return None
        breaks = "power.red" if kept else ""
        return Attempt(act.Give(self.seat, self.rng.choice(to), given), breaks, hidden=kept)

    def must_not_go_out(self, public: Public) -> bool:
        """Return whether a gift may not end the round: a hand is to be shown, or this seat is hit.

        Before the colour of a draw card is named, everybody waits who is hit.
        """
        needs = {n["need"] for n in public["awaiting"] if n["need"] != "respond"}
        hit = {n["seat"] for n in public["awaiting"] if n["need"] == "respond"}
        hits = self.dealer.card(public["top"]).symbol in self.dealer.ruleset.draws
        return "reveal" in needs or self.seat in hit or (hits and "color" in needs)

    def others(self) -> list[int]:
        """Return the other seats."""
        return [
            seat
            for seat in range(1, self.dealer.seats + 1)
            if seat != self.seat and seat not in self.memory.out
        ]

    def _allowed(self, more: ev.FollowUpOpened, name: str) -> bool:
        return more.only is None or same_face(self.dealer.card(name), self.dealer.card(more.only))

    def _swapping_with(self, card: Card) -> int | None:
        swaps = card.symbol == "7" and self.dealer.options.seven_zero == "on"
        if not swaps or not self._happens(self.habits.names_at_once):
            return None
        return self.rng.choice(self.others())

    def _jump_in(self, public: Public) -> Attempt | None:
        """Lay the very card on top out of turn."""
        cards = [name for name in self.hand() if may_jump_in(self, name, public)]
        if not cards or not self._happens(self.habits.jumps_in):
            return None
        return Attempt(self.laying(cards[0], public))

    def _respond_to_hit(self, public: Public) -> Attempt:
        """Stack a card, doubt the wild-draw-four, or accept."""
        cards = [name for name in self.hand() if stacks(self.dealer, name, public["top"])]
        if cards and not self._happens(self.habits.challenges):
            name = self.rng.choice(cards)
            honest = name != "wild-draw-four" or self.dealer.may_lay_draw_four(
                self.seat, public["color"]
            )
            breaks = "" if honest else "card.wild-draw-four"
            return Attempt(self.laying(name, public), breaks, hidden=not honest)
        doubtful = can_be_doubted(self.dealer, public["top"], self.memory.flipped)
        if doubtful and self._happens(self.habits.challenges):
            return Attempt(act.Challenge(self.seat))
        return Attempt(act.Accept(self.seat))

    @property
    def _moves(self) -> frozenset[type]:
        return EXTRA_MOVES.get(self.dealer.ruleset.id, frozenset())


def next_attempt(players: Sequence[Player], public: Public) -> Attempt | None:
    """Return the first move that a player volunteers, else the first that the referee awaits."""
    for choose in (Player.volunteer, Player.respond):
        for player in players:
            attempt = choose(player, public)
            if attempt is not None:
                return attempt
    return None


# Moves that only some decks have.
EXTRA_MOVES: Mapping[str, frozenset[type]] = {"color-powers": frozenset({act.Give, act.Flip})}


def may_jump_in(player: Player, name: str, public: Public) -> bool:
    """Return whether the player may lay a card out of turn."""
    dealer, memory = player.dealer, player.memory
    if dealer.options.jump_in == "off" or public["turn"] in (None, player.seat):
        return False
    if memory.follow_up is not None and memory.follow_up.seat == player.seat:
        return False
    card = dealer.card(name)
    if card.wild or not same_face(card, dealer.card(public["top"])):
        return False
    return all(need["need"] in ("play", "respond") for need in public["awaiting"])
