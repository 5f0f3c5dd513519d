"""Decks as the camera knows them: which cards there are, and what they count in a hand."""

from hardware.camera.decks import RULESETS, Card, all_cards

ACTION, WRITTEN, WILD = 20, 40, 50
WRITTEN_WILDS = ("wild-shuffle", "wild-custom")
ACTIONS = ("skip", "reverse", "draw-one", "draw-two", "take-two-towers")


def cards_of(ruleset: str | None) -> tuple[Card, ...]:
    """The cards of a ruleset's deck, or of all decks. Raises KeyError."""
    return tuple(all_cards().values()) if ruleset is None else RULESETS[ruleset]


def points_of(card_id: str) -> int:
    """What a card counts in a hand, by the sheets' usual values. Raises KeyError."""
    card = all_cards()[card_id]
    if card.symbol.isdigit():
        return int(card.symbol)
    if card.symbol in ACTIONS:
        return ACTION
    return WRITTEN if card.symbol in WRITTEN_WILDS else WILD
