"""The recogniser of a table's deck, with the faces that were enrolled for it."""

from collections.abc import Mapping
from pathlib import Path

from hardware.camera.decks import cards_of
from hardware.camera.enrol.deckfile import DeckFileError, faces_file, load_deck
from hardware.camera.enrol.face_recogniser import FaceRecogniser
from hardware.camera.enrol.matcher import COMPARER, DESCRIBER, Matcher
from hardware.camera.recognise import MODELS, CardRecogniser, ModelError


def recogniser_of(
    ruleset: str | None, environ: Mapping[str, str], models: Path = MODELS, file: Path | None = None
) -> CardRecogniser:
    """What reads a ruleset's deck; without a ruleset, any of the cards.

    Args:
        ruleset: Whose deck is on the table.
        environ: Tells where enrolled faces are kept for a ruleset.
        models: The networks.
        file: Enrolled faces to take, instead of those that are kept for the ruleset.

    Raises:
        ModelError: The networks, or the enrolled faces, cannot be used.
    """
    if file is None and ruleset is not None:
        kept = faces_file(environ, ruleset)
        file = kept if kept.exists() else None
    if file is None:
        return CardRecogniser(cards_of(ruleset), models)
    try:
        enrolled = load_deck(file)
        if ruleset not in (None, enrolled.ruleset):
            raise ModelError(f"{file} holds faces of {enrolled.ruleset}, not of {ruleset}")
        deck = cards_of(enrolled.ruleset)
        return CardRecogniser(deck, models, FaceRecogniser(matcher_of(models), enrolled, deck))
    except DeckFileError as error:
        text = str(error)
        raise ModelError(text if str(file) in text else f"{file} {text}") from None


def matcher_of(models: Path) -> Matcher:
    """The networks that know enrolled faces. Raises ModelError."""
    for network in (models / DESCRIBER, models / COMPARER):
        if not network.is_file():
            raise ModelError(f"the network {network} is not there; enrolled faces need it")
    return Matcher(models)
