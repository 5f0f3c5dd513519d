"""Headers that tell a browser what it must not do with an answer."""

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response
from flask_cors import CORS

# A page's scripts and styles are files of this server; a photo is shown from memory.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self'{styles}; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; media-src 'self' blob:; "
    "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
A_YEAR = "max-age=31536000"
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
EXPOSED = ("ETag", "Retry-After", "X-Request-ID")
SENT = (
    *("Authorization", "Content-Type", "Accept-Language", "Idempotency-Key", "If-Match"),
    *("Last-Event-ID", "X-Request-ID"),
)
METHODS = ("GET", "POST", "PUT", "DELETE")
PREFLIGHT_SECONDS = 600


def page_policy(scripts: str = "", styles: str = "") -> str:
    """The Content-Security-Policy of a page; what it may run beside files is added to it."""
    return PAGE_POLICY.format(scripts=scripts, styles=styles)


EVERY = (("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"))
DATA = (
    *EVERY,
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
)
PAGE = (
    *EVERY,
    ("Content-Security-Policy", page_policy()),
    ("Referrer-Policy", "no-referrer"),
    ("X-Frame-Options", "DENY"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(self), microphone=(), geolocation=(), payment=(), usb=()"),
)


@lru_cache(maxsize=8)
def inline_scripts(page: str) -> str:
    """The inline scripts of a page, as sources of a policy that lets exactly these run."""
    hashes = (hashlib.sha256(script.encode()).digest() for script in INLINE.findall(page))
    return "".join(f" 'sha256-{base64.b64encode(digest).decode()}'" for digest in hashes)


def let_run_as_it_is(response: Response) -> Response:
    """A page whose scripts are in it, with a policy for just these; it sets styles by script."""
    if response.mimetype == "text/html" and not response.direct_passthrough:
        policy = page_policy(inline_scripts(response.get_data(as_text=True)), " 'unsafe-inline'")
        response.headers["Content-Security-Policy"] = policy
    return response


def secured(app: WSGIApplication) -> WSGIApplication:
    """The same app; each answer gets what it has not said itself.

    On the plain list that goes to the server: as a Flask response's headers it would cost a
    twentieth of a move.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(
            status: str, sent: list[tuple[str, str]], error: Any = None
        ) -> Callable[[bytes], object]:
            if status.startswith("304"):
                # What was said with the content holds; said anew it would take the place of that.
                return start_response(status, sent, error)
            said = {name.lower(): value for name, value in sent}
            page = said.get("content-type", "").startswith("text/html")
            more = PAGE if page else DATA
            if environ["wsgi.url_scheme"] == "https":
                more = (*more, ("Strict-Transport-Security", A_YEAR))
            sent = [*sent, *(one for one in more if one[0].lower() not in said)]
            return start_response(status, sent, error)

        return app(environ, start)

    return answer


def allow_origins(app: Flask, origins: Sequence[str]) -> None:
    """Let pages of other origins use the API: with tokens; there are no cookies."""
    if origins:
        CORS(
            app,
            origins=list(origins),
            methods=list(METHODS),
            allow_headers=list(SENT),
            expose_headers=list(EXPOSED),
            max_age=PREFLIGHT_SECONDS,
            supports_credentials=False,
            send_wildcard="*" in origins,
        )
