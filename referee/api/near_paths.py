"""Which address somebody may have meant by one that does not exist."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

from flask import current_app

LONGEST_PATH = 120
MOST_PARTS = 8
ALIKE = 0.6
CACHE_SIZE = 256
# What stands before the operations, or is left out by mistake.
BEFORE = re.compile(r"^/+(api/+)?(v[0-9]+/+)?")
PLACEHOLDER = re.compile(r"<.*>")


def nearest(path: str) -> str | None:
    """Return the operation's path that is most like a path, with the same ids; None if none is."""
    if len(path) > LONGEST_PATH or path.count("/") > MOST_PARTS:
        return None
    rules = (rule.rule for rule in current_app.url_map.iter_rules() if rule.methods)
    return _nearest(path, tuple(rule for rule in rules if rule.startswith("/api/")))


@lru_cache(CACHE_SIZE)
def _nearest(path: str, rules: tuple[str, ...]) -> str | None:
    given = _parts(path)
    best = max(((_likeness(given, _parts(rule)), rule) for rule in rules), default=(0.0, ""))
    if best[0] < ALIKE:
        return None
    filled = [
        ours if PLACEHOLDER.fullmatch(theirs) else theirs
        for ours, theirs in zip(given, _parts(best[1]), strict=True)
    ]
    return "/".join([BEFORE.match(best[1])[0].rstrip("/"), *filled])  # type: ignore[index]


def _parts(path: str) -> list[str]:
    return [part for part in BEFORE.sub("", path).split("/") if part]


def _likeness(given: list[str], known: list[str]) -> float:
    """Return how alike two paths are, by the part in which they differ most."""
    if len(given) != len(known):
        return 0.0
    pairs: Iterable[tuple[str, str]] = zip(given, known, strict=True)
    named = [(ours, theirs) for ours, theirs in pairs if not PLACEHOLDER.fullmatch(theirs)]
    return min((_ratio(ours.casefold(), theirs) for ours, theirs in named), default=0.0)


def _ratio(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, one, other)
    return matcher.ratio() if matcher.quick_ratio() >= ALIKE else 0.0
