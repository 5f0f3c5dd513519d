"""The options of a deck in words: what each may be, what it means, and what the sheets say."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.rules.book.rulebook import Rule, rulebook
from referee.rules.options import OPTIONS, option_to_json
from referee.rules.play.combinations import REFUSED
from referee.rules.presets import PRESETS, code_of
from referee.rules.ruleset import Ruleset
from referee.texts.messages import translate
from referee.texts.own_cards import own_text, shortened
from referee.texts.vocabulary import Speaker


def describe_options(ruleset: Ruleset, lang: str) -> list[dict[str, Any]]:
    """Return every option that means something for a deck, with its values, default and text."""
    speaker, book, usual = Speaker(lang, (), ruleset), rulebook(ruleset, lang), ruleset.usual
    described = []
    for name in ruleset.all_options:
        option = OPTIONS[name]
        rule, numbers = book.get(option.rule), option.numbers
        values = [
            {
                "value": value,
                "name": speaker.word("option", f"{name}.{str(value).lower()}"),
                "text": speaker.say("option", f"{name}.{str(value).lower()}.text", {}),
            }
            for value in option.choices
        ]
        described.append(
            {
                "option": name,
                "letter": option.letter or None,
                "name": speaker.word("option", name),
                "rule": option.rule,
                "text": rule.text if rule else "",
                "official": (rule.official or None) if rule else None,
                "values": values,
                "least": numbers[0] if numbers else None,
                "most": numbers[-1] if numbers else None,
                "optional": option.optional,
                "default": option_to_json(name, getattr(usual, name)),
            }
        )
    return described


def describe_refused(ruleset: Ruleset, lang: str) -> list[dict[str, Any]]:
    """Return the options that do not go together, and why."""
    return [
        {
            "options": list(options),
            "when": {name: reason.words[name] for name in options[1:]},
            "reason": translate(reason, lang, ruleset),
        }
        for _, options, reason in REFUSED
    ]


def describe_presets(ruleset: Ruleset, lang: str) -> list[dict[str, Any]]:
    """Return the ready-made sets of house rules, each with one sentence."""
    speaker = Speaker(lang, (), ruleset)
    return [
        {
            "preset": name,
            "name": speaker.word("preset", name),
            "text": speaker.word("preset", f"{name}.text"),
            "code": code_of(options),
            "options": dict(options),
        }
        for name, options in PRESETS.items()
    ]


def describe_changes(changes: Mapping[str, Any], lang: str, ruleset: Ruleset) -> str:
    """Return changed options with their new values, as a sentence."""
    speaker = Speaker(lang, (), ruleset)
    sentences = [
        speaker.say("house", "change", {"option": speaker.word("option", name), "value": value})
        for name, value in _named(changes, speaker)
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _named(changes: Mapping[str, Any], speaker: Speaker) -> Iterator[tuple[str, str]]:
    for name, value in changes.items():
        known = name in OPTIONS and OPTIONS[name].choices
        yield name, speaker.word("option", f"{name}.{str(value).lower()}") if known else str(value)


def describe_proposal(
    entry: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset
) -> list[str]:
    """Return the announcements of an entry about proposed house rules."""
    speaker = Speaker(lang, seats, ruleset)
    words = {"seat": speaker.seat(entry["seat"])} if entry["seat"] is not None else {}
    if entry["kind"] == "house-rules-proposed":
        changes = describe_changes(entry["changes"], lang, ruleset)
        sentences = [speaker.say("house", "proposed", words), changes]
    elif entry["kind"] == "house-rules-approved":
        sentences = [speaker.say("house", "approved", words)] if words else []
        sentences += [speaker.say("house", "agreed", {})] if entry["agreed"] else []
    else:
        sentences = [speaker.say("house", entry["why"], words)]
    return [sentence for sentence in sentences if sentence]


def describe_refused_card(
    entry: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset
) -> list[str]:
    """Return the announcement that a seat does not want a card of the table's own."""
    speaker = Speaker(lang, seats, ruleset)
    text = shortened(own_text(entry["card"]["text"], ruleset, lang))
    sentence = speaker.say(
        "house", "card-refused", {"seat": speaker.seat(entry["seat"]), "text": text}
    )
    return [sentence] if sentence else []


def describe_timer(entry: Mapping[str, Any], lang: str, seats: Sequence[str]) -> list[str]:
    """Return the announcements of an entry about the turn timer."""
    speaker = Speaker(lang, seats)
    if entry["kind"] == "time-up":
        sentence = speaker.say("house", "time-up", {"seat": speaker.seat(entry["seat"])})
    elif entry["timer"] is None:
        sentence = speaker.say("house", "timer-off", {})
    else:
        words = {"seconds": str(entry["timer"]["seconds"])}
        sentence = speaker.say("house", f"timer-{entry['timer']['then']}", words)
    return [sentence] if sentence else []


def what_the_sheets_say(rule: Rule, lang: str) -> str:
    """Return a sentence with what the sheets say where a house rule stands."""
    sentence = Speaker(lang, ()).say("house", "sheet", {"official": rule.official})
    return sentence or rule.official
