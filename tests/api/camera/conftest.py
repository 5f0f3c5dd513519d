"""A table with a camera."""

import pytest
from flask.testing import FlaskClient

from tests.api.camera import Camera, add_camera
from tests.api.conftest import Seat, open_table


@pytest.fixture
def game(client: FlaskClient) -> Seat:
    """Ann dealt, a red 7 is the top card, Bo begins."""
    return open_table(client)


@pytest.fixture
def camera(game: Seat) -> Camera:
    return add_camera(game)
