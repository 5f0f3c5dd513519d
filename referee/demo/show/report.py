"""What is read before a demo game, and the report after it: scores, rulings, checks and speed.

The introduction is for somebody who has never heard of the referee.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from referee.demo.rounds.game import Outcome, Plan
from referee.rules.book.rulebook import rulebook
from referee.rules.presets import OFFICIAL
from referee.rules.ruleset import Ruleset
from referee.texts.catalog import counted

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


def print_report(console: Console, outcome: Outcome, ruleset: Ruleset) -> None:
    """Print the scores, the rulings by rule, and what was checked."""
    console.print(f"\n{_headline(outcome, ruleset)}", style="bold")
    console.print(_scores(outcome))
    console.print(_rulings(outcome, ruleset))
    console.print("What was checked", style="bold")
    for line in (*_checked(outcome), *outcome.more):
        console.print(f"✓ {line}")


def _headline(outcome: Outcome, ruleset: Ruleset) -> str:
    winner = outcome.state["winner"]
    seats = winner if isinstance(winner, list) else [winner]
    names = " and ".join(outcome.names[seat - 1] for seat in seats)
    return f"{names} won the game of {ruleset.name}, after {counted(len(outcome.rounds), 'round')}."


def _scores(outcome: Outcome) -> Table:
    table = Table(box=SIMPLE_HEAD, title="Scores", title_justify="left", title_style="bold")
    table.add_column("round", justify="right")
    for name in outcome.names:
        table.add_column(name, justify="right")
    last = {step.round: step.state for step in outcome.played}
    for number, state in last.items():
        scores = [
            f"{score} ★" if state["round_winner"] == seat else str(score)
            for seat, score in enumerate(state["scores"], 1)
        ]
        table.add_row(str(number), *scores)
    return table


def _rulings(outcome: Outcome, ruleset: Ruleset) -> Table:
    table = Table(
        box=SIMPLE_HEAD,
        title="What was ruled",
        title_justify="left",
        title_style="bold",
    )
    longest = max(len(rule) for _, rule in outcome.rulings)
    table.add_column("rule", no_wrap=True, min_width=longest)
    table.add_column("legal", justify="right", no_wrap=True, min_width=5)
    table.add_column("illegal", justify="right", no_wrap=True, min_width=7)
    table.add_column("what it says", overflow="ellipsis", no_wrap=True)
    rules = rulebook(ruleset)
    by_rule: Counter[str] = Counter()
    for (_, rule), count in outcome.rulings.items():
        by_rule[rule] += count
    for rule, _ in by_rule.most_common():
        counts = [outcome.rulings[verdict, rule] for verdict in ("legal", "illegal")]
        title = rules[rule].title if rule in rules else ""
        table.add_row(rule, *(str(count or "") for count in counts), title)
    return table


def _checked(outcome: Outcome) -> Iterator[str]:
    legal = sum(n for (verdict, _), n in outcome.rulings.items() if verdict == "legal")
    illegal = sum(outcome.rulings.values()) - legal
    plays = f"{counted(legal, 'legal play')}, none refused"
    yield f"{plays}; {counted(illegal, 'illegal one')}, none passed."
    unseen = ", ".join(f"{rule} {count}" for rule, count in outcome.unseen.items())
    proved = ", ".join(f"{rule} {count}" for rule, count in outcome.proved.items())
    yield (
        f"Broken where only the hand shows it: {unseen or 'nothing'}. "
        f"Proved by shown cards, each correctly: {proved or 'nothing'}."
    )
    won, lost = outcome.challenges["won"], outcome.challenges["lost"]
    yield f"Challenges: {won} won, {lost} lost. Caught without UNO: {outcome.catches}."
    yield "After every move the referee's counts and scores matched the real cards."
    yield (
        f"A spectator's stream brought all {outcome.events} events once and in order, "
        f"with {outcome.hang_ups} of its connections lost, and named no card of a hand."
    )
    repeated = counted(outcome.repeated, "move was", "moves were")
    yield f"{repeated} sent twice, as after a lost response, and counted once."
    yield "The record was exported, replayed here and by the server, and imported: all the same."
    rate = len(outcome.move_seconds) / outcome.seconds
    moves = counted(len(outcome.move_seconds), "move")
    yield (
        f"{moves} in {outcome.seconds:.1f} s, {rate:.0f} a second with "
        f"players and checks. Response time {_percentiles(outcome.move_seconds)}; "
        f"from sending to the spectator's event {_percentiles(outcome.event_seconds)}."
    )


def _percentiles(seconds: Sequence[float]) -> str:
    ordered = sorted(seconds)
    middle, late = (ordered[int(len(ordered) * part)] * 1000 for part in (0.5, 0.99))
    return f"p50 {middle:.1f} ms, p99 {late:.1f} ms"
