"""The page's files, read once: what a browser gets, packed, with a digest of its content."""

import gzip
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "files"
SHELL = "index.html"
WORKER = "worker.js"
TYPES: Mapping[str, str] = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
TEXT = frozenset({".html", ".js", ".css", ".svg", ".webmanifest"})
# In the shell and in the worker stand what the folder holds, so that nobody keeps a list by hand.
PRELOAD = b"<!-- modules -->"
CACHED = b'"{{files}}"'


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is served: plain, and packed where that makes it smaller."""

    data: bytes
    packed: bytes | None
    mimetype: str
    digest: str


def find(name: str) -> Asset | None:
    """A file of the page by its path below ``files``; None where there is none."""
    return _all().get(name)


def names() -> tuple[str, ...]:
    """The files that make up the page, the shell and the worker left out."""
    return tuple(name for name in _all() if name not in (SHELL, WORKER))


@cache
def _all() -> Mapping[str, Asset]:
    paths = sorted(path for path in FOLDER.rglob("*") if path.suffix in TYPES)
    found = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in paths}
    modules = [name for name in found if name.startswith("js/")]
    links = "\n    ".join(f'<link rel="modulepreload" href="/page/{name}" />' for name in modules)
    found[SHELL] = found[SHELL].replace(PRELOAD, links.encode())
    kept = {
        "/" if name == SHELL else f"/page/{name}": _digest(data)
        for name, data in found.items()
        if name != WORKER
    }
    found[WORKER] = found[WORKER].replace(CACHED, json.dumps(kept).encode())
    return {name: _asset(name, data) for name, data in found.items()}


def _asset(name: str, data: bytes) -> Asset:
    suffix = Path(name).suffix
    packed = gzip.compress(data, mtime=0) if suffix in TEXT else None
    return Asset(data, packed, TYPES[suffix], _digest(data))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
