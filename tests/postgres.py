"""A private PostgreSQL server in a temporary folder."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from tests.e2e.server import PATIENCE, TAKEN, free_port

MISSING = "PostgreSQL's server is not installed"
QUICK = ("fsync=off", "full_page_writes=off")


def binaries() -> Path | None:
    """Return the folder of the newest server's programs, or None."""
    found = shutil.which("initdb")
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    if found is not None:
        installed.append(Path(found))
    return installed[-1].resolve().parent if installed else None


class PostgresServer:
    """A private server that can be started and stopped repeatedly.

    Only ``durable`` servers sync to the disk.
    """

    def __init__(self, folder: Path, durable: bool = False) -> None:
        programs = binaries()
        if programs is None:
            raise RuntimeError(MISSING)
        self._programs = programs
        self._data = folder / "data"
        self._log = folder / "log"
        self._settings = () if durable else QUICK
        self.port, self._was_there = free_port(), False
        # PostgreSQL refuses to run as root.
        self._user = _other_user() if os.geteuid() == 0 else None
        if self._user is not None:
            shutil.chown(folder, self._user)

    @property
    def url(self) -> str:
        """Return the URL of the server's first database."""
        return f"postgresql://referee@127.0.0.1:{self.port}/postgres"

    def make(self) -> None:
        """Create the data directory."""
        flags = ["--auth=trust", "--username=referee", "--encoding=UTF8", "--locale=C", "--no-sync"]
        self._run("initdb", "--pgdata", str(self._data), *flags)

    def start(self) -> None:
        """Start the server; it accepts connections on return."""
        settings = ("listen_addresses=127.0.0.1", "unix_socket_directories=''", *self._settings)
        end = time.monotonic() + PATIENCE
        while True:
            given = " ".join(f"-c {setting}" for setting in (f"port={self.port}", *settings))
            try:
                self._control("start", "--log", str(self._log), "--options", given)
            except RuntimeError as error:
                if TAKEN not in str(error) or time.monotonic() > end:
                    raise
                self._log.unlink()
                # Later its address is known.
                self.port = self.port if self._was_there else free_port()
            else:
                self._was_there = True
                return

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; ``immediate`` is like a crash."""
        self._control("stop", "--mode", mode)

    def runs(self) -> bool:
        """Return whether it was started and not stopped."""
        return (self._data / "postmaster.pid").exists()

    def freeze(self) -> None:
        """Suspend all processes: connections stay open, nothing is answered."""
        for process in self._processes():
            os.kill(process, signal.SIGSTOP)

    def thaw(self) -> None:
        """Resume all processes."""
        for process in reversed(self._processes()):
            os.kill(process, signal.SIGCONT)

    def _processes(self) -> list[int]:
        """Return the server's process ids, the postmaster first."""
        first = int((self._data / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        found = [first]
        for status in Path("/proc").glob("[0-9]*/stat"):
            # A process may end while it is looked at.
            with suppress(OSError):
                parent = status.read_text(encoding="utf-8").rpartition(")")[2].split()[1]
                if int(parent) == first:
                    found.append(int(status.parent.name))
        return found

    def database(self) -> str:
        """Create an empty database; return its URL."""
        name = f"t{uuid.uuid4().hex[:12]}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url.removesuffix("postgres") + name

    def _control(self, what: str, *flags: str) -> None:
        wait = ("--wait", f"--timeout={PATIENCE:.0f}")
        self._run("pg_ctl", what, "--pgdata", str(self._data), *wait, *flags)

    def _run(self, program: str, *args: str) -> None:
        command: Sequence[str] = [str(self._programs / program), *args]
        group = None if self._user is None else pwd.getpwnam(self._user).pw_gid
        done = subprocess.run(
            command,
            user=self._user,
            group=group,
            extra_groups=None if self._user is None else [],
            cwd="/",
            # A server that stays must not hold on to a pipe.
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            text=True,
            timeout=2 * PATIENCE,
            check=False,
        )
        if done.returncode:
            log = self._log.read_text(encoding="utf-8") if self._log.exists() else ""
            raise RuntimeError(f"{program}: {done.stderr or ''}{log}")


def _other_user() -> str:
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in known)


@contextmanager
def private_server(durable: bool = False) -> Iterator[PostgresServer]:
    """Run a server for the length of a ``with`` block."""
    # Not pytest's own folder: another user has to get there.
    with tempfile.TemporaryDirectory(prefix="referee-postgres-") as folder:
        os.chmod(folder, 0o755)
        server = PostgresServer(Path(folder), durable)
        server.make()
        server.start()
        try:
            yield server
        finally:
            if server.runs():
                server.stop("immediate")
