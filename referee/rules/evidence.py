"""Evidence from shown cards, by counting (RULES.md section 7).

A hand gains cards only by taking them. If, since a move that claimed to hold no card of some kind,
a seat has shown more such cards than it has taken cards at all, at least one was in its hand then.
The claims of one kind share a ``Watch``. It counts the cards of the kind shown since the first of
them; each claim keeps as its base that count, less the cards taken, as it stood when it was made.
"""

from collections.abc import Iterable

from referee.rules.cards import Card
from referee.rules.state import Ledger, Proof, Watch

EMPTY = Ledger(0, ())


def counts(watch: Watch, card: Card) -> bool:
    """Whether the card is of the watched kind."""
    return (card.color == watch.color if card.color else watch.wilds) or card.symbol == watch.symbol


def claim(
    ledger: Ledger,
    move: int,
    rule: str,
    color: str | None,
    symbol: str | None,
    wilds: bool,
) -> Ledger:
    """Open a claim made by the move, before the cards it takes are counted."""
    watches = list(ledger.watches)
    for i, watch in enumerate(watches):
        if watch[:4] == (rule, color, symbol, wilds):
            base = watch.shown - ledger.taken
            watches[i] = watch._replace(claims=(*watch.claims, (move, base)))
            break
    else:
        watches.append(Watch(rule, color, symbol, wilds, 0, ((move, -ledger.taken),)))
    return Ledger(ledger.taken, tuple(watches))


def show(ledger: Ledger, cards: Iterable[Card], hand: int) -> Ledger | None:
    """Count shown cards; ``hand`` is how many the seat holds after it.

    Claims that no later card can prove any more are let go, which keeps a ledger no longer than a
    hand, however long the round. None when none is left.
    """
    kept = []
    cards = tuple(cards)
    taken = ledger.taken
    for watch in ledger.watches:
        shown = watch.shown + sum(1 for card in cards if counts(watch, card))
        reach = shown - taken + hand
        claims = tuple([c for c in watch.claims if c[1] < reach])
        if claims:
            kept.append(Watch(*watch[:4], shown, claims))
    return Ledger(taken, tuple(kept)) if kept else None


def proofs(ledger: Ledger, seat: int, also_shown: Iterable[Card] = ()) -> list[Proof]:
    """The claims proved false so far, counting ``also_shown`` (a revealed hand) on top."""
    found = []
    cards = tuple(also_shown)
    for watch in ledger.watches:
        balance = watch.shown - ledger.taken + sum(1 for card in cards if counts(watch, card))
        found += [Proof(seat, move, watch.rule) for move, base in watch.claims if base < balance]
    return sorted(found, key=lambda proof: proof.move)


def settle(ledger: Ledger, move: int) -> Ledger | None:
    """Drop the claim of a move that has been proved."""
    kept = []
    for watch in ledger.watches:
        claims = tuple(c for c in watch.claims if c[0] != move)
        if claims:
            kept.append(watch._replace(claims=claims))
    return Ledger(ledger.taken, tuple(kept)) if kept else None
