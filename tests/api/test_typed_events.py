"""Events of games of every deck are as their schemas say, in pages and in streams.

Pages are compared by ``described``, as are the events that any other test of the API gets.
"""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.api.asyncapi import describe_streams
from referee.api.description import description
from referee.api.schemas.log_events import FIELDS, event_name
from referee.rules.ruleset import rulesets
from referee.service.play.views import TOLD
from tests.api.conftest import Seat, imported
from tests.api.described import entry_error, validator
from tests.api.test_events import STREAM, take
from tests.paging import all_items
from tests.rules.simulation import Simulation

SEED = 11


def all_events(host: Seat) -> list[dict[str, Any]]:
    return list(all_items(lambda path: host.get(path).get_json(), "/events"))


@pytest.mark.parametrize("ruleset", rulesets())
def test_events_of_a_game(app: Flask, client: FlaskClient, ruleset: str) -> None:
    game = Simulation(ruleset, SEED)
    game.play(most_moves=120)
    host = imported(client, game.record)
    events = all_events(host)
    assert {"created", "round-opened", "moved"} <= {event["kind"] for event in events}
    consequences = {one["event"] for event in events for one in event.get("events", ())}
    assert len(consequences) > 10
    assert consequences <= TOLD
    check = validator(description(), {"$ref": "#/components/schemas/StreamLine"})
    lines = take(host.get("/events", Accept=STREAM), len(events))
    assert len(lines) == len(events)
    for number, kind, data in lines:
        check.validate({"id": str(number), "event": kind, "data": data})


def test_an_event_of_another_shape_is_refused(host: Seat) -> None:
    spec = description()
    (event,) = (one for one in all_events(host) if one["kind"] == "round-opened")
    assert entry_error(spec, event) is None
    without = {name: value for name, value in event.items() if name != "opening"}
    assert "opening" in str(entry_error(spec, without))
    assert "surprise" in str(entry_error(spec, {**event, "surprise": 1}))
    wrong = [{**event["events"][0], "seat": "Ann"}]
    assert entry_error(spec, {**event, "events": wrong}) is not None


def test_the_streams_are_described_with_the_same_schemas(app: Flask) -> None:
    spec = description()
    streams = describe_streams(spec)
    messages = streams["components"]["messages"]
    names = {message["name"] for message in messages.values()}
    assert names == {*FIELDS, "closing", "revoked", "unavailable", "available", "pairings"}
    schemas = streams["components"]["schemas"]
    for kind in FIELDS:
        name = event_name(kind)
        assert messages[name]["payload"] == {"$ref": f"#/components/schemas/{name}"}
        assert schemas[name]["required"] == spec["components"]["schemas"][name]["required"]
    assert app.test_client().get("/asyncapi.json").get_json() == streams
