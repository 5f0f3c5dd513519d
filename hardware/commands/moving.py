"""Move the configuration to the table to which the host has brought this computer."""

import argparse
import tomllib
from pathlib import Path

from hardware.backends import CAMERA
from hardware.gateway.along import Along, Place, comes_along, known_as
from hardware.gateway.config import CAMERA_NAME, Config, DeviceConfig
from hardware.gateway.config_edit import with_deck, with_device
from hardware.gateway.deck import Deck, other_deck
from hardware.paths import write_private


def follower(args: argparse.Namespace, config: Config) -> Along | None:
    """Return what follows the host; None if flags say where to be, or no host is followed."""
    stays = _is_told(args) or getattr(args, "once", False)
    if stays or config.file is None or not comes_along(config.file):
        return None
    return Along(config.server, known_as(config.file, config.server.url))


def write_place(file: Path, url: str, place: Place) -> None:
    """Write a place into a configuration, whose devices keep their options.

    Raises ConfigError or OSError.
    """
    from hardware.camera.decks import RULESETS

    text = file.read_text("utf-8")
    raw = tomllib.loads(text)
    camera = raw["camera"].get("name", CAMERA_NAME) if "camera" in raw else None
    backends = {str(one.get("name")): str(one.get("backend")) for one in raw.get("devices", [])}
    if camera is not None:
        backends[str(camera)] = CAMERA
    for name, token in place.tokens.items():
        if name in backends:
            knows = backends[name] == CAMERA and place.ruleset in RULESETS
            deck = {"ruleset": place.ruleset} if knows else {}
            device = DeviceConfig(name, backends[name], deck, token)
            text = with_device(text, url, place.table, device)
    write_private(file, text)


class OwnDeck:
    """Has the cameras of a configuration follow the deck of its own table."""

    def __init__(self, args: argparse.Namespace, config: Config) -> None:
        self._config = config
        self._file = None if _is_told(args) else config.file
        self._tried: str | None = None

    def changed(self, deck: Deck) -> bool:
        """Write a deck that the cameras do not look for; return whether that was done.

        Raises ConfigError or OSError, once for each deck.
        """
        wrong = any(other_deck(device, deck) for device in self._config.devices)
        if not wrong or self._file is None or deck.ruleset == self._tried:
            return False
        from hardware.camera.decks import RULESETS

        self._tried = deck.ruleset
        if deck.ruleset not in RULESETS:
            return False
        write_private(self._file, with_deck(self._file.read_text("utf-8"), deck.ruleset))
        return True


def _is_told(args: argparse.Namespace) -> bool:
    """Return whether flags say where to be, whatever the file says."""
    return bool(args.server or args.table or args.token_file)
