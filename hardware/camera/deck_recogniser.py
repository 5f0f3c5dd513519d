"""Builds the recogniser of a deck, with the faces enrolled for it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from hardware.camera.decks import cards_of
from hardware.camera.enrol.deckfile import DeckFileError, faces_file, load_deck
from hardware.camera.enrol.face_recogniser import FaceRecogniser
from hardware.camera.enrol.matcher import COMPARER, DESCRIBER, Matcher
from hardware.camera.learn.recall import LearntFaces
from hardware.camera.reading.recognise import MODELS, CardRecogniser, ModelError


def recogniser_of(
    ruleset: str | None,
    environ: Mapping[str, str],
    models: Path = MODELS,
    file: Path | None = None,
    learnt: Sequence[LearntFaces] = (),
) -> CardRecogniser:
    """Return the recogniser of a ruleset's deck; without a ruleset, of all cards.

    ``file`` replaces the ruleset's own enrolled faces; ``learnt`` are the faces a table learns.
    Raises ModelError if the networks or the faces are unusable.
    """
    if file is None and ruleset is not None:
        default = faces_file(environ, ruleset)
        file = default if default.exists() else None
    if file is None:
        return CardRecogniser(cards_of(ruleset), models, learnt)
    try:
        enrolled = load_deck(file)
        if ruleset not in (None, enrolled.ruleset):
            raise ModelError(f"{file} contains faces of {enrolled.ruleset}, not of {ruleset}")
        deck = cards_of(enrolled.ruleset)
        faces = FaceRecogniser(matcher_of(models), enrolled, deck)
        return CardRecogniser(deck, models, (faces, *learnt))
    except DeckFileError as error:
        text = str(error)
        raise ModelError(text if str(file) in text else f"{file} {text}") from None


def matcher_of(models: Path) -> Matcher:
    """Load the networks for enrolled faces. Raises ModelError."""
    for network in (models / DESCRIBER, models / COMPARER):
        if not network.is_file():
            raise ModelError(f"the network {network} is missing; enrolled faces need it")
    return Matcher(models)
