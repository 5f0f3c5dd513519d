"""Combinations of options that make no sense, refused when a table is made (house.options, R55)."""

from collections.abc import Callable

from referee.rules.message import Message
from referee.rules.position.state import Game
from referee.rules.rulings import RuleError

RULE = "house.options"
Check = Callable[[Game], bool]


def _hand_rounds(game: Game) -> bool:
    return game.options.rounds is not None and game.options.scoring == "hand"


def _team_elimination(game: Game) -> bool:
    return bool(game.options.teams) and game.options.scoring == "elimination"


def _uneven_teams(game: Game) -> bool:
    teams = game.options.teams
    uneven = any(len(team) != len(teams[0]) or len(team) < 2 for team in teams)
    return bool(teams) and (len(teams) < 2 or uneven)


def _without_team(game: Game) -> bool:
    teamed = sorted(seat for team in game.options.teams for seat in team)
    return bool(teamed) and teamed != list(range(1, len(game.seats) + 1))


def _too_many_cards(game: Game) -> bool:
    return _needed(game, len(game.seats)) > game.deck_size


def _needed(game: Game, seats: int) -> int:
    return seats * game.options.hand_size + 1


TOO_MANY_CARDS = Message("all hands and an opening card are more than the deck has")
# When options are refused: which, the one that is named first, and why.
REFUSED: tuple[tuple[Check, tuple[str, ...], Message], ...] = (
    (_too_many_cards, ("hand_size",), TOO_MANY_CARDS),
    (
        _hand_rounds,
        ("rounds", "scoring"),
        Message("has no meaning with scoring {scoring}", scoring="hand"),
    ),
    (
        _team_elimination,
        ("teams", "scoring"),
        Message("has no meaning with scoring {scoring}", scoring="elimination"),
    ),
    (
        _uneven_teams,
        ("teams",),
        Message("must be two teams at least, of two seats at least, and of equal size"),
    ),
    (_without_team, ("teams",), Message("must have each seat of the table in one team")),
)


def check_table(game: Game) -> None:
    """Check the options of a new table. Raises RuleError naming the option."""
    for is_so, options, reason in REFUSED:
        if is_so(game):
            raise RuleError(RULE, f"options.{options[0]}", reason)


def check_deck(game: Game, seats: int, field: str) -> None:
    """Check that a deck suffices for so many hands and an opening card. Raises RuleError."""
    if _needed(game, seats) > game.deck_size:
        raise RuleError(RULE, field, TOO_MANY_CARDS)
