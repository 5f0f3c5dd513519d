"""``referee admin codes``: estimate how long join codes resist guessing, with current limits."""

import argparse
import math
from dataclasses import dataclass

from limits import RateLimitItem

from referee.api.limits.rates import MISSES, scaled
from referee.commands.output import console, print_json
from referee.config import Limits, parse_limit
from referee.service.access import CODE_ALPHABET, CODE_LENGTH
from referee.texts.catalog import counted

HOUR = 3600.0
DAY = 24 * HOUR


@dataclass(frozen=True, slots=True)
class Resistance:
    """The cost of guessing.

    Attributes:
        bits: The entropy of a code.
        guesses: Guesses expected until one of the tables is hit.
        alone_per_hour: Guesses that one address is allowed.
        together_per_hour: Guesses that all addresses together are allowed.
    """

    bits: float
    guesses: float
    alone_per_hour: float
    together_per_hour: float

    def days(self, per_hour: float) -> float:
        """Return the days needed on average with this many guesses per hour."""
        return self.guesses / per_hour * HOUR / DAY


def resistance(limits: Limits, tables: int, addresses: int) -> Resistance:
    """Return how well the codes of a number of tables resist a number of attacking addresses."""
    possible = len(CODE_ALPHABET) ** CODE_LENGTH
    misses = parse_limit(limits.misses)
    alone = _per_hour(misses)
    pressed = _per_hour(scaled(misses, MISSES["pressed_misses"]))
    return Resistance(
        bits=math.log2(possible),
        # The mean of the first hit when drawing without repetition.
        guesses=(possible + 1) / (tables + 1),
        alone_per_hour=alone,
        # Beyond what is allowed everywhere, each address may miss fewer.
        together_per_hour=min(
            alone * addresses,
            _per_hour(scaled(misses, MISSES["all_misses"])) + pressed * addresses,
        ),
    )


def _per_hour(limit: tuple[RateLimitItem, ...]) -> float:
    """Return a limit's allowance per hour in the long run."""
    return min((item.amount / item.get_expiry() * HOUR for item in limit), default=math.inf)


def show(args: argparse.Namespace) -> int:
    """Print the estimate."""
    if args.tables < 1 or args.addresses < 1:
        raise ValueError("--tables and --addresses must be at least 1")
    limits = args.settings.guard.limits
    figures = resistance(limits, args.tables, args.addresses)
    if args.json:
        print_json(
            {
                "bits": figures.bits,
                "expected_guesses": figures.guesses,
                "days_from_one_address": figures.days(figures.alone_per_hour),
                "days_from_all_addresses": figures.days(figures.together_per_hour),
            }
        )
        return 0
    out = console()
    out.print(f"A code: {CODE_LENGTH} of {len(CODE_ALPHABET)} characters, {figures.bits:.0f} bits.")
    many = counted(args.tables, "table")
    out.print(f"Guesses until one of {many} is hit, expected: {figures.guesses:,.0f}.")
    for who, per_hour in (
        ("One address", figures.alone_per_hour),
        (counted(args.addresses, "address", "addresses"), figures.together_per_hour),
    ):
        days = _long(figures.days(per_hour))
        out.print(f"{who}: {per_hour:,.0f} misses an hour allowed, {days} expected.")
    return 0


def _long(days: float) -> str:
    if days >= 730:
        return f"{days / 365.25:,.0f} years"
    return f"{days:,.1f} days" if days >= 1 else f"{days * 24:,.2f} hours"
