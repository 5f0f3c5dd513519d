"""One server for all tests with a camera: every test has a table of its own."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.api import create_app
from referee.config import NO_LIMITS, Guard, Settings
from tests.api.camera import Camera, add_camera
from tests.api.conftest import Seat, close, open_table


@pytest.fixture(scope="package")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    folder = tmp_path_factory.mktemp("camera")
    unlimited = Guard(limits=NO_LIMITS)
    settings = Settings(str(folder / "tables.sqlite3"), keep_alive=0.2, guard=unlimited)
    app = create_app(settings)
    yield app
    close(app)


@pytest.fixture
def game(client: FlaskClient) -> Seat:
    """Ann dealt, a red 7 lies there, Bo begins."""
    return open_table(client)


@pytest.fixture
def camera(game: Seat) -> Camera:
    return add_camera(game)
