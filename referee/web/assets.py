"""The page's files, read and compressed once."""

import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from posixpath import normpath

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
# Loaded when a screen needs them, not with the first page; so are modules that are reached only
# by ``import("…")``.
LATER_STYLES = ("css/camera.css", "css/club.css", "css/moment.css", "css/wall.css")
FIRST_MODULE = "js/app.js"
IMPORTED = re.compile(rb'^(?:import|export) [^;]*?from "(\.[^"]+)"', re.MULTILINE)
TEXT = frozenset({".html", ".js", ".css", ".svg", ".webmanifest"})
# Replaced in the shell and the worker by the files in the folder.
PRELOAD_MARK = b"<!-- modules -->"
FILES_MARK = b'"{{files}}"'


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as served, with a digest of its content; images are not gzipped."""

    data: bytes
    gzipped: bytes | None
    mimetype: str
    digest: str


def find(name: str) -> Asset | None:
    """Return a file by its path below ``files``, None if it does not exist."""
    return _all().get(name)


def names() -> tuple[str, ...]:
    """Return the files of the page except the shell and the worker."""
    return tuple(name for name in _all() if name not in (SHELL, WORKER))


def is_early(name: str) -> bool:
    """Return whether a file is part of the first page."""
    return name in _early_modules() if name.startswith("js/") else name not in LATER_STYLES


@cache
def _early_modules() -> frozenset[str]:
    """Return the modules that the first one imports, and what these import."""
    found, due = set[str](), [FIRST_MODULE]
    while due:
        name = due.pop()
        if name not in found:
            found.add(name)
            folder = Path(name).parent.as_posix()
            imported = IMPORTED.findall((FOLDER / name).read_bytes())
            due += [normpath(f"{folder}/{one.decode()}") for one in imported]
    return frozenset(found)


@cache
def _all() -> Mapping[str, Asset]:
    paths = sorted(path for path in FOLDER.rglob("*") if path.suffix in TYPES)
    found = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in paths}
    modules = [name for name in found if is_early(name) and name.startswith("js/")]
    links = "\n    ".join(f'<link rel="modulepreload" href="/page/{name}" />' for name in modules)
    found[SHELL] = found[SHELL].replace(PRELOAD_MARK, links.encode())
    digests = {
        "/" if name == SHELL else f"/page/{name}": _digest(data)
        for name, data in found.items()
        if name != WORKER
    }
    found[WORKER] = found[WORKER].replace(FILES_MARK, json.dumps(digests).encode())
    return {name: _asset(name, data) for name, data in found.items()}


def _asset(name: str, data: bytes) -> Asset:
    suffix = Path(name).suffix
    gzipped = gzip.compress(data, mtime=0) if suffix in TEXT else None
    return Asset(data, gzipped, TYPES[suffix], _digest(data))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
