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


def matching(cards: Iterable[Card], color: str | None, symbol: str | None, wilds: bool) -> int:
    """How many of the cards are of the colour, bear the symbol, or are wild where wilds count."""
    count = 0
    for card in cards:
        if (card.color == color if card.color else wilds) or card.symbol == symbol:
            count += 1
    return count


def claim(
    ledger: Ledger,
    move: int,
    rule: str,
    color: str | None,
    symbol: str | None,
    wilds: bool,
) -> Ledger:
    """Open a claim made by the move, before the cards it takes are counted."""
    kind = (rule, color, symbol, wilds)
    taken, watches = ledger
    for i, watch in enumerate(watches):
        if watch[:4] == kind:
            claims = (*watch.claims, (move, watch.shown - taken))
            more = Watch(rule, color, symbol, wilds, watch.shown, claims)
            return Ledger(taken, (*watches[:i], more, *watches[i + 1 :]))
    return Ledger(taken, (*watches, Watch(rule, color, symbol, wilds, 0, ((move, -taken),))))


def show(ledger: Ledger, cards: tuple[Card, ...], hand: int) -> Ledger | None:
    """Count shown cards; ``hand`` is how many the seat holds after it.

    Claims that no later card can prove any more are let go, which keeps a ledger no longer than a
    hand, however long the round. None when none is left.
    """
    taken, watches = ledger
    kept = []
    for rule, color, symbol, wilds, shown, claims in watches:
        now = shown + matching(cards, color, symbol, wilds)
        reach = now - taken + hand
        open_still = tuple([c for c in claims if c[1] < reach])
        if open_still:
            kept.append(Watch(rule, color, symbol, wilds, now, open_still))
    return Ledger(taken, tuple(kept)) if kept else None


def proofs(ledger: Ledger, seat: int, also_shown: tuple[Card, ...] = ()) -> list[Proof]:
    """The claims proved false so far, counting ``also_shown`` (a revealed hand) on top."""
    found = []
    for rule, color, symbol, wilds, shown, claims in ledger.watches:
        balance = shown + matching(also_shown, color, symbol, wilds) - ledger.taken
        for move, base in claims:
            if base < balance:
                found.append(Proof(seat, move, rule))
    return sorted(found)


def settle(ledger: Ledger, move: int) -> Ledger | None:
    """Drop the claim of a move that has been proved."""
    kept = []
    for watch in ledger.watches:
        claims = tuple(c for c in watch.claims if c[0] != move)
        if claims:
            kept.append(watch._replace(claims=claims))
    return Ledger(ledger.taken, tuple(kept)) if kept else None
