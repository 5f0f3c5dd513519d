"""A table for tests: open a round, make moves of the record, check the state."""

from collections.abc import Sequence
from typing import Any

from referee.rules.actions import Action
from referee.rules.codec import parse_move
from referee.rules.engine import decide, judge, new_game, open_round
from referee.rules.legal import offered_actions
from referee.rules.position.state import State
from referee.rules.position.views import public_state
from referee.rules.rulings import Ruling

# Decks with all the usual cards, for tests of rules that they share.
RULESETS = ("classic-108", "classic-112", "color-powers", "moomin", "power-grab")


def legal_actions(state: State) -> list[Action]:
    """Return the moves that would be ruled legal, also where that tells who has not called UNO."""
    return [action for action in offered_actions(state) if judge(state, action).legal]


class Table:
    """A game in its first round. ``legal`` and ``illegal`` make a move and check the ruling."""

    def __init__(
        self,
        ruleset: str,
        opening: str | Sequence[str] = "red-7",
        seats: int = 3,
        dealer: int = 1,
        **options: object,
    ) -> None:
        names = [f"Player {seat}" for seat in range(1, seats + 1)]
        self.state = new_game(ruleset, options, names)
        self.open(opening, dealer)

    def open(self, opening: str | Sequence[str] = "red-7", dealer: int = 1) -> "Table":
        """Deal a round."""
        cards = [opening] if isinstance(opening, str) else list(opening)
        self.state, self.events = open_round(self.state, dealer, cards)
        return self

    def given(self, **fields: Any) -> "Table":
        """Change fields of the state; new ``hands`` come from the draw pile."""
        state = self.state.fork()
        if "hands" in fields:
            state.draw_pile += sum(state.hands) - sum(fields["hands"])
        for name, value in fields.items():
            assert hasattr(State, name) or name in state.__dict__, name
            setattr(state, name, tuple(value) if isinstance(value, list) else value)
        self.state = state
        return self

    def holding(self, **powers: int) -> "Table":
        """Move towers or powers to seats; ``X`` means the tower "!"."""
        named = {"!" if power == "X" else power: seat for power, seat in powers.items()}
        return self.given(powers={**self.state.powers, **named})

    def move(self, seat: int, move: str, **fields: Any) -> Ruling:
        """Make a move and return the ruling."""
        action = parse_move({"seat": seat, "move": move, **fields}, len(self.state.hands))
        decision = decide(self.state, action)
        self.state, self.events = decision.state, list(decision.events)
        return decision.ruling

    def legal(self, seat: int, move: str, *, rule: str | None = None, **fields: Any) -> "Table":
        """Make a move that must be legal."""
        ruling = self.move(seat, move, **fields)
        assert ruling.legal, f"seat {seat} {move} {fields}: {ruling}"
        assert rule in (None, ruling.rule)
        return self

    def illegal(self, seat: int, move: str, rule: str, **fields: Any) -> "Table":
        """Make a move that must be illegal by the rule, and change nothing."""
        before = public_state(self.state)
        ruling = self.move(seat, move, **fields)
        assert not ruling.legal, f"seat {seat} {move} {fields} is ruled legal"
        assert ruling.rule == rule
        assert public_state(self.state) == before
        return self

    def play(self, seat: int, card: str, **fields: Any) -> "Table":
        """Play a card, which must be legal."""
        return self.legal(seat, "play", card=card, **fields)

    def lay(self, seat: int, card: str) -> "Table":
        """Play a card; a wild names red."""
        return self.play(seat, card, **({"color": "red"} if card.startswith("wild") else {}))

    def has(self, **expected: Any) -> "Table":
        """Check fields of the public state; ``awaiting`` is given as "2 play, 3 discard"."""
        public = public_state(self.state)
        public["awaiting"] = sorted(f"{n['seat']} {n['need']}" for n in public["awaiting"])
        if "awaiting" in expected:
            words = expected["awaiting"].split(",")
            expected["awaiting"] = sorted(word.strip() for word in words if word.strip())
        assert {name: public[name] for name in expected} == expected
        return self
