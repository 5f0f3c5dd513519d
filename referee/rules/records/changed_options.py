"""House rules changed between two rounds: which may change, and the game from then on."""

from collections.abc import Mapping
from typing import Any

from referee.rules.engine import make_game
from referee.rules.message import Message
from referee.rules.options import options_to_json
from referee.rules.play.combinations import RULE, check_deck
from referee.rules.position.state import Game, State, with_game
from referee.rules.rulings import RuleError

# What the rounds of one score sheet have in common, and the cards that the table has written.
SETTLED = ("scoring", "target", "rounds", "teams", "wild_tower_points", "custom_cards")


def changed_game(state: State, options: Mapping[str, Any]) -> Game:
    """Return the game under other house rules, as in a record; those not given are the deck's own.

    What is settled for the whole game stays, whether it is given or not. Raises RuleError when an
    option would change it, or means nothing.
    """
    before = state.game
    settled = {name: value for name, value in _stated(before).items() if name in SETTLED}
    after = make_game(before.ruleset.id, {**settled, **options}, before.seats)
    for name in options:
        if name in SETTLED and getattr(after.options, name) != getattr(before.options, name):
            raise RuleError(RULE, f"options.{name}", Message("is settled for the whole game"))
    return after


def with_house_rules(state: State, options: Mapping[str, Any] | None) -> State:
    """Return the state with other house rules for the rounds to come; None leaves them.

    Raises RuleError, also when the deck has too few cards for the hands.
    """
    if options is None:
        return state
    game = changed_game(state, options)
    check_deck(game, len(state.order), "options.hand_size")
    return with_game(state, game)


def round_options(game: Game) -> dict[str, object]:
    """Return the options of a game that may change between rounds, as a record's round has them."""
    return {name: value for name, value in _stated(game).items() if name not in SETTLED}


def _stated(game: Game) -> dict[str, object]:
    return options_to_json(game.options, game.ruleset.usual)
