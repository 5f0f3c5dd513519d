"""The examples for servers: they say what the program understands."""

import argparse
import configparser
import re
from pathlib import Path
from typing import Any

import yaml

from referee.commands import serve
from referee.config import settings_from_env

SERVER = Path(__file__).parents[2] / "examples" / "server"


def check_command(words: list[str]) -> None:
    """``referee …`` with flags that there are."""
    parser = argparse.ArgumentParser()
    serve.add_flags(parser)
    parser.parse_args(words[words.index("serve") + 1 :])


def test_the_compose_file_is_two_servers_on_one_database() -> None:
    compose: dict[str, Any] = yaml.safe_load((SERVER / "compose.yaml").read_text(encoding="utf-8"))
    services = compose["services"]
    servers = [services["referee-1"], services["referee-2"]]
    for server in servers:
        check_command(server["command"])
        settings = settings_from_env(server["environment"])
        assert settings.workers == 2
        assert settings.database.startswith("postgresql://referee:")
        assert settings.database.endswith("@database/referee")
        assert server["depends_on"]["database"]["condition"] == "service_healthy"
        assert server["read_only"] is True
        assert (SERVER / server["build"]["context"] / "Dockerfile").exists()
        # Its port is for a proxy on the same machine alone, which names the client's address.
        assert all(port.startswith("127.0.0.1:") for port in server["ports"])
        assert settings_from_env(server["environment"]).guard.proxies == 1
    assert servers[0]["ports"] != servers[1]["ports"]
    volume = services["database"]["volumes"][0].split(":")[0]
    assert volume in compose["volumes"]


def test_the_unit_starts_a_server() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None, comment_prefixes="#")
    unit.optionxform = str  # type: ignore[method-assign, assignment]
    unit.read(SERVER / "referee.service", encoding="utf-8")
    service = unit["Service"]
    check_command(service["ExecStart"].split())
    settings = settings_from_env(dict(one.split("=") for one in service["Environment"].split()))
    assert settings.workers == 2
    # It listens for a proxy on its own machine alone.
    assert "--host 127.0.0.1" in service["ExecStart"]
    assert settings.guard.proxies == 1
    assert service["EnvironmentFile"] == "/etc/referee/env"
    # Long enough for what is in hand when the server is told to stop.
    assert int(re.sub(r"\D", "", service["TimeoutStopSec"])) > 10
