"""What docs/operations.md and examples/operations say is what the server has."""

import json
import re
from dataclasses import fields
from pathlib import Path

import yaml
from flask import Flask

from referee.config import Limits
from tests.api.conftest import MakeApp, make_app, open_table  # noqa: F401 - a fixture

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
EXAMPLES = ROOT / "examples" / "operations"
SERIES = re.compile(r"\b(?:referee|process)_[a-z_]+")
SETTING = re.compile(r'"(REFEREE_[A-Z_]+)"')


def exposed(app: Flask) -> set[str]:
    """The names of all series, once there was something to count."""
    host = open_table(app.test_client())
    host.move(2, "play", card="red-1")
    host.post("/corrections", {"kind": "undo"})
    app.extensions["referee-metrics"].limited("token")
    app.extensions["referee-metrics"].sent("delivered")
    app.extensions["referee-metrics"].shed("token")
    host.get("/events?after=999")
    text = app.test_client().get("/metrics").text
    return {SERIES.match(line).group() for line in text.splitlines() if SERIES.match(line)}


def test_every_setting_is_described() -> None:
    source = (ROOT / "referee" / "config.py").read_text(encoding="utf-8")
    settings = set(SETTING.findall(source))
    assert len(settings) > 8
    limits = {f"REFEREE_LIMIT_{field.name.upper()}": field.default for field in fields(Limits)}
    assert {name for name in settings | set(limits) if f"`{name}`" not in PAGE} == set()
    for name, default in limits.items():
        assert f"| `{name}` | `{default}` |" in PAGE


def test_every_series_is_described_and_no_other(make_app: MakeApp) -> None:  # noqa: F811
    names = {name for name in exposed(make_app()) if name.startswith("referee_")}
    names = {re.sub("_(bucket|count|sum)$", "", name) for name in names}
    told = set(SERIES.findall(PAGE.partition("## Figures\n")[2].partition("\n## ")[0]))
    assert {name for name in told if name.startswith("referee_")} == names


def test_the_dashboard_and_the_alerts_ask_for_series_that_are_there(make_app: MakeApp) -> None:  # noqa: F811
    names = exposed(make_app())
    board = json.loads((EXAMPLES / "grafana-dashboard.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    alerts = yaml.safe_load((EXAMPLES / "referee-alerts.yml").read_text(encoding="utf-8"))
    asked += [rule["expr"] for group in alerts["groups"] for rule in group["rules"]]
    assert len(asked) > 20
    found = {name for expr in asked for name in SERIES.findall(expr)}
    assert found - names == set()
    scraped = yaml.safe_load((EXAMPLES / "prometheus.yml").read_text(encoding="utf-8"))
    assert scraped["rule_files"] == ["referee-alerts.yml"]
