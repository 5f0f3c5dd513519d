"""The engine: rule on a move in a position and carry it out."""

from collections.abc import Iterable, Mapping

from referee.rules.actions import NAMES, Action, NameColor, Overruled
from referee.rules.facts import fact
from referee.rules.house import as_played
from referee.rules.message import Message, quoted
from referee.rules.play.combinations import check_table
from referee.rules.play.rounds import open_round
from referee.rules.play.scoring import is_out
from referee.rules.position.draft import Draft
from referee.rules.position.events import Event, Ruled
from referee.rules.position.fold import evolve_all
from referee.rules.position.state import FEWEST_SEATS, Game, State, new_state
from referee.rules.ruleset import MoveRules, Ruleset, find_ruleset, rulesets
from referee.rules.rulings import RuleError, Ruling
from referee.rules.suggestions import hinted

__all__ = ["Decision", "decide", "evolve_all", "new_game", "open_round"]

LONGEST_NAME = 80
# Rules that a host can overrule: those after which the state is still consistent.
OVERRULABLE = frozenset(
    {
        "turn.order",
        "match",
        "match.icon",
        "deck.count",
        "hand.known",
        "draw",
        "uno.catch",
        "opening.take-two-towers",
        "power.green",
        "power.red",
        "power.yellow",
        "house.stacking",
    }
)


@fact
class Decision:
    """A ruling, the events that follow, and the state after them."""

    ruling: Ruling
    events: tuple[Event, ...]
    state: State


def new_game(
    ruleset: str,
    options: Mapping[str, object],
    seats: Iterable[str],
    fewest: int = FEWEST_SEATS,
) -> State:
    """Return a game before its first round, of at least ``fewest`` players; others may join.

    Raises RuleError naming the invalid field.
    """
    names = tuple(seats)
    game = make_game(ruleset, options, names)
    _check_seats(names, fewest, game.ruleset.most_seats)
    check_table(game)
    return new_state(game)


def make_game(ruleset: str, options: Mapping[str, object], names: tuple[str, ...]) -> Game:
    """Return a game of players who may have come and gone, so that more have had a seat.

    Raises RuleError naming the invalid field.
    """
    try:
        rules = find_ruleset(ruleset)
    except KeyError:
        reason = Message("there is no ruleset {ruleset}", ruleset=quoted(ruleset))
        raise RuleError("setup.ruleset", "ruleset", hinted(reason, ruleset, rulesets())) from None
    parsed = rules.parse_options(options)
    deck = rules.deck
    cards = {card.id: card for card in deck if not rules.left_out(card, parsed)}
    missing = sum(deck.limits[name] for name in deck.cards if name not in cards)
    return Game(as_played(rules, parsed), parsed, names, deck.size - missing, cards)


def ruleset_as_played(ruleset: str, options: Mapping[str, object]) -> Ruleset:
    """Return a ruleset by id with the house rules of a table in it. Raises KeyError, RuleError."""
    rules = find_ruleset(ruleset)
    return as_played(rules, rules.parse_options(options))


def _check_seats(names: tuple[str, ...], fewest: int, most: int) -> None:
    if not fewest <= len(names) <= most:
        reason = Message(
            "{fewest} to {most} players can play, not {count}",
            fewest=fewest,
            most=most,
            count=len(names),
        )
        raise RuleError("setup.seats", "seats", reason)
    for i, name in enumerate(names):
        if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME:
            reason = Message("must be a name of 1 to {most} characters", most=LONGEST_NAME)
            raise RuleError("setup.seats", f"seats[{i}]", reason)
        if name in names[:i]:
            raise RuleError(
                "setup.seats", f"seats[{i}]", Message("the name {name} is taken", name=quoted(name))
            )


def judge(state: State, action: Action) -> Ruling:
    """Rule on a move without carrying it out."""
    overruled = False
    if isinstance(action, Overruled):
        if action.verdict == "illegal":
            return Ruling("illegal", "host.ruling")
        overruled = True
        action = action.move
    rules: MoveRules = state.game.ruleset.moves[type(action)]
    if action.seat not in state.order and not (
        isinstance(action, NameColor) and state.needs(action.seat, "color")
    ):
        # R53: the host names the colour that was awaited of a seat when it left.
        gone = "out" if is_out(state, action.seat) else "seat"
        return Ruling("illegal", "turn.order", {gone: action.seat}, rules.remedy_for("turn.order"))
    for rule, check in rules.rows:
        args = check(state, action)
        if args is not None and not (overruled and rule in OVERRULABLE):
            return Ruling("illegal", rule, args, rules.remedy_for(rule))
    if overruled:
        return Ruling("legal", "host.ruling")
    cites = rules.cites
    return Ruling("legal", cites if isinstance(cites, str) else cites(state, action))


def decide(state: State, action: Action) -> Decision:
    """Rule on a move and carry it out if it is legal.

    ``action.seat`` must be a seat of the table. ``state`` is not changed.
    """
    ruling = judge(state, action)
    move = action.move if isinstance(action, Overruled) else action
    draft = Draft(state.fork())
    draft.emit(Ruled(move.seat, NAMES[type(move)], ruling.verdict, ruling.rule))
    if ruling.verdict == "legal":
        state.game.ruleset.moves[type(move)].handler(draft, move)
    return Decision(ruling, tuple(draft.events), draft.state)
