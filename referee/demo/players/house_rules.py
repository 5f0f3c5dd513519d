"""The house rules as players know them, from open cards and options alone."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from referee.rules.cards import Card

if TYPE_CHECKING:
    from referee.demo.players.dealer import Dealer
    from referee.demo.players.player import Player

Public = Mapping[str, Any]


def same_face(one: Card, other: Card) -> bool:
    """Return whether two cards have the same colour and the same number or symbol."""
    return (one.color, one.symbol) == (other.color, other.symbol)


def stacks(dealer: "Dealer", name: str, top: str) -> bool:
    """Return whether a card answers the draw card on top."""
    symbol, hit = dealer.card(name).symbol, dealer.card(top).symbol
    how = dealer.options.stacking
    if how == "same":
        return symbol == hit
    draws = dealer.ruleset.draws
    return how == "any" and draws.get(symbol, 0) >= draws[hit]


def can_be_doubted(dealer: "Dealer", top: str, flipped: bool) -> bool:
    """Return whether the card on top can be challenged."""
    return top == "wild-draw-four" and not flipped and dealer.options.wild_draw_four == "challenge"


def may_jump_in(player: "Player", name: str, public: Public) -> bool:
    """Return whether the player may lay a card out of turn."""
    dealer, memory = player.dealer, player.memory
    if dealer.options.jump_in == "off" or public["turn"] in (None, player.seat):
        return False
    if memory.follow_up is not None and memory.follow_up.seat == player.seat:
        return False
    card = dealer.card(name)
    if card.wild or not same_face(card, dealer.card(public["top"])):
        return False
    return all(need["need"] in ("play", "respond") for need in public["awaiting"])
