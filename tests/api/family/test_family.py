"""A child and a grandmother find out what they have to do from their own phone alone.

In every scene somebody asks one of ``QUESTIONS``. The answer has to be on the phone of that seat,
in the reader's language: the texts in ``said`` are what it shows, read and approved by people.
"""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.texts.catalog import DEFAULT
from referee.texts.touches import KINDS
from tests.api.family.scenes import (
    DO,
    EVERYWHERE,
    LANGUAGES,
    MANY,
    QUESTIONS,
    SCENES,
    WHY,
    Scene,
    approved,
    awaited,
)
from tests.api.family.table import play, shown

# On a phone 360 pixels wide, in letters of 30 pixels, that is three lines.
LONGEST_TITLE = 48


@pytest.mark.parametrize("scene", [*SCENES, *EVERYWHERE], ids=lambda scene: scene.id)
def test_ones_own_phone_answers(client: FlaskClient, scene: Scene) -> None:
    host = play(client, scene)
    for lang in LANGUAGES:
        banner = shown(host.seats[scene.seat], scene.seat, lang)
        assert banner is not None, "the phone shows nothing"
        assert banner["event"] == scene.event
        # The text of the first deck, unless this one has its own. What nobody has approved yet in a
        # language is listed by `make languages`.
        wanted = approved(lang).get(scene.id) or approved(lang).get(f"classic-108.{scene.name}")
        told = [banner["title"], banner["text"]]
        assert wanted in (None, told), f"said/{lang}.toml lacks {told}"
        answers(scene, banner)


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
def test_a_language_has_a_text_of_its_own_for_scenes_alone(lang: str) -> None:
    own = set(approved(lang)) - {scene.id for scene in SCENES}
    shared = {scene.id: approved(lang).get(f"classic-108.{scene.name}") for scene in EVERYWHERE}
    assert own <= set(shared)
    assert [scene for scene in own if approved(lang)[scene] == shared[scene]] == []


def test_english_has_a_text_for_each_scene() -> None:
    assert awaited(DEFAULT) == []


def test_every_event_that_touches_a_seat_happens_in_a_scene() -> None:
    assert {scene.event for scene in SCENES} == set(KINDS)


def test_every_question_occurs() -> None:
    assert {scene.asks for scene in SCENES} == set(QUESTIONS)
