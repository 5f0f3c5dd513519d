"""Fixtures of the hardware's tests."""

from collections.abc import Iterator

import pytest

from tests.hardware.gateway.fakes import FakeReferee


@pytest.fixture
def fake() -> Iterator[FakeReferee]:
    """A referee that listens."""
    with FakeReferee() as referee:
        yield referee
