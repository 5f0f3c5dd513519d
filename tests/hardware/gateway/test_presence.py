"""The gateway promises to be heard of again, whatever happens to the server."""

from hardware.gateway.api import Api
from hardware.gateway.config import ServerConfig
from hardware.gateway.runner import Presence
from tests.hardware.gateway.fakes import FakeReferee, until


def test_every_token_promises_again_and_again(fake: FakeReferee) -> None:
    apis = [Api(ServerConfig(fake.url, "t1"), token) for token in ("one", "two")]
    presence = Presence(apis, every=0.01, within=7)
    presence.start()
    until(lambda: len(fake.promises) >= 4)
    presence.stop()
    assert fake.promises[:4] == [(token, {"within": 7}) for token in ("one", "two") * 2]


def test_a_server_that_was_away_hears_of_it_when_it_is_back(fake: FakeReferee) -> None:
    presence = Presence([Api(ServerConfig(fake.url, "t1"), "one")], every=0.01)
    presence.start()
    until(lambda: fake.promises)
    fake.stop()
    before = len(fake.promises)
    fake.start()
    until(lambda: len(fake.promises) > before)
    presence.stop()
