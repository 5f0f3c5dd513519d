"""Evidence from shown cards, by counting.

Some moves claim that the hand holds no card of a kind. If the seat has since shown more such cards
than it has taken cards that may be such, it held one when it made the claim. Claims of one kind
share a ``Watch``, which counts the cards of the kind shown since the first claim. The base of a
claim is that count, minus the cards taken, at the time of the claim.
"""

from collections.abc import Iterable
from operator import itemgetter

from referee.rules.cards import Card
from referee.rules.position.state import Ledger, Proof, Watch

EMPTY_LEDGER = Ledger(0, ())
# Claims of one kind, and proofs in a round, that are kept: far more than any round has at a table.
# Without a bound, moves would cost more and more in a round of nothing but draws.
MOST_CLAIMS = 112
MOST_PROOFS = 200


def count_matching(
    cards: Iterable[Card], color: str | None, symbol: str | None, wilds: bool
) -> int:
    """Count the cards of a kind."""
    return sum(is_of_kind(card, color, symbol, wilds) for card in cards)


def is_of_kind(card: Card, color: str | None, symbol: str | None, wilds: bool) -> bool:
    """Return whether a card is of the colour or the symbol, or wild if ``wilds``."""
    return (card.color == color if card.color else wilds) or card.symbol == symbol


def open_claim(
    ledger: Ledger,
    move: int,
    rule: str,
    color: str | None,
    symbol: str | None,
    wilds: bool,
    held: int = 0,
) -> Ledger:
    """Return the ledger with a claim made by the move, before the cards it takes are counted.

    With ``held`` the move claims only that not all of so many cards are of the kind: it is proved
    false by as many.
    """
    taken, watches = ledger
    every = held > 0
    base = held - 1 - taken if every else -taken
    kind = (rule, color, symbol, wilds)
    for i, watch in enumerate(watches):
        if watch[:4] == kind and watch.every == every:
            if len(watch.claims) >= MOST_CLAIMS:
                return ledger
            claims = (*watch.claims, (move, watch.shown + base))
            grown = Watch(rule, color, symbol, wilds, watch.shown, claims, every)
            return Ledger(taken, (*watches[:i], grown, *watches[i + 1 :]))
    return Ledger(taken, (*watches, Watch(rule, color, symbol, wilds, 0, ((move, base),), every)))


def count_shown(ledger: Ledger, cards: tuple[Card, ...], hand: int) -> Ledger | None:
    """Return the ledger with more cards shown, None if it has no claims left.

    ``hand`` is the number of cards still held. Claims that they cannot prove are dropped, so a
    ledger is never longer than a hand.
    """
    taken, watches = ledger
    kept = []
    for rule, color, symbol, wilds, shown, claims, every in watches:
        total = shown + count_matching(cards, color, symbol, wilds)
        reach = total - taken + hand
        open_still = tuple([c for c in claims if c[1] < reach])
        if open_still:
            kept.append(Watch(rule, color, symbol, wilds, total, open_still, every))
    return Ledger(taken, tuple(kept)) if kept else None


def count_given(ledger: Ledger, cards: tuple[Card, ...]) -> Ledger:
    """Return the ledger after a gift of known cards, which explain only their kind (R57)."""
    watches = tuple(
        watch._replace(
            shown=watch.shown - count_matching(cards, watch.color, watch.symbol, watch.wilds)
        )
        for watch in ledger.watches
    )
    return Ledger(ledger.taken, watches)


def proofs(
    ledger: Ledger, seat: int, also_shown: tuple[Card, ...] = ()
) -> list[tuple[Proof, Watch]]:
    """Return the claims proved false so far; ``also_shown`` is a revealed hand."""
    proven = []
    for watch in ledger.watches:
        rule, color, symbol, wilds, shown, claims, _ = watch
        balance = shown + count_matching(also_shown, color, symbol, wilds) - ledger.taken
        for move, base in claims:
            if base < balance:
                proven.append((Proof(seat, move, rule), watch))
    return sorted(proven, key=itemgetter(0))


def drop_claim(ledger: Ledger, move: int) -> Ledger | None:
    """Return the ledger without the claim of a move, None if it has no claims left."""
    kept = []
    for watch in ledger.watches:
        claims = tuple(c for c in watch.claims if c[0] != move)
        if claims:
            kept.append(watch._replace(claims=claims))
    return Ledger(ledger.taken, tuple(kept)) if kept else None
