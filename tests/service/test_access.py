"""Tokens as text: what a command line and a retried request ask of them."""

import secrets

import pytest

from referee.service.access import TokenMaker


def test_no_token_reads_as_an_option():
    """``pair --token -UKE…`` would say that ``--token`` lacks its value."""
    maker = TokenMaker(b"a secret")
    tokens = {maker.token("seat", str(number)) for number in range(1000)}
    assert len(tokens) == 1000
    assert {len(token) for token in tokens} == {43}
    assert not [token for token in tokens if token.startswith("-")]
    assert [token for token in tokens if "-" in token]


def test_a_drawn_token_is_none_either(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(secrets, "token_bytes", lambda count: b"\xfb" * count)
    assert TokenMaker(b"a secret").token("host", None).startswith("_")
