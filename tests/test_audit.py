"""Vulnerabilities fail the audit; an unreachable service does not."""

import json
from pathlib import Path

import pytest

from tests.audit import ROOT, judged, lint, tool

FAULTY = {
    "name": "jinja2",
    "version": "3.0.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["3.1.6"]}, {"id": "GHSA-2", "fix_versions": []}],
}
SKIPPED = {"name": "limits", "skip_reason": "not found"}


def said(*packages: object) -> tuple[int, str]:
    return judged("requirements.txt", json.dumps({"dependencies": packages}), "")


def test_known_faults_are_named_and_fail() -> None:
    status, text = said(FAULTY)
    assert status == 1
    assert "1 packages looked up, 2 known faults" in text
    assert "jinja2 3.0.0: PYSEC-1, mended in 3.1.6" in text
    assert "GHSA-2, mended in no version yet" in text


def test_what_was_not_looked_up_is_said_and_does_not_fail() -> None:
    status, text = said(SKIPPED)
    assert (status, "NOT AUDITED" in text, "limits" in text) == (0, True, True)
    status, text = judged("requirements.txt", "", "ERROR: connection refused\n")
    assert (status, text.startswith("NOT AUDITED"), "connection refused" in text) == (0, True, True)


@pytest.mark.skipif(tool("hadolint") is None, reason="hadolint is not installed")
def test_the_dockerfile_is_clean_and_a_bad_one_is_not(tmp_path: Path) -> None:
    assert lint(ROOT / "Dockerfile")[0] == 0
    bad = tmp_path / "Dockerfile"
    bad.write_text("FROM debian:latest\nRUN apt-get install curl\n", encoding="utf-8")
    assert lint(bad)[0] == 1
