"""How an operation ends: it is deprecated, says until when it is there, and is then taken away.

Its answers carry ``Deprecation`` (RFC 9745), ``Sunset`` (RFC 8594) and a link to what replaces it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from typing import Any

from flask import Response, after_this_request
from werkzeug.http import http_date

View = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Ending:
    """When an operation was deprecated, when it ends, and where its replacement is described.

    Attributes:
        since: When it was deprecated.
        until: When it will be gone; None while that is open.
        see: Address of what to use instead.
    """

    since: datetime
    until: datetime | None = None
    see: str = "/docs"

    def headers(self) -> dict[str, str]:
        """Return the headers of its answers."""
        links = [f'<{self.see}>; rel="deprecation"; type="text/html"']
        found = {"Deprecation": f"@{int(self.since.timestamp())}"}
        if self.until is not None:
            found["Sunset"] = http_date(self.until.astimezone(UTC))
            links.append(f'<{self.see}>; rel="sunset"; type="text/html"')
        return {**found, "Link": ", ".join(links)}

    def said(self) -> str:
        """Say it in the description."""
        until = f", and gone after {self.until:%Y-%m-%d}" if self.until else ""
        return f"Deprecated since {self.since:%Y-%m-%d}{until}: see {self.see}."


def announce_ending(view: View, ending: Ending) -> View:
    """Let a view's answers say how the operation ends, problems too."""
    headers = ending.headers()

    def add(response: Response) -> Response:
        response.headers.update(headers)
        return response

    @wraps(view)
    def announced(*args: Any, **kwargs: Any) -> Any:
        after_this_request(add)
        return view(*args, **kwargs)

    return announced
