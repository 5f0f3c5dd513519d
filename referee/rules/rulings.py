"""Rulings as ids and arguments; ``referee.texts`` turns them into sentences."""

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from referee.rules.actions import Verdict
from referee.rules.facts import fact

Args = Mapping[str, object]
NO_ARGS: Args = MappingProxyType({})


@fact
class Ruling:
    """A verdict, the rule it cites, and the remedy.

    ``args`` fill in the rule's sentence. ``remedy`` is the id of an instruction such as
    ``take-back``, None when nothing has to be put right.
    """

    verdict: Verdict
    rule: str
    args: Args = field(default_factory=lambda: NO_ARGS)
    remedy: str | None = None

    @property
    def legal(self) -> bool:
        """Whether the move stands."""
        return self.verdict == "legal"


class RuleError(ValueError):
    """A position or a setting that a rule forbids."""

    def __init__(self, rule: str, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason} [{rule}]")
        self.rule = rule
        self.field = field
        self.reason = reason
