"""The golden frames, for parametrized tests."""

import json

import pytest

from hardware.board.vectors import PATH

VECTORS = json.loads(PATH.read_text(encoding="utf-8"))


def named(section):
    return [pytest.param(vector, id=vector["name"]) for vector in VECTORS[section]]
