"""Fixtures of the hardware's tests."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hardware.cli import main
from tests.hardware.gateway.fakes import FakeReferee


@pytest.fixture
def fake() -> Iterator[FakeReferee]:
    """A referee that listens."""
    with FakeReferee() as referee:
        yield referee


Run = Callable[..., Any]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run ``referee-table`` with these words; how it has to end. Returns what it said."""

    def run(*words: object, ends: int = 0) -> Any:
        capsys.readouterr()
        try:
            status = main([str(word) for word in words])
        except SystemExit as stopped:
            status = stopped.code
        said = capsys.readouterr()
        assert status == ends, said
        return said

    return run
