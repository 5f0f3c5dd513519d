"""Set the named parts of a position, such as ``powers=U2``, in the state."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from referee.rules.message import Message, quoted
from referee.rules.notation.words import (
    NotationError,
    color_from_word,
    name_from_word,
    names_from_word,
    number_from_word,
    seat_from_word,
)
from referee.rules.position import events as ev
from referee.rules.position.state import FollowUp, Ledger, Proof, State

FLAGS = frozenset({"opening", "parted", "flipped", "proved"})


def _pairs(state: State, word: str, part: str) -> dict[int, int]:
    pairs = [item.partition(":")[::2] for item in word.split(",")]
    return {
        seat_from_word(len(state.hands), seat, part): number_from_word(value, part)
        for seat, value in pairs
    }


def _at(state: State, word: str) -> None:
    number, _, moves = word.partition(".")
    state.round, state.moves = number_from_word(number, "at"), number_from_word(moves, "at")


def _dealer(state: State, word: str) -> None:
    state.dealer = seat_from_word(len(state.hands), word, "dealer")


def _seated(state: State, word: str) -> None:
    circle = tuple(seat_from_word(len(state.hands), seat, "seated") for seat in word.split(","))
    if len(set(circle)) < len(circle) or not set(state.order) <= set(circle):
        raise NotationError("seated", "must list each seat that is in once")
    state.circle = circle
    state.order = tuple(seat for seat in circle if seat in state.order)


def _deals(state: State, word: str) -> None:
    state.next_deal = seat_from_word(len(state.hands), word, "deals")


def _counted(state: State, word: str) -> None:
    state.counted = _pairs(state, word, "counted")


def _scores(state: State, word: str) -> None:
    state.scores = tuple(number_from_word(score, "scores") for score in word.split(","))
    if len(state.scores) != len(state.hands):
        raise NotationError(
            "scores", Message("must be {count}, one a seat", count=len(state.hands))
        )


def _scored(state: State, word: str) -> None:
    state.scored = number_from_word(word, "scored")


def _stack(state: State, word: str) -> None:
    state.stack = number_from_word(word, "stack")


def _out(state: State, word: str) -> None:
    state.round_winner = seat_from_word(len(state.hands), word, "out")


def _won(state: State, word: str) -> None:
    seats = tuple(seat_from_word(len(state.hands), seat, "won") for seat in word.split(","))
    state.winner = seats[0] if len(seats) == 1 else seats


def _cards_by_seat(name: str, field: str) -> Callable[[State, str], None]:
    def set_cards(state: State, word: str) -> None:
        by_seat = {}
        for item in word.split("/"):
            seat, _, words = item.partition(":")
            cards = tuple(names_from_word(words, name))
            unknown = state.game.ruleset.deck.unknown(cards)
            if unknown is not None:
                raise NotationError(name, Message("the deck has no {card}", card=unknown))
            by_seat[seat_from_word(len(state.hands), seat, name)] = cards
        setattr(state, field, by_seat)

    return set_cards


def _powers(state: State, word: str) -> None:
    for item in word.split(","):
        name = name_from_word(item.rstrip("0123456789"), "powers")
        if name not in state.powers:
            raise NotationError(
                "powers", Message("the deck has no power {name}", name=quoted(name))
            )
        seat = seat_from_word(len(state.hands), item[len(item.rstrip("0123456789")) :], "powers")
        state.powers = {**state.powers, name: seat}


def _more(state: State, word: str) -> None:
    seat, _, rest = word.partition(":")
    rule, only, card = rest.partition(":")
    card_only = name_from_word(card, "more") if only else None
    state.follow_up = FollowUp(seat_from_word(len(state.hands), seat, "more"), rule, card_only)


def _offers(state: State, word: str) -> None:
    offers = []
    for item in word.split(","):
        seat, _, power = item.partition(":")
        name = name_from_word(power, "offer")
        if name not in state.powers:
            raise NotationError("offer", Message("the deck has no power {name}", name=quoted(name)))
        offers.append((seat_from_word(len(state.hands), seat, "offer"), name))
    state.offers = tuple(offers)


def _draws(state: State, word: str) -> None:
    state.raised = _pairs(state, word, "draws")


def _open(state: State, word: str) -> None:
    open_hands: dict[int, tuple[int, ...]] = {}
    for item in word.split(","):
        word, _, other = item.partition(":")
        seat, until = (seat_from_word(len(state.hands), part, "open") for part in (word, other))
        open_hands[seat] = (*open_hands.get(seat, ()), until)
    state.open_hands = open_hands


def _notices(state: State, word: str) -> None:
    try:
        state.notices = tuple(
            ev.Announced(
                tuple(item["seats"]),
                str(item["text"]),
                bool(item["until_uno"]),
                int(item.get("until", 0)),
            )
            for item in json.loads(word)
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise NotationError("notices", "must be JSON: seats, text and until_uno of each") from None


def _laid(state: State, word: str) -> None:
    seat, _, rest = word.partition(":")
    victim, stated, move = rest.partition(":")
    if state.top is None:
        raise NotationError("laid", "there is no card on top")
    seats = len(state.hands)
    state.laid = ev.Laid(
        seat_from_word(seats, seat, "laid"),
        state.top,
        seat_from_word(seats, victim, "laid"),
        move=number_from_word(move, "laid") if stated else state.moves,
    )


def _taken(state: State, word: str) -> None:
    if state.laid is None:
        raise NotationError("taken", "needs laid= before it")
    state.ledgers = {state.laid.seat: Ledger(number_from_word(word, "taken"), ())}


def _proved(state: State, word: str) -> None:
    if state.laid is None:
        raise NotationError("proved", "needs laid= before it")
    state.evidence = (Proof(state.laid.seat, state.laid.move, "card.wild-draw-four"),)


def _laid_field(field: str, read: Callable[[str], Any]) -> Callable[[State, str], None]:
    """Return a function that sets a field of the card laid; needs ``laid=`` before it."""

    def put(state: State, word: str) -> None:
        if state.laid is None:
            raise NotationError(field, "needs laid= before it")
        state.laid = replace(state.laid, **{field: read(word)})

    return put


def _queue(state: State, word: str) -> None:
    paths = []
    for item in word.split(","):
        path = tuple(number_from_word(step, "queue") for step in item.split("."))
        if not _is_effect_path(state, path):
            raise NotationError(
                "queue", Message("no custom card has an effect {number}", number=item)
            )
        paths.append(path)
    state.queue = tuple(paths)


def _is_effect_path(state: State, path: tuple[int, ...]) -> bool:
    cards = state.game.options.custom_cards
    if len(path) == 1 and not cards:
        # For wild-tales: the seats that drew a card and have to discard.
        return 1 <= path[0] <= len(state.hands)
    if len(path) not in (2, 4) or path[0] >= len(cards) or path[1] >= len(cards[path[0]].effects):
        return False
    if len(path) == 2:
        return True
    dare = cards[path[0]].effects[path[1]]
    return path[2] < 2 and path[3] < len(dare.passed if path[2] else dare.failed)


def _opening(state: State, word: str) -> None:
    state.opening = True


def _parted(state: State, word: str) -> None:
    state.drawn_parted = True


SET: Mapping[str, Callable[[State, str], None]] = {
    "at": _at,
    "seated": _seated,
    "dealer": _dealer,
    "deals": _deals,
    "counted": _counted,
    "scores": _scores,
    "out": _out,
    "scored": _scored,
    "stack": _stack,
    "shown": _cards_by_seat("shown", "revealed"),
    "gifts": _cards_by_seat("gifts", "gifts"),
    "won": _won,
    "opening": _opening,
    "parted": _parted,
    "powers": _powers,
    "more": _more,
    "offer": _offers,
    "draws": _draws,
    "open": _open,
    "notices": _notices,
    "laid": _laid,
    "flipped": _laid_field("flipped", lambda word: not word),
    "before": _laid_field("color_before", lambda word: color_from_word(word, "before")),
    "again": _laid_field("again", str),
    "queue": _queue,
    "taken": _taken,
    "proved": _proved,
}
