"""The deck with colour powers on stands (S3)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from referee.rules import actions as act
from referee.rules.cards import COLORS, Card
from referee.rules.deck import Deck, Numbers, Symbol
from referee.rules.play import checks, standard_cards
from referee.rules.play import effects as fx
from referee.rules.play.challenge import last_hit
from referee.rules.play.moves import (
    CARD,
    COMMON,
    ON_TURN,
    PLAY_BEFORE_MATCH,
    ROUND_ON,
    cards_in,
    choice_of_powers,
    lay,
    play,
    rule_of_card,
)
from referee.rules.play.rounds import go_out
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.events import Laid
from referee.rules.position.state import State
from referee.rules.position.views import owed
from referee.rules.ruleset import MoveRules, Ruleset
from referee.rules.rulings import Args

NUMBERS = Numbers(dict.fromkeys(range(1, 10), 2), per_color=17)
CHARACTERS = tuple(
    Symbol(f"wild-power-{color}", 4, 50, "card.wild-power", colored=False) for color in COLORS
)
SYMBOLS = (
    standard_cards.action("draw-two", 2),
    standard_cards.action("reverse", 1),
    standard_cards.action("skip", 1),
    *CHARACTERS,
    Symbol("wild-choose-power", 4, 50, "card.wild-choose-power", colored=False),
    standard_cards.WILD_DRAW_FOUR,
)
GAINED = {f"wild-power-{color}": color for color in COLORS}


def gain_power(draft: Draft, seat: int, card: Card) -> None:
    """card.wild-power: the player takes the stand of the colour that the card names."""
    power = GAINED.get(card.symbol)
    if power is not None:
        draft.take_power(seat, power)


def second_card(state: State, seat: int, card: Card) -> str | None:
    """power.blue: its holder may play a second card (R18)."""
    if state.powers["blue"] == seat and card.symbol != "wild-draw-four":
        return "power.blue"
    return None


def may_give(state: State, move: act.Give) -> Args | None:
    """power.red: its holder gives at least one red card to one other player."""
    cards = state.game.ruleset.deck.cards
    red = all(cards[name].color == "red" for name in move.cards if name in cards)
    other = move.to != move.seat and move.to in state.order
    if state.powers["red"] == move.seat and move.cards and red and other:
        return None
    return {"seat": move.seat, "to": move.to}


def not_while_showing(state: State, move: act.Give) -> Args | None:
    """round.awaiting: a hand that has to be shown must not change first (R32)."""
    for seat in (move.seat, move.to):
        if state.needs(seat, "reveal"):
            return {"seat": seat}
    return None


def may_end_round(state: State, move: act.Give) -> Args | None:
    """round.awaiting: no gift ends the round while a hand or the giver's answer is due (R58)."""
    if len(move.cards) < state.hands[move.seat - 1]:
        return None
    showing = any(need == "reveal" for _, need in state.awaiting)
    hit = last_hit(state)
    if showing or (hit is not None and hit[1] == move.seat):
        return {"awaiting": owed(state)}
    return None


def holds_gifts(state: State, move: act.Reveal) -> Args | None:
    """hand.known: a revealed hand holds what its seat was given and has not shown since (R57)."""
    gifts = state.gifts.get(move.seat, ())
    if move.hand is None or len(gifts) > state.hands[move.seat - 1]:
        # By a count that the host has set right, the seat cannot hold them all.
        return None
    missing = (Counter(gifts) - Counter(move.hand)).total()
    return {"seat": move.seat, "count": missing} if missing else None


def receiver_open(state: State, move: act.Give) -> Args | None:
    """power.yellow: its holder cannot be given red cards."""
    return None if state.powers["yellow"] != move.to else {"to": move.to}


def give(draft: Draft, move: act.Give) -> None:
    """Hand over red cards; giving away the last card ends the round (R17, R58)."""
    state, seat = draft.state, move.seat
    draft.emit(ev.Gave(seat, move.to, move.cards))
    draft.report_proofs(seat)
    left = state.hands[seat - 1]
    if left == 0:
        go_out(draft, seat, *(last_hit(state) or ()))
        return
    draft.emit(ev.Claimed(seat, state.moves, "power.red", "red", None, False))
    if left == 1:
        draft.owe_uno(seat)


def may_flip(state: State, move: act.Flip) -> Args | None:
    """power.green: its holder may flip a card, if there is one, instead of playing or drawing."""
    waits = state.needs(move.seat, "play")
    if state.powers["green"] == move.seat and waits and state.draw_pile + state.discard_pile > 1:
        return None
    return {"seat": move.seat}


def flip(draft: Draft, move: act.Flip) -> None:
    """Lay the top card of the draw pile like a played card (R19)."""
    state = draft.state
    seat = move.seat
    draft.begin_action()
    if state.draw_pile == 0:
        draft.reshuffle()
    if state.top is not None:
        draft.emit(ev.Claimed(seat, state.moves, "power.green", *checks.kind_to_play(state)))
    draft.emit(ev.Flipped(seat, move.card))
    if state.draw_pile == 0:
        draft.reshuffle()
    card = draft.card(move.card)
    laid = Laid(seat, move.card, state.seat_after(seat), flipped=True)
    lay(draft, card, laid, move.color, None)


MOVES: Mapping[type, MoveRules] = {
    **COMMON,
    act.Play: MoveRules(
        (*PLAY_BEFORE_MATCH, ("match", checks.matches), ("powers.choice", checks.offered_powers)),
        play,
        rule_of_card,
        "take-back",
    ),
    act.ChoosePowers: choice_of_powers("card.wild-choose-power"),
    act.Give: MoveRules(
        (
            *ROUND_ON,
            ("round.awaiting", not_while_showing),
            ("deck.unknown", checks.known_cards("cards")),
            ("power.red", may_give),
            ("power.yellow", receiver_open),
            ("hand.count", checks.holds_cards),
            *cards_in("cards"),
            ("round.awaiting", may_end_round),
        ),
        give,
        "power.red",
        "give-back",
    ),
    act.Reveal: replace(
        COMMON[act.Reveal],
        rows=(*COMMON[act.Reveal].rows, ("hand.known", holds_gifts)),
        remedies={**COMMON[act.Reveal].remedies, "hand.known": "show-gifts"},
    ),
    act.Flip: MoveRules(
        (*ON_TURN, ("power.green", may_flip), *CARD), flip, "power.green", "flip-back"
    ),
}

RULESET = Ruleset(
    id="color-powers",
    name="Colour powers on stands, 108 cards",
    deck=Deck(NUMBERS, SYMBOLS),
    folder=Path(__file__).parent,
    effects=standard_cards.EFFECTS,
    openings={
        **standard_cards.OPENINGS,
        **dict.fromkeys((*GAINED, "wild-choose-power"), fx.open_with_wild),
    },
    moves=MOVES,
    powers=COLORS,
    power_colors={color: color for color in COLORS},
    power_rules={color: f"power.{color}" for color in COLORS},
    protections=dict.fromkeys(("skip", "reverse", "draw-two", "wild-draw-four"), ("yellow",)),
    choices={"wild-choose-power": 1},
    draws=standard_cards.DRAWS,
    last_draws=standard_cards.DRAWS,
    replaced=standard_cards.PUT_BACK,
    gain=gain_power,
    follow_up=second_card,
)
