"""Security headers, and CORS."""

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, request
from flask_cors import CORS

from referee.web import CONNECT_KEY

# Scripts and styles are files of this server; photos are shown from memory (blob:).
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self'{styles}; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'{connect}; "
    "media-src 'self' blob:; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
POLICY = "Content-Security-Policy"
A_YEAR = "max-age=31536000"
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
EXPOSED = ("ETag", "Retry-After", "X-Request-ID", "RateLimit", "RateLimit-Policy")
SENT = (
    *("Authorization", "Content-Type", "Accept-Language", "Idempotency-Key", "If-Match"),
    *("Last-Event-ID", "X-Request-ID"),
)
METHODS = ("GET", "POST", "PUT", "DELETE")
PREFLIGHT_SECONDS = 600


def page_policy(scripts: str = "", styles: str = "", connect: str = "") -> str:
    """Return the Content-Security-Policy of a page.

    The arguments are further sources, each with a space before it.
    """
    return PAGE_POLICY.format(scripts=scripts, styles=styles, connect=connect)


EVERY = (("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"))
DATA = (*EVERY, ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"))
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
    """Return policy sources that allow exactly the inline scripts of a page."""
    hashes = (hashlib.sha256(script.encode()).digest() for script in INLINE.findall(page))
    return "".join(f" 'sha256-{base64.b64encode(digest).decode()}'" for digest in hashes)


def allow_inline_scripts(response: Response) -> Response:
    """Allow the inline scripts and styles of an HTML response."""
    if response.mimetype == "text/html" and not response.direct_passthrough:
        policy = page_policy(inline_scripts(response.get_data(as_text=True)), " 'unsafe-inline'")
        response.headers["Content-Security-Policy"] = policy
    return response


def add_security_headers(app: WSGIApplication, both: bool = False) -> WSGIApplication:
    """Wrap an app, adding security headers that a response does not set itself.

    ``both``: plain HTTP is served under the same name, so browsers must not insist on HTTPS.
    This works on WSGI's plain list: with Flask's headers it would cost a twentieth of a move.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(
            status: str, sent: list[tuple[str, str]], error: Any = None
        ) -> Callable[[bytes], object]:
            if status.startswith("304"):
                # Headers of a 304 would replace those that the browser has cached.
                return start_response(status, sent, error)
            present = {name.lower(): value for name, value in sent}
            page = present.get("content-type", "").startswith("text/html")
            more = PAGE if page else DATA
            if page and CONNECT_KEY in environ:
                present["content-security-policy"] = ""
                sent = [*sent, (POLICY, page_policy(connect=environ[CONNECT_KEY]))]
            if environ["wsgi.url_scheme"] == "https" and not both:
                more = (*more, ("Strict-Transport-Security", A_YEAR))
            sent = [*sent, *(header for header in more if header[0].lower() not in present)]
            return start_response(status, sent, error)

        return app(environ, start)

    return answer


def answer_options(response: Response) -> None:
    """Answer OPTIONS without a body, as there is none to describe."""
    if request.method == "OPTIONS" and response.status_code == 200 and not response.content_length:
        response.status_code = 204
        response.headers.pop("Content-Type", None)


def allow_origins(app: Flask, origins: Sequence[str]) -> None:
    """Let pages of other origins use the API, with tokens and without cookies."""
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
