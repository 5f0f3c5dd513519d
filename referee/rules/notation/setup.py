"""Read a position from its line and check that the engine can continue from it."""

import json
import re
from collections.abc import Mapping

from referee.rules.engine import new_game
from referee.rules.message import Message, quoted
from referee.rules.notation.parts import FLAGS, SET
from referee.rules.notation.positions import CALLED, OWED, WAYS, can_be_challenged
from referee.rules.notation.words import (
    NOTHING,
    NotationError,
    color_from_word,
    name_from_word,
    number_from_word,
    seat_from_word,
)
from referee.rules.options import OPTIONS
from referee.rules.position.evidence import EMPTY_LEDGER, open_claim
from referee.rules.position.state import State
from referee.rules.rulings import RuleError

HEAD = ("ruleset", "hands", "turn", "awaiting", "top")
NEEDS = frozenset(
    (
        *("play", "drawn", "color", "powers", "respond", "reveal", "discard", "report", "judge"),
        "swap",
    )
)
# needs that concern a laid card, so that ``laid=`` is required
NEEDS_LAID = frozenset({"powers", "respond", "discard", "report", "judge", "swap"})
PILES = re.compile(r"(\d+)\+(\d+)")
LONGEST = 20_000


def position_from_text(text: str) -> State:
    """Parse a position. Raises NotationError, a FieldError that names the part.

    Players are named after their seats. If the piles are left out, the discard pile has one card
    and the draw pile the rest of the deck.
    """
    if len(text) > LONGEST:
        raise NotationError("position", Message("is longer than {most} characters", most=LONGEST))
    words = text.split()
    if len(words) < len(HEAD):
        raise NotationError(
            "position", Message("must give at least: {choices}", choices=", ".join(HEAD))
        )
    head = dict(zip(HEAD, words, strict=False))
    rest = words[len(HEAD) :]
    piles = PILES.fullmatch(rest[0]) if rest else None
    named = _named(rest[1:] if piles else rest)
    state = _game(head, named).fork()
    _set_hands(state, head["hands"])
    _set_turn(state, head["turn"], head["awaiting"])
    _set_top(state, head["top"])
    _set_piles(state, piles)
    for name, value in named.items():
        if name not in OPTIONS:
            SET[name](state, value)
    _check(state)
    _open_claim(state)
    return state


def _named(words: list[str]) -> dict[str, str]:
    named: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if name not in FLAGS | SET.keys() | OPTIONS.keys() or bool(equals) == (name in FLAGS):
            raise NotationError(
                "position", Message("{word} is not part of a position", word=quoted(word))
            )
        if name in named:
            raise NotationError(name, "is given twice")
        named[name] = value
    return named


def _game(head: Mapping[str, str], named: Mapping[str, str]) -> State:
    seats = [f"Seat {n}" for n in range(1, len(head["hands"].split(",")) + 1)]
    options = {name: _option(named[name]) for name in named if name in OPTIONS}
    try:
        return new_game(head["ruleset"], options, seats)
    except RuleError as error:
        raise NotationError(error.field, error.reason) from None


def _option(value: str) -> object:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _set_hands(state: State, word: str) -> None:
    items = word.split(",")
    state.order = tuple(seat for seat, item in enumerate(items, 1) if item[:1] != NOTHING)
    if not state.order:
        raise NotationError("hands", "a seat has to be in")
    state.hands = tuple(
        0
        if item == NOTHING
        else number_from_word(item.removeprefix(NOTHING).rstrip(CALLED + OWED), "hands")
        for item in items
    )
    called = [seat for seat, item in enumerate(items, 1) if item.endswith(CALLED)]
    state.uno = tuple(seat for seat in called if state.hands[seat - 1] == 1)
    state.early_calls = tuple(
        seat for seat in called if seat not in state.uno or items[seat - 1].endswith(CALLED * 2)
    )
    state.owed = tuple(seat for seat, item in enumerate(items, 1) if item.endswith(OWED))


def _set_turn(state: State, word: str, needs: str) -> None:
    directions = {sign: direction for direction, sign in WAYS.items()}
    if word[-1] not in directions:
        raise NotationError("turn", "must be a seat and a direction, such as 2> or 2<")
    state.direction = directions[word[-1]]
    state.turn = (
        None if word[:-1] == NOTHING else seat_from_word(len(state.hands), word[:-1], "turn")
    )
    if needs != NOTHING:
        state.awaiting = tuple(_need(state, need) for need in needs.split(","))


def _need(state: State, word: str) -> tuple[int, str]:
    seat, of_another, need = word.rpartition(":")
    if need not in NEEDS:
        raise NotationError(
            "awaiting",
            Message(
                "{need} is not one of {choices}",
                need=quoted(need),
                choices=", ".join(sorted(NEEDS)),
            ),
        )
    if of_another:
        return seat_from_word(len(state.hands), seat, "awaiting"), need
    if state.turn is None:
        raise NotationError(
            "awaiting", Message("must name the seat that {need} is awaited from", need=quoted(need))
        )
    return state.turn, need


def _set_top(state: State, word: str) -> None:
    if word == NOTHING:
        return
    name, stated, color = word.partition(">")
    ruleset = state.game.ruleset
    card = ruleset.deck.cards.get(name_from_word(name, "top"))
    if card is None or ruleset.left_out(card, state.game.options):
        raise NotationError("top", Message("the deck has no {card}", card=name))
    state.top = card.id
    state.color = card.color
    if stated:
        state.color = None if color == NOTHING else color_from_word(color, "top")
    state.known = dict.fromkeys(card.tallies, 1)
    state.powers = dict.fromkeys(ruleset.powers, 0)
    state.round = 1


def _set_piles(state: State, piles: re.Match[str] | None) -> None:
    if state.top is None:
        return
    held = sum(state.hands)
    if piles is None:
        state.discard_pile = 1
        state.draw_pile = state.game.deck_size - held - 1
    else:
        state.draw_pile, state.discard_pile = (
            number_from_word(count, "piles") for count in piles.groups()
        )
    cards = held + state.draw_pile + state.discard_pile
    if cards != state.game.deck_size or state.draw_pile < 0 or state.discard_pile < 1:
        raise NotationError(
            "piles",
            Message(
                "{held} in hands, {draw} and {discard} on the piles: the deck has {count} cards",
                held=held,
                draw=state.draw_pile,
                discard=state.discard_pile,
                count=state.game.deck_size,
            ),
        )


def _open_claim(state: State) -> None:
    """Open the claim of an unanswered wild-draw-four: its player held none of the colour."""
    laid = state.laid
    if laid is None or not can_be_challenged(state, laid) or state.evidence:
        return
    taken = state.ledgers.get(laid.seat, EMPTY_LEDGER).taken
    wilds = state.game.ruleset.challenge_counts_wilds
    rule = state.game.ruleset.deck.cards[laid.card].rule
    claimed = open_claim(EMPTY_LEDGER, laid.move, rule, laid.color_before, None, wilds)
    state.ledgers = {laid.seat: claimed._replace(taken=taken)}


def _check(state: State) -> None:
    """Check that the parts agree, so that no move leads to an impossible state."""
    if state.turn is not None:
        _check_round(state)
    elif state.awaiting and state.round_winner is None:
        raise NotationError("turn", "must be a seat, unless a seat is out (out=)")
    if state.top is None and any(state.hands):
        raise NotationError("top", "must be a card once hands are dealt")


def _check_round(state: State) -> None:
    if state.top is None:
        raise NotationError("top", "must be a card while a round is played")
    if not all(state.hands[seat - 1] for seat in state.order):
        raise NotationError("hands", "a seat without cards is out, and the round is over")
    if state.round_winner is not None or state.winner is not None:
        raise NotationError("turn", "must be - once a seat is out or has won")
    needs = {need for _, need in state.awaiting}
    if state.laid is None and needs & (NEEDS_LAID | {"reveal"}):
        raise NotationError("laid", "is missing: who laid the card on top, and against whom")
    if not state.queue and needs & {"judge", "report"}:
        raise NotationError("queue", "is missing: which effect of the custom card is awaited")
