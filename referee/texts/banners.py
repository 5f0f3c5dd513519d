"""Banners: what an entry of the log means to each seat, and what its hands have to do now."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

from referee.rules.custom import Effect
from referee.rules.ruleset import Ruleset
from referee.texts.corrections import now_ruled, others_hear, replaced, undone_or_restored
from referee.texts.own_cards import own_text
from referee.texts.rulings import describe_event, drawn_together
from referee.texts.touches import KINDS, Kind, Touch, by_seat, touches
from referee.texts.touches.correction import BACK, LAY
from referee.texts.vocabulary import Speaker

TITLE, TEXT = "banner", "banner-text"
# Besides the weightiest, so much more of what happens to a seat is said; of corrections more, and
# all that hands have to do, if without all the reasons.
MOST_MORE, MOST_CORRECTED = 2, 4
# What has become illegal is put right like what was so at once.
SAME = {"now-illegal": "illegal"}
# Of a turn that is lost with cards to draw: the next player's move ends it, and not the drawing.
LOSE_TURN = "lose-turn"
LOST = Kind("bad", "acted")
# Whoever takes the last card of the draw pile shuffles the discard pile.
RESHUFFLED = "reshuffled"
MOVED = ("power-taken", "power-lost")
RULED = ("now-legal", "now-illegal")
# The last sentences of those, after the reasons: what hands do.
DEEDS = 2
SCORES = ("game-won", "game-lost", "scored", "round-lost", "out")


class Statement(NamedTuple):
    """What is told of a touch of this ``kind``, under a title of its own unless that is None.

    ``power`` is what has been moved. What hands do for a move is ``repeated`` for the next one,
    though the cards are alike.
    """

    kind: str
    title: str | None
    sentences: list[str | None]
    power: str | None = None
    repeated: bool = False


class Part(TypedDict):
    """One thing that a banner tells, which may be over before the rest is.

    ``title`` heads it, None where the banner's own does. One of the two may be all there is. What
    is to be done with a ``power`` is over as well when that is moved on.
    """

    title: str | None
    text: str
    until: str
    need: str | None
    power: str | None


class Banner(TypedDict):
    """What an entry means to a seat, in the second person; ``others`` says it to the table.

    ``tone``, ``until``, ``need`` and ``deed`` are those of ``touches.Kind``, ``power`` is as of a
    ``Part``. ``parts`` are the text, by what ends each.
    """

    seat: int
    event: str
    tone: str
    title: str
    text: str
    parts: list[Part]
    until: str
    need: str | None
    power: str | None
    deed: bool
    others: str


def describe_banners(
    entry: Mapping[str, Any],
    events: Sequence[Mapping[str, Any]],
    lang: str,
    seats: Sequence[str],
    ruleset: Ruleset | None = None,
) -> list[Banner]:
    """Return the banner of each seat that an entry touches, seat by seat.

    ``entry`` is as its reader may see it, with its sentences; ``events`` are all that the rules
    emitted.
    """
    speaker = Speaker(lang, seats, ruleset)
    events = drawn_together(events)
    challenged = ruleset.challenged if ruleset is not None else frozenset()
    touched = by_seat(touches(entry, events, challenged))
    proofs = [one for each in touched.values() for one in each if one.kind == "proved"]
    banners = [_banner(speaker, entry, events, each, proofs) for each in touched.values()]
    return [banner for banner in banners if banner is not None]


def _banner(
    speaker: Speaker,
    entry: Mapping[str, Any],
    events: Sequence[Mapping[str, Any]],
    touches: Sequence[Touch],
    proofs: Sequence[Touch],
) -> Banner | None:
    titled = [(touch, title) for touch in touches if (title := _title(speaker, touch))]
    if not titled:
        return None
    (first, title), *rest = titled
    lost = any(touch.kind == "skipped" for touch in touches)

    def statement(touch: Touch, title: str | None) -> Statement:
        moved = touch.args["power"] if touch.kind in MOVED else None
        repeated = touch.kind in RULED and (touch.special == LAY or touch.special in BACK)
        return Statement(touch.kind, title, _texts(speaker, entry, events, touch), moved, repeated)

    statements: list[Statement] = []
    heard = first
    drawn = next((touch for touch, _ in rest if touch.kind == "draw"), None)
    if first.kind == "hands" and drawn is not None:
        # The others know that hands are shown, and may have to remind of the cards.
        heard = drawn
        # What the last card has one draw is shown with the hand: it comes first.
        title = speaker.say(TITLE, "hands.draw", speaker.words(drawn.args)) or title
        statements.append(statement(drawn, None))
        rest = [(touch, other) for touch, other in rest if touch is not drawn]
    place = len(statements)
    statements.append(statement(first, None))
    if any(event.get("reshuffled") and event.get("seat") == first.seat for event in events):
        shuffled = describe_event({"event": RESHUFFLED}, speaker.lang, speaker.seats)
        statements.append(Statement(RESHUFFLED, None, [shuffled]))
    if first.kind == "given" and proofs:
        # Whoever is given too few cards has to know it.
        statements.append(Statement("proved", None, _proven(speaker, proofs)))
    if first.kind == "draw" and lost:
        statements.append(Statement(LOSE_TURN, None, [speaker.say(TEXT, LOSE_TURN, {})]))
    more = [(touch, other) for touch, other in rest if not (lost and touch.kind == "skipped")]
    corrected = entry["kind"] == "corrected"
    for at, (touch, other) in enumerate(more):
        if at < (MOST_CORRECTED if corrected else MOST_MORE) or (corrected and _for_hands(touch)):
            told = statement(touch, other)
            if at >= MOST_MORE and touch.kind in RULED:
                told = told._replace(sentences=told.sentences[-DEEDS:])
            statements.append(told)
    parts = _parts(statements)
    kind = KINDS[first.kind]
    return {
        "seat": first.seat,
        "event": first.kind,
        "tone": kind.tone,
        "title": title,
        "text": " ".join(_whole(part) for part in parts),
        "parts": parts,
        "until": kind.until,
        "need": kind.need,
        "power": statements[place].power,
        "deed": first.special == LAY or any(KINDS.get(one.kind, LOST).deed for one in statements),
        "others": _others(speaker, entry, heard, proofs),
    }


def _for_hands(touch: Touch) -> bool:
    """Return whether hands have to do something for it, or the referee awaits something."""
    kind = KINDS[touch.kind]
    needed = kind.deed or kind.need is not None
    return needed or touch.special == LAY or touch.kind == "power-taken"


def _parts(statements: Sequence[Statement]) -> list[Part]:
    """Return each thing that is said as a part; what was said before is not said again.

    But what happens twice, as to two towers, has to be done twice: it is said below either title.
    """
    told: set[str] = set()
    kinds: set[str] = set()
    parts: list[Part] = []
    for name, title, sentences, power, repeated in statements:
        again = repeated or (name in kinds and title not in told)
        kinds.add(name)
        own = dict.fromkeys(filter(None, sentences))
        new = [sentence for sentence in own if again or sentence not in told]
        told.update(new)
        if title in told and not (repeated and name == "now-illegal"):
            title = None
        if title:
            told.add(title)
        if title or new:
            kind = KINDS.get(name, LOST)
            parts.append(
                {
                    "title": title,
                    "text": " ".join(new),
                    "until": kind.until,
                    "need": kind.need,
                    "power": power,
                }
            )
    return parts


def _whole(part: Part) -> str:
    """Return a part as sentences."""
    sentences = [_ended(part["title"])] if part["title"] else []
    return " ".join([*sentences, part["text"]]).strip()


def _ended(title: str) -> str:
    """Return a title as a sentence."""
    return title if title.endswith(("!", "?", ".")) else f"{title}."


def _title(speaker: Speaker, touch: Touch) -> str | None:
    return _say(speaker, TITLE, touch)


def _say(speaker: Speaker, section: str, touch: Touch) -> str | None:
    """Return the special sentence of a touch, else the usual one."""
    words = speaker.words(touch.args)
    kind = SAME.get(touch.kind, touch.kind)
    names = [f"{kind}.{touch.special}"] if touch.special else []
    names += [touch.kind, kind]
    return next((text for name in names if (text := speaker.say(section, name, words))), None)


def _texts(
    speaker: Speaker,
    entry: Mapping[str, Any],
    events: Sequence[Mapping[str, Any]],
    touch: Touch,
) -> list[str | None]:
    """Return the sentences below a title: why, and what to do."""
    words = speaker.words(touch.args)
    if touch.kind == "illegal":
        # Who gives cards away takes them back: that is what others have to be told otherwise.
        put_right = None if touch.special == "give-back" else entry["ruling"]["put_right"]
        return [entry["ruling"]["text"], put_right]
    if touch.kind == "draw":
        return [_say(speaker, TEXT, touch), speaker.say(TEXT, "take", words)]
    if touch.kind in RULED:
        back = touch.special == "take-back" and touch.args["kind"] == "discard"
        discarded = speaker.say(TEXT, "undone.discard", words) if back else None
        return [*now_ruled(speaker, entry, touch.args), discarded, _lay_again(speaker, touch)]
    if touch.kind in ("undone", "restored"):
        # Where no card is named, the move is.
        return [_say(speaker, TEXT, touch) or undone_or_restored(speaker, touch.kind, touch.args)]
    if touch.kind in ("entered", "broken-off"):
        # A move that was entered is told after the one that it takes the place of.
        most = 2 if touch.kind == "entered" and replaced(entry) is None else 1
        announcements = " ".join(entry.get("announcements", [])[:most])
        return [announcements, _say(speaker, TEXT, touch), _lay_again(speaker, touch)]
    if touch.kind == "dare":
        return [_say(speaker, TEXT, touch), *_judged(speaker, entry, touch)]
    if touch.kind == "power-taken":
        # Whoever has chosen it was told so before.
        chosen = entry.get("move", {}).get("move") == "powers"
        tray = not touch.args["by"] and not chosen
        whence = speaker.say(TEXT, "taken-tray" if tray else "taken-from", words)
        return [whence, _say(speaker, TEXT, touch)]
    if touch.kind == "power-lost" and not touch.args["to"]:
        return [speaker.say("discrepancy", "to-move", words)]
    if touch.kind == "left":
        held = {"power": words["powers"], "tray": words["tray"]} if touch.args["powers"] else {}
        return [_say(speaker, TEXT, touch), speaker.say("discrepancy", "to-move", held)]
    if touch.kind == "proved":
        told = (speaker.say(TEXT, f"proved-{what}", {}) for what in ("since", "follows"))
        return [_say(speaker, TEXT, touch), *told]
    if touch.kind in ("hands-back", "hands-passed"):
        recount = speaker.say(TEXT, "recount", {}) if touch.args.get("recount") else None
        return [_say(speaker, TEXT, touch), recount]
    if touch.kind == "hands-kept":
        return [_say(speaker, TEXT, touch), speaker.say(TEXT, "recount", {})]
    if touch.kind == "turn-gone":
        return [_sentence(speaker, touch.event)] if touch.event else []
    if touch.kind == "round-won" and any(event["event"] == "scored" for event in events):
        return []
    if touch.kind in SCORES:
        scores = entry["state"]["scores"]
        return [_sentence(speaker, {"event": "scored", "scores": scores})] if any(scores) else []
    return [_say(speaker, TEXT, touch)]


def _lay_again(speaker: Speaker, touch: Touch) -> str | None:
    """Say which card that was taken back is to be laid after all, or how many are discarded."""
    if touch.special != LAY:
        return None
    if touch.args["kind"] == "discard":
        return speaker.say(TEXT, "restored.discard", speaker.words(touch.args))
    return speaker.say(TEXT, "restored.play", speaker.words({"card": touch.args["card"]}))


def _judged(speaker: Speaker, entry: Mapping[str, Any], touch: Touch) -> list[str | None]:
    """Return what a dare's failure brings, and who decides on it.

    Where the dared seat draws cards that is said; anything else the card's own text says.
    """
    own = {"seat": touch.seat, "need": "judge"} in entry["state"]["awaiting"]
    others = None if own else speaker.say(TEXT, "dare-others", {})
    card = speaker.own_card(entry["state"]["top"])
    dares = card.effects if card is not None else ()
    dare = next((effect for effect in dares if effect.text == touch.args["text"]), None)
    if card is None or dare is None or not dare.failed:
        return [others]
    match dare.failed:
        case [Effect(effect="draw", who=who, count=count)] if who == dare.who:
            return [speaker.say(TEXT, "dare-fails", {"count": str(count)}), others]
    text = _ended(own_text(card.text, speaker.ruleset, speaker.lang))
    return [speaker.say("event", "announced", {"text": text}), others]


def _others(
    speaker: Speaker, entry: Mapping[str, Any], touch: Touch, proofs: Sequence[Touch]
) -> str:
    """Return what the others hear of it, in one line; of a late catch nothing."""
    if touch.kind == "late":
        return ""
    if touch.kind == "left":
        # Where the cards go, and the powers.
        return " ".join(entry["announcements"][: 2 if touch.args["powers"] else 1])
    sentence = None if touch.event is None else _sentence(speaker, touch.event)
    if sentence is None and touch.kind == "illegal":
        sentence = entry["ruling"]["text"]
    if sentence is None and touch.kind == "now-illegal":
        sentence = others_hear(speaker, entry)
    if sentence is None:
        sentence = " ".join(entry.get("announcements", [])[:1])
    # Of a gift, too, they hear what it proves.
    if proofs and (touch.kind == "proved" or (touch.event or {}).get("event") == "gave"):
        return " ".join(dict.fromkeys(filter(None, (sentence, *_proven(speaker, proofs)))))
    return sentence


def _proven(speaker: Speaker, proofs: Sequence[Touch]) -> list[str | None]:
    """Say what cards have proved, and that it is the table's to settle."""
    told = [_sentence(speaker, proof.event) for proof in proofs if proof.event is not None]
    return [*told, speaker.say(TEXT, "proved-follows", {})]


def _sentence(speaker: Speaker, event: Mapping[str, Any]) -> str | None:
    return describe_event(event, speaker.lang, speaker.seats, speaker.ruleset)
