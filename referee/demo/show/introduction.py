"""What somebody who has never heard of the referee reads before the demo and after it."""

from referee.demo.rounds.game import Plan
from referee.rules.presets import OFFICIAL
from referee.rules.ruleset import Ruleset

REAL = (
    "They are simulated, the server is real: it is told what people lay and say at a table, never "
    "what they hold, and rules on every move."
)
TOWERS = (
    "U, N, O and ! are towers: a number card with such a sign takes its tower, and whoever holds "
    "it is safe from a draw one (U), a draw two (N), a wild draw four (O) or a skip (!)."
)
STANDS = (
    "The four powers stand before whoever took them with a card: red gives all its red cards "
    "away, blue lays two cards, green turns up a card of the pile where none fits, and yellow is "
    "safe from skips, reverses, draws and gifts."
)
HOUSE = "This table also has rules of its own, as most have; a ruling says so where one decides."
DEVICES = {
    "board": "The towers stand on a sensor board, which is virtual here, and the cable is pulled "
    "and the server killed on the way.",
    "table": "A camera watches the pile and a board the towers. Both are virtual, and what they "
    "see is worked out picture by picture: it takes several minutes.",
}
NEXT = (
    "Next: your own deck on your own table. 'make home' (without a checkout: 'referee home') "
    "prints a code for the phones in the same Wi-Fi to scan."
)


def introduction(plan: Plan, ruleset: Ruleset, devices: str | None = None) -> str:
    """Return who plays what, and what to look at.

    ``devices`` is "board", "table" or None.
    """
    *others, last = plan.names
    sentences = [f"{', '.join(others)} and {last} play {ruleset.name}.", REAL]
    if plan.illegal_moves_per_round:
        sentences.append(
            "Now and then somebody breaks a rule on purpose. Look for ILLEGAL: why, by which rule, "
            "where the deck's printed sheet says so, and after → what to put right."
        )
    if "U" in ruleset.powers:
        sentences.append(TOWERS)
    if "red" in ruleset.powers:
        sentences.append(STANDS)
    if plan.house != OFFICIAL:
        sentences.append(HOUSE)
    if devices:
        sentences.append(DEVICES[devices])
    return " ".join(sentences)
