"""What the referee says of a move, as ids and arguments; sentences are rendered at the edge."""

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from referee.rules.actions import Verdict
from referee.rules.facts import fact

Args = Mapping[str, object]
NO_ARGS: Args = MappingProxyType({})


@fact
class Ruling:
    """A verdict, the id of the rule behind it, and what to put right at the table.

    ``remedy`` is the id of an instruction ("take-back", …), None when nothing lies wrong.
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
    """A position or a setting that the rules do not allow, citing the rule."""

    def __init__(self, rule: str, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason} [{rule}]")
        self.rule = rule
        self.field = field
        self.reason = reason
