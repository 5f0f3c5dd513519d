"""examples/home-assistant and the receiver of examples/python, with what a server really sends."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jinja2
import pytest
import yaml

from tests.api.receiver import receiving
from tests.e2e.server import PATIENCE, Server
from tests.examples.playing import ROOT, Host, recorded

HOME = ROOT / "examples" / "home-assistant"
ILLEGAL = {"seat": 2, "move": "play", "card": "blue-9"}
NEAR = {"REFEREE_WEBHOOK_NETWORKS": "127.0.0.1/32"}


class Tags(yaml.SafeLoader):
    """Reads Home Assistant's own tags, as the tag and its name."""


Tags.add_multi_constructor("!", lambda _, tag, node: f"!{tag} {node.value}")


def read(name: str) -> Any:
    return yaml.load((HOME / name).read_text(encoding="utf-8"), Tags)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    database = tmp_path_factory.mktemp("hooks") / "tables.sqlite3"
    with Server(database, env=NEAR) as server:
        yield server


@pytest.fixture
def host(server: Server) -> Host:
    host = Host(server, {**recorded("classic-112-custom-cards"), "options": {}})
    host.open({"dealer": 1, "opening": ["red-7"]})
    return host


def add(host: Host, url: str, **given: Any) -> Any:
    """Add a webhook."""
    path = f"{host.server.url}/api/v1/tables/{host.table}/webhooks"
    added = host.session.post(path, json={"url": url, **given}, timeout=PATIENCE)
    assert added.status_code == 201, added.text
    return added.json()


def rendered(template: str, **variables: Any) -> str:
    """Render a template as Home Assistant does; a name that is not there is an error."""
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
    return environment.from_string(template).render(**variables).strip()


def test_the_automation_reads_what_is_sent(host: Host) -> None:
    automation = read("referee_ruling.yaml")
    (trigger,) = automation["triggers"]
    assert trigger["local_only"] is True
    assert trigger["allowed_methods"] == ["POST"]
    inputs = {f"!input {name}" for name in automation["blueprint"]["input"]}
    kept, light, voice, _, restored = automation["actions"]
    used = {trigger["webhook_id"], light["target"]["entity_id"], voice["target"]["entity_id"]}
    assert kept["data"]["snapshot_entities"] == light["target"]["entity_id"]
    this = {"entity_id": "automation.card_table"}
    before = rendered(automation["variables"]["before"], this=this)
    assert rendered(kept["data"]["scene_id"], before=before) == "before_card_table"
    assert rendered(restored["target"]["entity_id"], before=before) == "scene.before_card_table"
    assert used | {voice["data"]["media_player_entity_id"]} == inputs
    with receiving() as receiver:
        add(host, receiver.url, kinds=["moved"], lang="sv")
        ruled = host.move(ILLEGAL)
        (message,) = receiver.wait_for(1)
    assert automation["variables"]["event"] == "{{ trigger.json }}"
    wrong, old = (one["value_template"] for one in automation["conditions"])

    def holds(condition: str, at: datetime, **changed: Any) -> bool:
        event = {**message.body, **changed}
        times = {"now": lambda: at, "as_datetime": datetime.fromisoformat}
        return rendered(condition, event=event, **times) == "True"

    assert holds(wrong, datetime.now(UTC))
    assert not holds(wrong, datetime.now(UTC), type="test", data={})
    assert holds(old, datetime.now(UTC))
    assert not holds(old, datetime.now(UTC) + timedelta(minutes=2))
    said = rendered(voice["data"]["message"], event=message.body)
    text = message.body["data"]["ruling"]["text"]
    assert said.startswith(text)
    assert text != ruled["ruling"]["text"]


def test_the_fields_are_those_of_the_description() -> None:
    """What the automation reads is promised, so a later release has it as well."""
    text = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
    spec = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    schemas = spec["components"]["schemas"]
    content = spec["webhooks"]["event"]["post"]["requestBody"]["content"]
    assert content["application/json"]["schema"] == {"$ref": "#/components/schemas/EventMessage"}
    message = schemas["EventMessage"]
    assert {"type", "timestamp", "data"} <= set(message["required"])
    assert message["properties"]["data"]["oneOf"][0] == {"$ref": "#/components/schemas/Entry"}
    assert "ruling" in schemas["Entry"]["properties"]
    assert {"verdict", "text", "put_right"} <= set(schemas["Ruling"]["required"])
    (sensor,) = read("referee_scores.yaml")["rest"][0]["sensor"]
    assert {*sensor["json_attributes"], "order"} <= set(schemas["Scores"]["required"])


def test_the_sensor_shows_the_scores(host: Host) -> None:
    (asked,) = read("referee_scores.yaml")["rest"]
    (sensor,) = asked["sensor"]
    sheet = host.get("/scores").json()
    shown = rendered(sensor["value_template"], value_json=sheet)
    assert shown == ", ".join(f"{name} 0" for name in sheet["seats"])
    long = {"order": list(range(1, 11)), "seats": ["x" * 40] * 10, "scores": [100] * 10}
    assert len(rendered(sensor["value_template"], value_json=long)) == 255


def test_the_receiver_prints_rulings_and_refuses_forgeries(host: Host, tmp_path: Path) -> None:
    hook = add(host, "http://127.0.0.1:8080/hook")
    command = [sys.executable, "-m", "flask", "--app", "webhook_receiver", "run", "--port", "0"]
    with subprocess.Popen(
        command,
        cwd=ROOT / "examples" / "python",
        env={**os.environ, "WEBHOOK_SECRET": hook["secret"], "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as receiver:
        try:
            assert receiver.stderr is not None
            assert receiver.stdout is not None
            # It says so once it listens.
            said = next(line for line in receiver.stderr if "Running on" in line)
            url = said.split()[-1] + "/hook"
            hooks = f"{host.server.url}/api/v1/tables/{host.table}/webhooks/{hook['id']}"
            assert host.session.patch(hooks, json={"url": url}, timeout=PATIENCE).status_code == 200
            headers = {"webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": "v1,x"}
            forged = host.session.post(url, json={}, headers=headers, timeout=PATIENCE)
            assert forged.status_code == 401
            ruled = host.move(ILLEGAL)["ruling"]
            line = next(line for line in receiver.stdout if ruled["text"] in line)
            assert ruled["source"] in line
        finally:
            receiver.kill()
