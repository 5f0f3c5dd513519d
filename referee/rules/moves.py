"""The moves: which rules each is checked against, in order, and what a legal one does."""

from collections.abc import Mapping

from referee.rules import actions as act
from referee.rules import checks
from referee.rules import events as ev
from referee.rules.cards import Card
from referee.rules.draft import Draft
from referee.rules.events import Laid
from referee.rules.rounds import close_round, go_out
from referee.rules.ruleset import Check, MoveRules
from referee.rules.state import State

Rows = tuple[tuple[str, Check], ...]

ON: Rows = (("round.over", checks.round_on),)
CARD: Rows = (("deck.unknown", checks.known_card), ("deck.count", checks.possible_card))
PLAY_BEFORE_MATCH: Rows = (
    *ON,
    ("turn.order", checks.may_play),
    ("round.awaiting", checks.ready_to_play),
    *CARD,
)
MATCH: Rows = (("match", checks.matches),)
TURN: Rows = (*ON, ("turn.order", checks.on_turn), ("round.awaiting", checks.ready_to_play))


def cards_in(field: str) -> Rows:
    """deck.unknown and deck.count for the cards in a field."""
    return (
        ("deck.unknown", checks.known_cards(field)),
        ("deck.count", checks.possible_cards(field)),
    )


def rule_of_card(state: State, move: act.Play) -> str:
    """The rule that a card is played under."""
    return state.game.cards[move.card].rule


def rule_of_reveal(state: State, move: act.Reveal) -> str:
    """What a hand is shown for: a challenge, or the scores."""
    if state.round_winner is None:
        return "challenge"
    return "score.low" if state.game.options.scoring == "low" else "score.winner"


def play(draft: Draft, move: act.Play) -> None:
    """A card from the hand."""
    state = draft.state
    seat = move.seat
    card = draft.card(move.card)
    following = state.turn != seat and state.follow_up is not None
    if following and state.turn is not None:
        again = None
        victim = state.turn
        draft.emit(ev.FollowUpClosed())
    else:
        # A card that was drawn this turn is the only one that may be laid (R18).
        drawn = state.needs(seat, "drawn")
        again = None if drawn else state.game.ruleset.follow_up(state, seat, card)
        victim = state.seat_after(seat)
        draft.act()
        _end_raised(draft, seat)
    before = state.color
    draft.emit(ev.Played(seat, move.card))
    draft.prove(seat)
    if state.hands[seat - 1] == 0:
        go_out(draft, seat, card.symbol, victim)
        return
    if state.hands[seat - 1] == 1:
        draft.owe_uno(seat)
    if card.symbol == "wild-draw-four":
        wilds = state.game.ruleset.challenge_counts_wilds
        draft.emit(ev.Claimed(seat, state.moves, card.rule, before, None, wilds))
    laid = Laid(seat, move.card, victim, False, before, again, state.moves)
    lay(draft, card, laid, move.color, move.powers)
    if move.uno:
        call_uno(draft, act.CallUno(seat))


def lay(
    draft: Draft, card: Card, laid: Laid, color: str | None, powers: tuple[str, ...] | None
) -> None:
    """The card lies on the pile: take what it gives, ask for what it needs, then let it work."""
    state = draft.state
    ruleset = state.game.ruleset
    seat = laid.seat
    ruleset.gain(draft, seat, card)
    needs = []
    if card.color is None:
        if color is None:
            needs.append((seat, "color"))
        else:
            draft.emit(ev.ColorNamed(color))
    if card.symbol in ruleset.choices:
        if powers is None:
            needs.append((seat, "powers"))
        else:
            for power in powers:
                draft.take_power(seat, power)
    if needs:
        draft.emit(laid)
        draft.emit(ev.Awaited(state.turn, tuple(needs)))
    else:
        work(draft, card, laid)


def work(draft: Draft, card: Card, laid: Laid) -> None:
    """The card's effect, and whose turn comes after it."""
    effect = draft.state.game.ruleset.effects.get(card.symbol)
    follower = laid.victim if effect is None else effect(draft, laid)
    if follower is None:
        draft.emit(laid)
    else:
        end_turn(draft, laid, follower)


def end_turn(draft: Draft, laid: Laid, follower: int) -> None:
    """Play goes to ``follower``; the player of the card may be allowed another one still."""
    more = laid.again is not None and follower != laid.seat
    if not more:
        draft.end_early_call()
    draft.emit(ev.TurnCame(follower))
    if laid.again is not None and more:
        only = laid.card if draft.state.game.ruleset.follow_up_is_twin else None
        draft.emit(ev.FollowUpOpened(laid.seat, laid.again, only))


def _end_raised(draft: Draft, seat: int) -> None:
    if seat in draft.state.raised:
        draft.emit(ev.DrawRaised(seat, 0))


def draw(draft: Draft, move: act.Draw) -> None:
    """The card that a turn without a play costs."""
    state = draft.state
    seat = move.seat
    draft.act()
    if state.game.ruleset.forced_draw and state.top is not None:
        symbol = draft.card(state.top).symbol
        draft.emit(ev.Claimed(seat, state.moves, "draw.forced", state.color, symbol, True))
    count = state.raised.get(seat, 1)
    _end_raised(draft, seat)
    if draft.draw(seat, count):
        draft.emit(ev.Awaited(seat, ((seat, "drawn"),)))
    else:
        draft.come_to(state.seat_after(seat))


def pass_on(draft: Draft, move: act.Pass) -> None:
    """Keep the drawn card, or decline what is optional."""
    state = draft.state
    seat = move.seat
    if state.needs(seat, "drawn"):
        draft.come_to(state.seat_after(seat))
    elif state.needs(seat, "discard"):
        state.game.ruleset.moves[act.Discard].handler(draft, act.Discard(seat, count=0))
    elif state.needs(seat, "powers"):
        met(draft, seat, "powers")
    else:
        draft.end_early_call()
        draft.emit(ev.FollowUpClosed())


def name_color(draft: Draft, move: act.NameColor) -> None:
    """The colour after a wild."""
    draft.emit(ev.ColorNamed(move.color))
    if draft.state.laid is None:
        draft.come_to(move.seat)
    else:
        met(draft, move.seat, "color")


def choose_powers(draft: Draft, move: act.ChoosePowers) -> None:
    """The towers or the power of choice."""
    waited = draft.state.needs(move.seat, "powers")
    for power in move.powers:
        draft.take_power(move.seat, power)
    if waited:
        met(draft, move.seat, "powers")


def met(draft: Draft, seat: int, need: str) -> None:
    """One thing that the laid card needed is there; when it was the last, the card works."""
    state = draft.state
    left = tuple(n for n in state.awaiting if n != (seat, need))
    if left:
        draft.emit(ev.Awaited(state.turn, left))
    elif state.laid is not None:
        work(draft, draft.card(state.laid.card), state.laid)


def accept(draft: Draft, move: act.Accept) -> None:
    """Take the four cards."""
    draft.act()
    draft.draw(move.seat, 4)
    draft.come_to(draft.state.seat_after(move.seat))


def challenge(draft: Draft, move: act.Challenge) -> None:
    """Doubt the wild-draw-four: its player has to show the hand."""
    laid = draft.state.laid
    draft.act()
    if laid is not None:
        draft.emit(ev.Awaited(move.seat, ((laid.seat, "reveal"),)))


def reveal(draft: Draft, move: act.Reveal) -> None:
    """Show the whole hand: to the challenger, or to all at the end of the round."""
    state = draft.state
    hand = tuple(draft.card(name) for name in move.hand)
    if state.round_winner is None:
        _answer_challenge(draft, move, hand)
        return
    draft.emit(ev.Revealed(move.seat, move.hand))
    draft.prove(move.seat, hand)
    left = tuple(n for n in state.awaiting if n != (move.seat, "reveal"))
    draft.emit(ev.Awaited(None, left))
    if not left:
        close_round(draft)


def _answer_challenge(draft: Draft, move: act.Reveal, hand: tuple[Card, ...]) -> None:
    state = draft.state
    laid, challenger = state.laid, state.turn
    if laid is None or challenger is None:
        return
    draft.emit(ev.Revealed(move.seat, move.hand, challenger))
    draft.prove(move.seat, hand)
    # A hand that was caught or given cards since the wild-draw-four is shown with them in it. The
    # player is guilty when the cards shown, less those taken since, prove it; where a matching card
    # may be one of those taken since, they are presumed innocent. With none taken, which is nearly
    # always, that is the same as looking for a matching card in the hand.
    if any(proof[:2] == (move.seat, laid.move) for proof in state.evidence):
        draft.draw(move.seat, 4)
        draft.come_to(challenger)
    else:
        draft.draw(challenger, 6)
        draft.come_to(state.seat_after(challenger))


def call_uno(draft: Draft, move: act.CallUno) -> None:
    """UNO; by mistake it does nothing but end a ban."""
    state = draft.state
    counts = state.hands[move.seat - 1] == 1 or state.may_call_early(move.seat)
    if counts or state.notices:
        draft.emit(ev.UnoCalled(move.seat))


def catch(draft: Draft, move: act.Catch) -> None:
    """Two cards for a call not made."""
    draft.emit(ev.UnoMissed(move.accused))
    draft.draw(move.accused, 2)


def set_hand(draft: Draft, move: act.SetHand) -> None:
    """The host counts a hand again."""
    draft.emit(ev.HandSet(move.seat, move.count))


def nothing(draft: Draft, move: object) -> None:
    """A move that this deck does not have is never legal, so it is never carried out."""


NO_SUCH = MoveRules((*ON, ("round.awaiting", checks.never)), nothing, "round.awaiting")

COMMON: Mapping[type, MoveRules] = {
    act.Play: MoveRules((*PLAY_BEFORE_MATCH, *MATCH), play, rule_of_card, "take-back"),
    act.Draw: MoveRules((*TURN, ("draw", checks.not_drawn_yet)), draw, "draw", "put-back"),
    act.Pass: MoveRules(
        (*ON, ("turn.order", checks.may_take_turn), ("draw", checks.may_pass)), pass_on, "draw"
    ),
    act.NameColor: MoveRules(
        (*ON, ("card.wild", checks.waits_for("color"))), name_color, "card.wild"
    ),
    act.ChoosePowers: NO_SUCH,
    act.Accept: MoveRules(
        (*ON, ("challenge", checks.waits_for("respond"))), accept, "card.wild-draw-four"
    ),
    act.Challenge: MoveRules(
        (*ON, ("challenge", checks.waits_for("respond"))), challenge, "challenge"
    ),
    act.Reveal: MoveRules(
        (
            ("round.awaiting", checks.waits_for("reveal")),
            ("hand.count", checks.whole_hand),
            *cards_in("hand"),
        ),
        reveal,
        rule_of_reveal,
        "show-again",
    ),
    act.CallUno: MoveRules(ON, call_uno, "uno.call"),
    act.Catch: MoveRules((("uno.catch", checks.catchable),), catch, "uno.catch"),
    act.SetHand: MoveRules(
        (("round.over", checks.hand_in_play), ("hand.count", checks.possible_count)),
        set_hand,
        "host.hand-count",
    ),
    act.Discard: NO_SUCH,
    act.Give: NO_SUCH,
    act.Flip: NO_SUCH,
    act.Report: NO_SUCH,
    act.Judge: NO_SUCH,
}


def choice_of_powers(rule: str) -> MoveRules:
    """How towers or powers of choice are taken, citing ``rule`` when it is done."""
    rows: Rows = (
        *ON,
        ("round.awaiting", checks.may_choose),
        ("powers.choice", checks.offered_powers),
    )
    return MoveRules(rows, choose_powers, rule, "choose-again")
