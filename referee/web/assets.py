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
# The styles that the shell names, in its order, as a single file.
STYLES = "css/page.css"
TYPES: Mapping[str, str] = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
FIRST_MODULE = "js/app.js"
IMPORTED = re.compile(rb'^(?:import|export) [^;]*?from "(\.[^"]+)"', re.MULTILINE)
TEXT = frozenset({".html", ".js", ".css", ".svg", ".webmanifest"})
STYLE_LINK = re.compile(rb'\n *<link rel="stylesheet" href="/page/([^"]+)" />')
# Replaced in the shell and the worker by the files in the folder.
LINKS_MARK = b"<!-- links -->"
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
    """Return whether a file is part of the first page.

    Styles that the shell does not name, and modules that are reached only by ``import("…")``, are
    loaded when a screen needs them.
    """
    if name.startswith("css/"):
        return name == STYLES
    return not name.startswith("js/") or name in _early_modules()


def address(name: str) -> str:
    """Return the path of a file as the shell and its modules name it: it changes with any file."""
    return f"/page/{version()}/{name}"


@cache
def version() -> str:
    """Return a digest of all files: what is served below it never changes."""
    return _digest(b"".join(name.encode() + data for name, data in sorted(_read().items())))


@cache
def _early_modules() -> frozenset[str]:
    """Return the modules that the first one imports, and what these import."""
    early, due = set[str](), [FIRST_MODULE]
    while due:
        name = due.pop()
        if name not in early:
            early.add(name)
            folder = Path(name).parent.as_posix()
            imported = IMPORTED.findall(_read()[name])
            due += [normpath(f"{folder}/{module.decode()}") for module in imported]
    return frozenset(early)


@cache
def _read() -> Mapping[str, bytes]:
    """Return the files as they are in the folder, but for the shell's styles, which are joined."""
    paths = sorted(path for path in FOLDER.rglob("*") if path.suffix in TYPES)
    files = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in paths}
    styles = [name.decode() for name in STYLE_LINK.findall(files[SHELL])]
    joined = b"".join(files.pop(name) for name in styles)
    shell = STYLE_LINK.sub(b"", files[SHELL])
    return {**files, SHELL: shell, STYLES: joined}


@cache
def _all() -> Mapping[str, Asset]:
    files = dict(_read())
    links = [f'<link rel="stylesheet" href="/page/{STYLES}" />']
    links += [
        f'<link rel="modulepreload" href="/page/{name}" />' for name in sorted(_early_modules())
    ]
    shell = files[SHELL].replace(LINKS_MARK, "\n    ".join(links).encode())
    files[SHELL] = shell.replace(b'"/page/', f'"{address("")}'.encode())
    addresses = [address(name) for name in files if name not in (SHELL, WORKER)]
    files[WORKER] = files[WORKER].replace(FILES_MARK, json.dumps(addresses).encode())
    return {name: _asset(name, data) for name, data in files.items()}


def _asset(name: str, data: bytes) -> Asset:
    suffix = Path(name).suffix
    gzipped = gzip.compress(data, mtime=0) if suffix in TEXT else None
    return Asset(data, gzipped, TYPES[suffix], _digest(data))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
