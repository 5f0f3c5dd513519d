"""The start and the end of a round, and its scores."""

from collections.abc import Sequence

from referee.rules import events as ev
from referee.rules.draft import Draft
from referee.rules.events import Event
from referee.rules.message import Message
from referee.rules.options import Options
from referee.rules.rulings import RuleError
from referee.rules.state import State


def next_dealer(state: State) -> int:
    """Return the next round's dealer: the deal passes left (R4). 0 before the first round."""
    return state.dealer % len(state.game.seats) + 1 if state.dealer else 0


def open_round(
    state: State, dealer: int, opening: Sequence[str], abandon: bool = False
) -> tuple[State, list[Event]]:
    """Deal a round and apply the opening card, the last of those turned up.

    ``abandon`` gives up a round in progress, unscored. Raises RuleError if it is not time for a
    round, or if these cards cannot be turned up.
    """
    _check_no_round(state, abandon)
    if not 1 <= dealer <= len(state.game.seats):
        raise RuleError("setup.dealer", "dealer", Message("there is no seat {seat}", seat=dealer))
    discarded = _check_opening(state, opening)
    ruleset = state.game.ruleset
    draft = Draft(state.fork())
    top = ruleset.deck.cards[opening[-1]]
    seats = len(state.game.seats)
    pile = state.game.deck_size - ruleset.hand * seats - len(discarded)
    draft.emit(
        ev.RoundOpened(
            state.round + 1, dealer, tuple(opening), ruleset.hand, pile, discarded, top.color
        )
    )
    ruleset.openings[top.symbol](draft, top)
    return draft.state, draft.events


def _check_no_round(state: State, abandon: bool) -> None:
    if state.winner is not None:
        raise RuleError("round.over", "round", "the game is over")
    if abandon:
        return
    if state.in_progress:
        raise RuleError("round.over", "round", "a round is still being played")
    if state.awaiting:
        raise RuleError("round.over", "round", "hands of the last round are still to be shown")


def _check_opening(state: State, opening: Sequence[str]) -> tuple[str, ...]:
    ruleset = state.game.ruleset
    deck = ruleset.deck
    if not opening:
        raise RuleError("setup.opening", "opening", "must list the cards turned up, at least one")
    for i, name in enumerate(opening):
        card = state.game.cards.get(name)
        if card is None:
            raise RuleError(
                "deck.unknown", f"opening[{i}]", Message("the deck has no {card}", card=name)
            )
        rule = ruleset.replaced.get(card.symbol)
        last = i == len(opening) - 1
        if last and rule:
            raise RuleError(
                rule,
                f"opening[{i}]",
                Message("{card} does not stay on top: turn another", card=name),
            )
        if not last and not rule:
            raise RuleError(
                "setup.opening",
                f"opening[{i}]",
                Message("{card} stays on top: turn no more", card=name),
            )
    discarded = tuple(opening) if ruleset.replaced_stay else (opening[-1],)
    excess = deck.excess(discarded, {})
    if excess is not None:
        raise RuleError(
            "deck.count", "opening", Message("the deck does not have that many {card}", card=excess)
        )
    return discarded


def go_out(draft: Draft, seat: int, symbol: str | None = None, victim: int = 0) -> None:
    """end.out: the seat has no card left.

    ``symbol`` is that of a last card, ``victim`` the player it was laid against.
    """
    state = draft.state
    ruleset = state.game.ruleset
    count = ruleset.last_draws.get(symbol, 0) if symbol else 0
    if symbol and count and not draft.protected(victim, symbol):
        draft.draw(victim, count)
    draft.emit(ev.RoundWon(seat))
    if state.game.options.scoring == "hand":
        draft.emit(ev.Scored(state.scores))
        draft.emit(ev.GameWon((seat,)))
        return
    losers = [s for s in range(1, len(state.hands) + 1) if s != seat and state.hands[s - 1]]
    draft.emit(ev.Awaited(None, tuple((s, "reveal") for s in losers)))
    if not losers:
        close_round(draft)


def close_round(draft: Draft) -> None:
    """score.*: score the round once all hands are shown, and end the game if it is won."""
    scores = round_scores(draft.state)
    draft.emit(ev.Scored(scores))
    won = winners(scores, draft.state.game.options)
    if won:
        draft.emit(ev.GameWon(won))


def round_scores(state: State) -> tuple[int, ...]:
    """Return the scores by seat, once every hand of the round has been shown."""
    ruleset, options = state.game.ruleset, state.game.options
    cards = ruleset.deck.cards
    scores = list(state.scores)
    for seat, hand in state.revealed.items():
        scorer = seat if options.scoring == "low" else state.round_winner
        if scorer is not None:
            scores[scorer - 1] += sum(ruleset.points(cards[name], options) for name in hand)
    return tuple(scores)


def winners(scores: tuple[int, ...], options: Options) -> tuple[int, ...]:
    """Return the seats that have won the game, none before somebody reaches the target."""
    if max(scores) < options.target:
        return ()
    best = min(scores) if options.scoring == "low" else max(scores)
    return tuple(seat for seat, score in enumerate(scores, 1) if score == best)
