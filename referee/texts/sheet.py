"""Words of the score sheet."""

from collections.abc import Callable, Sequence
from typing import Any

from referee.rules.ruleset import Ruleset
from referee.texts.vocabulary import Speaker


def sheet_words(lang: str, seats: Sequence[str], ruleset: Ruleset) -> Callable[..., str]:
    """Says a word or sentence of the sheet by its id, such as ``said("target", target=500)``."""
    speaker = Speaker(lang, seats, ruleset)

    def said(name: str, **args: Any) -> str:
        return speaker.say("sheet", name, speaker.words(args)) or name

    return said
