"""The gateway promises to be heard of again, whatever happens to the server."""

from hardware.gateway.api import Api
from hardware.gateway.config import ServerConfig
from hardware.gateway.runner import Presence
from tests.hardware.gateway.fakes import FakeReferee
from tests.waiting import until


def test_every_token_promises_again_and_again(fake: FakeReferee) -> None:
    apis = {token: Api(ServerConfig(fake.url, "t1"), token) for token in ("one", "two")}
    presence = Presence(apis, every=0.01, within=7)
    presence.start()
    until(lambda: len(fake.promises) >= 4)
    presence.stop()
    assert fake.promises[:4] == [(token, {"within": 7}) for token in ("one", "two") * 2]


def test_a_token_that_was_revoked_is_noticed_at_once(fake: FakeReferee) -> None:
    fake.tokens = {"one", "two"}
    apis = {token: Api(ServerConfig(fake.url, "t1"), token) for token in ("one", "two")}
    presence = Presence(apis, every=10_000)
    presence.start()
    until(lambda: len(fake.promises) == 2)
    assert presence.refused == set()
    fake.tokens = {"one"}
    presence.renew()
    until(lambda: presence.refused == {"two"})
    fake.tokens = {"one", "two"}
    presence.renew()
    until(lambda: not presence.refused)
    presence.stop()


def test_a_server_that_was_away_hears_of_it_when_it_is_back(fake: FakeReferee) -> None:
    presence = Presence({"one": Api(ServerConfig(fake.url, "t1"), "one")}, every=0.01)
    presence.start()
    until(lambda: fake.promises)
    fake.stop()
    before = len(fake.promises)
    fake.start()
    until(lambda: len(fake.promises) > before)
    presence.stop()
