"""The configuration is changed in place: another deck, a board that goes."""

import tomllib

import pytest

from hardware.gateway.config_edit import with_deck, without_backend
from hardware.gateway.fields import ConfigError

CAMERA = '[camera]\n# On the shelf\nsource = "0"\nruleset = "classic-108"\n'
BOARD = '[[devices]]\nname = "Board"\nbackend = "board"\n'
SECOND = '[[devices]]\nname = "Second"\nbackend = "camera"\noptions = { ruleset = "classic-108" }\n'


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        (CAMERA, CAMERA.replace("108", "112")),
        (CAMERA + BOARD + SECOND, (CAMERA + BOARD + SECOND).replace("108", "112")),
        # What names no deck goes on naming none.
        ('[camera]\nsource = "0"\n' + BOARD, '[camera]\nsource = "0"\n' + BOARD),
        ("", ""),
    ],
)
def test_every_camera_that_names_a_deck_names_another(text: str, changed: str) -> None:
    assert with_deck(text, "classic-112") == changed


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (CAMERA + BOARD + SECOND, ["Second"]),
        (CAMERA + BOARD + BOARD.replace("Board", "Other"), None),
        (CAMERA, None),
    ],
)
def test_the_devices_of_a_backend_go(text: str, left: list[str] | None) -> None:
    changed = without_backend(text, "board")
    # Notes stay.
    assert "# On the shelf" in changed
    devices = tomllib.loads(changed).get("devices")
    assert left == (None if devices is None else [device["name"] for device in devices])


@pytest.mark.parametrize("change", [with_deck, without_backend])
def test_what_is_no_toml_is_left_alone(change: object) -> None:
    assert callable(change)
    with pytest.raises(ConfigError, match="no TOML"):
        change("[camera", "board")
