"""A ruling in words: what was ruled and why, and what to put right at the table."""

from collections.abc import Sequence
from typing import TypedDict

from referee.rules.ruleset import Ruleset
from referee.rules.rulings import Ruling
from referee.texts.vocabulary import Speaker

OTHERWISE = "otherwise"


class Rendered(TypedDict):
    """A ruling as its reader sees it; ``put_right`` is None when nothing lies wrong."""

    text: str
    put_right: str | None


def render_ruling(
    ruling: Ruling, lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> Rendered:
    """The sentences for a ruling, in ``lang`` or else in English; ``seats`` are the names.

    ``ruleset`` brings in its own sentences and card names. A rule without a sentence is called by
    its title in the rulebook.
    """
    speaker = Speaker(lang, seats, ruleset)
    words = speaker.words(ruling.args)
    text = speaker.say(ruling.verdict, ruling.rule, words)
    if text is None:
        text = speaker.say(ruling.verdict, OTHERWISE, {"rule": speaker.rule(ruling.rule)})
    put_right = speaker.say("remedy", ruling.remedy, words) if ruling.remedy else None
    return {"text": text or speaker.rule(ruling.rule), "put_right": put_right}
