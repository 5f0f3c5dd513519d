"""Each move's checks, in order, and its handler."""

from collections.abc import Mapping

from referee.rules import actions as act
from referee.rules.cards import Card
from referee.rules.play import challenge, checks, uno
from referee.rules.play.rounds import close_round, go_out
from referee.rules.play.scoring import scoring_of
from referee.rules.play.time_up import TIME_UP
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.events import Laid
from referee.rules.position.state import State
from referee.rules.ruleset import Check, MoveRules

Rows = tuple[tuple[str, Check], ...]

ROUND_ON: Rows = (("round.over", checks.round_on),)
CARD: Rows = (("deck.unknown", checks.known_card), ("deck.count", checks.possible_card))
PLAY_BEFORE_MATCH: Rows = (
    *ROUND_ON,
    ("turn.order", checks.may_play),
    ("round.awaiting", checks.ready_to_play),
    *CARD,
)
ON_TURN: Rows = (
    *ROUND_ON,
    ("turn.order", checks.on_turn),
    ("round.awaiting", checks.ready_to_play),
)


def cards_in(field: str) -> Rows:
    """Return the rows for deck.unknown and deck.count of the cards in a field."""
    return (
        ("deck.unknown", checks.known_cards(field)),
        ("deck.count", checks.possible_cards(field)),
    )


def rule_of_card(state: State, move: act.Play) -> str:
    """Return the rule that the card is played under."""
    return state.game.cards[move.card].rule


def rule_of_reveal(state: State, move: act.Reveal) -> str:
    """Return the rule that a hand is shown under: a challenge, or the scoring."""
    if state.round_winner is None:
        return "challenge"
    if move.hand is None:
        return "round.count"
    return "house.teams" if state.game.options.teams else scoring_of(state).rule


def play(draft: Draft, move: act.Play) -> None:
    """Play a card from the hand."""
    state = draft.state
    seat = move.seat
    card = draft.card(move.card)
    following = state.turn != seat and state.follow_up is not None
    if following and state.turn is not None:
        again = None
        victim = state.turn
        draft.emit(ev.FollowUpClosed())
    else:
        # After a draw, only the drawn card may be laid (R18).
        drawn = state.needs(seat, "drawn")
        again = None if drawn else state.game.ruleset.follow_up(state, seat, card)
        victim = state.seat_after(seat)
        draft.begin_action()
        if state.raised:
            _end_raised(draft, seat)
    put_down(draft, move, card, victim, again)


def put_down(draft: Draft, move: act.Play, card: Card, victim: int, again: str | None) -> None:
    """Lay the card of a play against ``victim``; ``again`` is the rule for another card then."""
    state = draft.state
    seat = move.seat
    before = state.color
    draft.emit(ev.Played(seat, move.card))
    if seat in state.ledgers:
        draft.report_proofs(seat)
    left = state.hands[seat - 1]
    if left == 0:
        go_out(draft, seat, card.symbol, victim, state.stack)
        return
    if left == 1:
        draft.owe_uno(seat)
    if move.uno:
        # With the card is at once after it: in this turn, and about this hand (R38, R45).
        uno.call(draft, act.CallUno(seat))
    ruleset = state.game.ruleset
    if card.symbol in ruleset.challenged:
        wilds = ruleset.challenge_counts_wilds
        draft.emit(ev.Claimed(seat, state.moves, card.rule, before, None, wilds))
    laid = Laid(seat, move.card, victim, False, before, again, state.moves)
    lay(draft, card, laid, move.color, move.powers)


def lay(
    draft: Draft, card: Card, laid: Laid, color: str | None, powers: tuple[str, ...] | None
) -> None:
    """Gain what the card gives and await its colour and powers, or apply its effect at once."""
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
        apply_effect(draft, card, laid)


def apply_effect(draft: Draft, card: Card, laid: Laid) -> None:
    """Apply the card's effect and give the turn to the next player."""
    effect = draft.state.game.ruleset.effects.get(card.symbol)
    follower = laid.victim if effect is None else effect(draft, laid)
    if follower is None:
        draft.emit(laid)
    else:
        end_turn(draft, laid, follower)


def end_turn(draft: Draft, laid: Laid, follower: int) -> None:
    """Give the turn to ``follower``; the card's player may be allowed to lay another."""
    more = laid.again is not None and follower != laid.seat and laid.seat in draft.state.order
    if draft.state.early_calls:
        draft.end_early_calls(laid.seat if more else None)
    draft.emit(ev.TurnCame(follower))
    if laid.again is not None and more:
        only = laid.card if laid.again == draft.state.game.ruleset.twin else None
        draft.emit(ev.FollowUpOpened(laid.seat, laid.again, only))


def _end_raised(draft: Draft, seat: int) -> None:
    if seat in draft.state.raised:
        draft.emit(ev.DrawRaised(seat, 0))


def draw(draft: Draft, move: act.Draw) -> None:
    """Draw instead of playing."""
    state = draft.state
    seat = move.seat
    draft.begin_action()
    count = state.raised.get(seat) or move.count or 1
    _end_raised(draft, seat)
    if draft.draw(seat, count):
        draft.emit(ev.Awaited(seat, ((seat, "drawn"),)))
    else:
        draft.give_turn(state.seat_after(seat))


def pass_on(draft: Draft, move: act.Pass) -> None:
    """Keep the drawn card, or decline an optional step."""
    state = draft.state
    seat = move.seat
    if state.needs(seat, "drawn"):
        draft.give_turn(state.seat_after(seat))
    elif state.needs(seat, "discard"):
        state.game.ruleset.moves[act.Discard].handler(draft, act.Discard(seat, count=0))
    elif state.needs(seat, "powers"):
        fulfil_need(draft, seat, "powers")
    else:
        # Only the seat on turn may still have called early.
        draft.end_early_calls(state.turn)
        draft.emit(ev.FollowUpClosed())


def name_color(draft: Draft, move: act.NameColor) -> None:
    """Name the colour after a wild."""
    draft.emit(ev.ColorNamed(move.color))
    state = draft.state
    if state.laid is None:
        # The host names the colour for a seat that has left.
        draft.give_turn(move.seat if move.seat in state.order else state.seat_after(move.seat))
    else:
        fulfil_need(draft, move.seat, "color")


def choose_powers(draft: Draft, move: act.ChoosePowers) -> None:
    """Take the chosen towers or power."""
    waited = draft.state.needs(move.seat, "powers")
    for power in move.powers:
        draft.take_power(move.seat, power)
    if waited:
        fulfil_need(draft, move.seat, "powers")


def fulfil_need(draft: Draft, seat: int, need: str) -> None:
    """Fulfil something that the laid card awaits; after the last, apply its effect."""
    state = draft.state
    left = tuple(n for n in state.awaiting if n != (seat, need))
    if left:
        draft.emit(ev.Awaited(state.turn, left))
    elif state.laid is not None:
        apply_effect(draft, draft.card(state.laid.card), state.laid)


def reveal(draft: Draft, move: act.Reveal) -> None:
    """Show the whole hand, to the challenger or, at the end of the round, to all."""
    state = draft.state
    if move.hand is None:
        draft.emit(ev.HandCounted(move.seat, move.points))
    else:
        hand = tuple(draft.card(name) for name in move.hand)
        if state.round_winner is None:
            challenge.decide_challenge(draft, move.seat, move.hand, hand)
            return
        draft.emit(ev.Revealed(move.seat, move.hand))
        draft.report_proofs(move.seat, hand)
    left = tuple(n for n in state.awaiting if n != (move.seat, "reveal"))
    draft.emit(ev.Awaited(None, left))
    if not left:
        close_round(draft)


def discard(draft: Draft, move: act.Discard) -> None:
    """Put cards from the hand under the top card."""
    if move.size:
        draft.emit(ev.Discarded(move.seat, move.size, move.cards or ()))
        draft.report_proofs(move.seat)
        if draft.state.hands[move.seat - 1] == 1:
            draft.owe_uno(move.seat)


def leave(draft: Draft, move: act.Leave) -> None:
    """Leave the table (R53): the hand goes to the draw pile, towers and stands to the tray."""
    state, seat = draft.state, move.seat
    before = state.fork()
    draft.emit(ev.SeatLeft(seat))
    for power, holder in before.powers.items():
        if holder == seat:
            draft.emit(ev.PowerMoved(power, 0, seat))
    for offer in before.offers:
        if offer[0] != seat and offer not in state.offers:
            # That its tower went to the tray must not close it.
            draft.emit(ev.PowerOffered(*offer))
    if before.turn is None:
        if before.needs(seat, "reveal"):
            draft.emit(ev.HandCounted(seat, None))
            if not state.awaiting:
                close_round(draft)
    elif len(state.order) == 1:
        draft.emit(ev.RoundBrokenOff(state.scores, 0))
    elif not state.needs(seat, "color"):
        _go_on_without(draft, seat, before)


def _go_on_without(draft: Draft, seat: int, before: State) -> None:
    """Let play go on after a seat has left; ``before`` is the state while it was there."""
    state = draft.state
    needs = {need for awaited, need in before.awaiting if awaited == seat}
    if needs & {"play", "drawn", "respond"}:
        draft.give_turn(state.seat_after(seat))
    elif any(need == "reveal" for _, need in before.awaiting):
        # A challenged hand: of the seat that has left, or of the one it challenged.
        if "reveal" in needs and before.turn is not None:
            draft.give_turn(before.turn)
        elif before.turn == seat:
            draft.give_turn(state.seat_after(seat))
    elif "powers" in needs and state.laid is not None:
        apply_effect(draft, draft.card(state.laid.card), state.laid)
    else:
        state.game.ruleset.seat_left(draft, seat, before)


def set_hand(draft: Draft, move: act.SetHand) -> None:
    """Set a hand count, as the host."""
    draft.emit(ev.HandSet(move.seat, move.count))


def _never_legal(draft: Draft, move: object) -> None:
    raise AssertionError("this deck has no such move")


NOT_IN_DECK = MoveRules(
    (*ROUND_ON, ("round.awaiting", checks.not_in_deck)), _never_legal, "round.awaiting"
)

COMMON: Mapping[type, MoveRules] = {
    act.Play: MoveRules(
        (*PLAY_BEFORE_MATCH, ("match", checks.matches)), play, rule_of_card, "take-back"
    ),
    act.Draw: MoveRules(
        (*ON_TURN, ("draw", checks.not_drawn_yet), ("draw", checks.one_card)),
        draw,
        "draw",
        "put-back",
    ),
    act.Pass: MoveRules(
        (*ROUND_ON, ("turn.order", checks.may_take_turn), ("draw", checks.may_pass)),
        pass_on,
        "draw",
    ),
    act.NameColor: MoveRules(
        (*ROUND_ON, ("card.wild", checks.waits_for("color"))), name_color, "card.wild"
    ),
    act.ChoosePowers: NOT_IN_DECK,
    act.Accept: MoveRules(
        (*ROUND_ON, ("challenge", checks.waits_for("respond"))),
        challenge.accept,
        "card.wild-draw-four",
    ),
    act.Challenge: MoveRules(
        (
            *ROUND_ON,
            ("challenge", checks.waits_for("respond")),
            ("challenge", checks.hand_to_show),
        ),
        challenge.challenge,
        "challenge",
    ),
    act.Reveal: MoveRules(
        (
            ("round.awaiting", checks.waits_for("reveal")),
            ("round.count", checks.may_be_counted),
            ("hand.count", checks.whole_hand),
            *cards_in("hand"),
        ),
        reveal,
        rule_of_reveal,
        "show-again",
        # Whoever has nothing to show has nothing to count.
        {"round.awaiting": None, "turn.order": None},
    ),
    act.Swap: NOT_IN_DECK,
    act.CallUno: MoveRules(ROUND_ON, uno.call, "uno.call"),
    act.Catch: MoveRules((("uno.catch", uno.catchable),), uno.catch, "uno.catch"),
    act.Leave: MoveRules((("seat.leave", checks.others_stay),), leave, "seat.leave"),
    act.TimeUp: TIME_UP,
    act.SetHand: MoveRules(
        (("round.over", checks.hand_in_play), ("hand.count", checks.possible_count)),
        set_hand,
        "host.hand-count",
    ),
    act.Discard: NOT_IN_DECK,
    act.Give: NOT_IN_DECK,
    act.Flip: NOT_IN_DECK,
    act.Report: NOT_IN_DECK,
    act.Judge: NOT_IN_DECK,
}


def choice_of_powers(rule: str) -> MoveRules:
    """Return the rules of choosing towers or powers, citing ``rule`` when legal."""
    rows: Rows = (
        *ROUND_ON,
        ("round.awaiting", checks.may_choose),
        ("powers.choice", checks.offered_powers),
    )
    return MoveRules(rows, choose_powers, rule, "choose-again")
