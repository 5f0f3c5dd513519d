"""A test authority that speaks ACME as Let's Encrypt does: Pebble, with its own DNS server."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests

from referee.home.authority import AUTHORITY, Pair
from tests.e2e.server import PATIENCE, TAKEN, free_port
from tests.home.test_door import PublicAuthority

# Pebble otherwise waits before it looks, and refuses good requests now and then.
PROMPT = {"PEBBLE_VA_NOSLEEP": "1", "PEBBLE_WFE_NONCEREJECT": "0"}
HOOK = """\
#!/bin/sh
# Sets and clears a TXT record, as a DNS provider's API would.
# lego passes the record in arguments, certbot in the environment.
case "$1" in cleanup) what=clear ;; *) what=set ;; esac
host="${2:-_acme-challenge.$CERTBOT_DOMAIN.}" value="${3:-$CERTBOT_VALIDATION}"
record="{\\"host\\": \\"$host\\", \\"value\\": \\"$value\\"}"
exec curl --silent --fail --data "$record" RECORDS/$what-txt
"""


@dataclass(frozen=True)
class Acme:
    """An authority: where it is, what its own door is certified by, and how a name is proved."""

    directory: str
    door: Path
    root: Path
    resolver: str
    hook: Path
    http: int
    https: int


def needed(*programs: str) -> None:
    """Skip where one of these programs is missing."""
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


@contextlib.contextmanager
def running(
    command: Sequence[str], folder: Path, env: Mapping[str, str] | None = None
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a program beside the test; what it says is in a file of ``folder``."""
    with (folder / f"{Path(command[0]).name}.log").open("wb") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, cwd=folder, env={**os.environ, **(env or {})}
        )
        try:
            yield process
        finally:
            process.terminate()
            process.wait(PATIENCE)


def listening(port: int, *programs: "subprocess.Popen[bytes]") -> bool:
    """Wait until somebody listens on a port, or one of the programs has ended."""
    end = time.monotonic() + PATIENCE
    while all(program.poll() is None for program in programs):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.05)
    return False


@contextlib.contextmanager
def acme_authority(folder: Path) -> Iterator[Acme]:
    """Run it; every name leads to this machine there."""
    needed("pebble", "pebble-challtestsrv", "curl")
    own = PublicAuthority(folder / "door")
    door = Pair(folder / "door.pem", folder / "door-key.pem")
    own.issue(door, "localhost")
    made: Acme | None = None
    while made is None:
        with started(folder, door) as made:
            if made is not None:
                yield made


@contextlib.contextmanager
def started(folder: Path, door: Pair) -> Iterator[Acme | None]:
    """Start it at ports that are free; None where one of them was taken meanwhile."""
    api, management, names, records, http, https = (free_port() for _ in range(6))
    config = {
        "listenAddress": f"127.0.0.1:{api}",
        "managementListenAddress": f"127.0.0.1:{management}",
        "certificate": str(door.certificate),
        "privateKey": str(door.key),
        "httpPort": http,
        "tlsPort": https,
    }
    (folder / "pebble.json").write_text(json.dumps({"pebble": config}), encoding="ascii")
    hook = folder / "publish"
    hook.write_text(HOOK.replace("RECORDS", f"http://127.0.0.1:{records}"), encoding="ascii")
    hook.chmod(0o755)
    resolver = f"127.0.0.1:{names}"
    dns = ["pebble-challtestsrv", "-dns01", resolver, "-management", f"127.0.0.1:{records}"]
    dns += ["-defaultIPv6", "", "-http01", "", "-https01", "", "-tlsalpn01", ""]
    pebble = ["pebble", "-config", str(folder / "pebble.json"), "-dnsserver", resolver]
    with running(dns, folder) as one, running(pebble, folder, PROMPT) as other:
        if not all(listening(port, one, other) for port in (records, api, management)):
            logs = [file.read_text() for file in folder.glob("pebble*.log")]
            assert any(TAKEN.lower() in text for text in logs), logs
            yield None
            return
        root = folder / "root.pem"
        authority = folder / "door" / AUTHORITY
        answer = requests.get(
            f"https://localhost:{management}/roots/0", verify=str(authority), timeout=PATIENCE
        )
        root.write_bytes(answer.content)
        directory = f"https://localhost:{api}/dir"
        yield Acme(directory, authority, root, resolver, hook, http, https)
