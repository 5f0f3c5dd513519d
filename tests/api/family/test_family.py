"""A child and a grandmother find out what they have to do from their own phone alone.

In every scene somebody asks one of ``QUESTIONS``. The answer has to be on the phone of that seat,
in the reader's language: the texts in ``said`` are what it shows, read and approved by people.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.rules.ruleset import rulesets
from referee.texts.touches import KINDS
from tests.api.family.scenes import DO, EVERYWHERE, MANY, QUESTIONS, SCENES, WHY, Scene
from tests.api.family.table import Json, play, shown

SAID = Path(__file__).parent / "said"
LANGUAGES = ("en", "sv", "da", "no", "fi", "cs", "de", "fr", "es", "it")
# On a phone 360 pixels wide, in letters of 30 pixels, that is three lines.
LONGEST_TITLE = 48


@cache
def texts(lang: str) -> Json:
    """Return title and text by scene."""
    return tomllib.loads((SAID / f"{lang}.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("scene", [*SCENES, *EVERYWHERE], ids=lambda scene: scene.id)
def test_ones_own_phone_answers(client: FlaskClient, scene: Scene) -> None:
    host = play(client, scene)
    for lang in LANGUAGES:
        banner = shown(host.seats[scene.seat], scene.seat, lang)
        assert banner is not None, "the phone shows nothing"
        assert banner["event"] == scene.event
        assert [banner["title"], banner["text"]] == own_or_shared(scene, lang), lang
        answers(scene, banner)


def own_or_shared(scene: Scene, lang: str) -> list[str]:
    """Return title and text: those of the first deck, unless this one has a text of its own."""
    found: list[str] = texts(lang).get(scene.id) or texts(lang)[f"classic-108.{scene.name}"]
    return found


def answers(scene: Scene, banner: dict[str, Any]) -> None:
    """Check that a banner answers the scene's question."""
    title, text = banner["title"], banner["text"]
    if scene.asks == MANY:
        assert re.findall(r"\d+", title), "no number"
    elif scene.asks == DO:
        assert banner["until"] in ("done", "next", "acted", "counted")
        assert text or banner["tone"] == "do"
    elif scene.asks == WHY:
        assert text, "no reason"
    assert 0 < len(title) <= LONGEST_TITLE
    assert "{" not in title + text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_has_a_text_for_each_scene_and_no_other(lang: str) -> None:
    own = set(texts(lang)) - {scene.id for scene in SCENES}
    shared = {scene.id: texts(lang)[f"classic-108.{scene.name}"] for scene in EVERYWHERE}
    assert own <= set(shared)
    assert [one for one in own if texts(lang)[one] == shared[one]] == []
    assert {scene.id for scene in SCENES} <= set(texts(lang))


def test_every_event_that_touches_a_seat_happens_in_a_scene() -> None:
    assert {scene.event for scene in SCENES} == set(KINDS)


def test_every_deck_and_every_question_occurs() -> None:
    shipped = {name for name in rulesets() if not name.startswith("toy")}
    assert {scene.deck for scene in SCENES} == shipped
    assert {scene.asks for scene in SCENES} == set(QUESTIONS)
