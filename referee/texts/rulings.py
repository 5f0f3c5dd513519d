"""Sentences for rulings and events."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TypedDict

from referee.rules.position.events import Event
from referee.rules.records.serial import event_to_json
from referee.rules.ruleset import Ruleset
from referee.rules.rulings import Ruling
from referee.rules.suggestions import closest_card
from referee.texts.vocabulary import Speaker

# The id of the sentence for a rule that has none.
OTHERWISE = "otherwise"
# The rule for a card that the deck lacks: its sentence may say which card was meant.
UNKNOWN_CARD = "deck.unknown"
# event whose sentence depends on its rule → the section of its sentences
BY_RULE: Mapping[str, str] = {"draw-due": "due", "turn-lost": "lost", "proved": "proof"}


class Rendered(TypedDict):
    """The sentences for a ruling; ``put_right`` is None when nothing needs to be put right."""

    text: str
    put_right: str | None


def render_ruling(
    ruling: Ruling, lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> Rendered:
    """Return the sentences for a ruling, in English where ``lang`` has none.

    ``seats`` are the players' names. ``ruleset`` adds its own sentences and card names.
    """
    speaker = Speaker(lang, seats, ruleset)
    words = words_of_ruling(ruling, speaker, ruleset)
    text = speaker.say(ruling.verdict, ruling.rule, words)
    house = speaker.house_rule(ruling.rule)
    if house:
        text = " ".join(part for part in (house[0], text, house[1]) if part)
    elif text is None:
        text = speaker.say(ruling.verdict, OTHERWISE, {})
    put_right = speaker.say("remedy", ruling.remedy, words) if ruling.remedy else None
    return {"text": text or speaker.rule(ruling.rule), "put_right": put_right}


def words_of_ruling(ruling: Ruling, speaker: Speaker, ruleset: Ruleset | None) -> dict[str, str]:
    """Return the words for a ruling's sentence: its arguments, and the card that was meant."""
    words = speaker.words(ruling.args)
    if ruling.rule == UNKNOWN_CARD and ruleset is not None:
        card = ruling.args.get("card")
        if card in ruleset.deck.cards:
            # The deck has it, and this game does without.
            return words | {"absent": speaker.card(card)}
        meant = closest_card(card, ruleset.deck.cards)
        words |= {} if meant is None else {"meant": meant}
    return words


def describe_event(
    event: Event | Mapping[str, Any],
    lang: str,
    seats: Sequence[str],
    ruleset: Ruleset | None = None,
) -> str | None:
    """Return the announcement of an event, or None if it is not announced.

    Announcements name no card of a hand. Nor do they give away who has not called UNO: the other
    players have to notice.
    """
    fields = event if isinstance(event, Mapping) else event_to_json(event)
    kind = fields["event"]
    if fields.get("reshuffled"):
        told = describe_event({**fields, "reshuffled": False}, lang, seats, ruleset)
        after = describe_event({"event": "reshuffled"}, lang, seats, ruleset)
        return " ".join(filter(None, (told, after)))
    if kind == "draw-raised" and not fields["count"]:
        return None
    if kind == "announced" and fields["until_uno"]:
        kind = "announced-until-uno"
    if kind == "hands-passed" and len(fields["seats"]) == 2:
        kind = "hands-swapped"
    if kind == "uno-called" and fields.get("early"):
        kind = "uno-called-early"
    speaker = Speaker(lang, seats, ruleset)
    words = speaker.words(fields)
    if kind == "power-moved":
        words["power"] = words.get("powers", words["power"])
        words |= speaker.words({"by": fields.get("was")})
        if fields.get("rule"):
            kind = f"{kind}.{fields['rule']}"
    if kind == "scored" and fields.get("teams"):
        words["by_team"] = speaker.team_scores(fields["teams"], fields["scores"])
    if kind in BY_RULE:
        if kind == "proved":
            words |= speaker.words({"top": _top(fields, ruleset)})
        section = BY_RULE[kind]
        name = f"{fields['rule']}.every" if fields.get("every") else fields["rule"]
        sentence = speaker.say(section, name, words)
        return sentence or speaker.say(section, OTHERWISE, words)
    return speaker.say("event", kind, words)


def describe_events(
    events: Sequence[Mapping[str, Any]],
    lang: str,
    seats: Sequence[str],
    ruleset: Ruleset | None = None,
) -> list[str]:
    """Return the announcements of events in a row.

    Cards that somebody has to draw are not announced again when they are drawn. What somebody
    takes at a time is one sentence.
    """
    sentences = []
    due = None
    for event in taken_together(drawn_together(events)):
        drawn = (event["event"], event.get("seat"), event.get("count"))
        if drawn != ("drew", *(due or ())):
            sentences.append(describe_event(event, lang, seats, ruleset))
        due = drawn[1:] if event["event"] == "draw-due" else None
    return [sentence for sentence in sentences if sentence]


def drawn_together(events: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Join the cards that a seat draws before and after a reshuffle.

    What had the discard pile shuffled, as that they were due, is ``reshuffled``.
    """
    joined: list[dict[str, Any]] = []
    for event in events:
        last = joined[-1] if joined else {}
        if event["event"] == "reshuffled" and joined:
            due = [one["event"] for one in joined[-2:]] == ["draw-due", "drew"]
            joined[-2 if due else -1]["reshuffled"] = True
        elif event["event"] == "drew" == last.get("event") and event["seat"] == last["seat"]:
            last["count"] += event["count"]
        else:
            joined.append(dict(event))
    return [*joined]


def taken_together(events: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Join powers that go from one place to another by one rule into one event, with ``powers``."""
    kind = "power-moved"
    way = "event", "to", "was", "rule"
    for (name, *_), group in groupby(events, lambda event: tuple(map(event.get, way))):
        moved = list(group)
        if name == kind and len(moved) > 1:
            yield {**moved[0], "powers": [event["power"] for event in moved]}
        else:
            yield from moved


def describe_move(
    move: Mapping[str, Any], events: Sequence[Mapping[str, Any]], lang: str, seats: Sequence[str]
) -> str | None:
    """Return who passes, takes nothing, or challenges whose card; None where an event says it."""
    speaker = Speaker(lang, seats)
    if move["move"] == "pass" and events:
        return speaker.say("event", "passed", speaker.words(move))
    if move["move"] == "powers" and not move["powers"] and events:
        return speaker.say("event", "took-nothing", speaker.words({"seat": move["seat"]}))
    if move["move"] != "challenge":
        return None
    owed = [need for event in events if event["event"] == "awaited" for need in event["needs"]]
    accused = next((seat for seat, need in owed if need == "reveal"), None)
    return speaker.say("event", "challenged", speaker.words({**move, "accused": accused}))


def _top(proof: Mapping[str, Any], ruleset: Ruleset | None) -> str | None:
    """Return the card that lay on top of the pile, None if it was wild or nobody knows."""
    card = f"{proof.get('color')}-{proof.get('symbol')}"
    return card if ruleset is not None and card in ruleset.deck.cards else None
