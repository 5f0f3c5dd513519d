"""How ``referee mcp`` starts: without its extra, over HTTP, and at no cost to other commands."""

import subprocess
import sys
import time

import pytest
import requests

from tests.e2e.server import PATIENCE, free_port


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=PATIENCE
    )


def test_without_the_extra_one_sentence_says_what_is_missing() -> None:
    done = python(
        "import sys; sys.modules['mcp'] = None\n"
        "from referee.cli import main; sys.exit(main(['mcp']))"
    )
    assert (done.returncode, done.stdout) == (2, "")
    needs = "needs the mcp packages: pip install '.[mcp]' in the project's folder"
    assert done.stderr == f"referee mcp: {needs}\n"


def test_other_commands_do_not_load_the_sdk() -> None:
    done = python(
        "import sys\nfrom referee.cli import main\n"
        "main(['check', 'classic-108 7,7 2> play red-7', '2 draw'])\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted({'mcp', 'pydantic', 'starlette'} & set(sys.modules)))"
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_over_http_only_programs_of_this_machine_are_served() -> None:
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    from tests.cli.mcp_server.talking import talk

    # It does not say where it is.
    port = free_port()
    command = [sys.executable, "-m", "referee", "mcp", "--http", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            url = f"http://127.0.0.1:{port}/mcp"
            wait_for(url)
            named = talk(url, lambda client: client.call_tool("list_decks", {}))
            assert len(named.structured_content["decks"]) >= 5
            for headers in ({"Host": "referee.example"}, {"Origin": "https://referee.example"}):
                assert post(url, headers) in (403, 421)
            assert post(url, {}) == 200
        finally:
            process.terminate()


def post(url: str, headers: dict[str, str]) -> int:
    asked = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    accept = {"Accept": "application/json, text/event-stream"}
    with requests.post(
        url, json=asked, headers={**accept, **headers}, timeout=PATIENCE, stream=True
    ) as answer:
        return answer.status_code


def wait_for(url: str) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            requests.get(url, timeout=2)
        except requests.RequestException:
            assert time.monotonic() < until, "it does not listen"
            time.sleep(0.1)
        else:
            return
