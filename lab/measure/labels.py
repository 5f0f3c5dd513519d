"""What a label stands for: a card of ours, or one of several that have the same face."""

from collections.abc import Mapping

ALIASES: Mapping[str, frozenset[str]] = {
    # Unwritten custom cards have one face; which of the three it is, only the table knows.
    **{
        label: frozenset(f"wild-custom-{n}" for n in (1, 2, 3))
        for label in ("wild-customizable", "wild-custom-1", "wild-custom-2", "wild-custom-3")
    },
    # The printed name of the card that the rule sheet calls Shuffle Hands.
    "wild-swap-hands": frozenset({"wild-shuffle"}),
}


def cards_of_label(label: str) -> frozenset[str]:
    """The ids of the cards that a label may mean."""
    return ALIASES.get(label, frozenset({label}))


def face_of(card: str) -> str:
    """One id for all cards of one face."""
    return min(cards_of_label(card))
