"""The reader's language: ``?lang=``, else what the seat has chosen, else Accept-Language."""

from flask import Response, g, request

from referee.rules.message import Message
from referee.service.access import Principal
from referee.service.problems import invalid
from referee.service.table_projection import TableProjection
from referee.texts import as_language, languages, pick_language

PARAMETER = "lang"
VARY = ("Accept-Language", "Authorization")


def check_language() -> None:
    """Refuse a ``?lang=`` that the referee does not speak. Raises Problem."""
    if request.query_string and PARAMETER in request.args and chosen() is None:
        raise unknown_language(PARAMETER)


def unknown_language(field: str) -> Exception:
    """The problem with a language that there is not."""
    return invalid(field, Message("must be one of {choices}", choices=", ".join(languages())))


def chosen() -> str | None:
    """The language that this request asks for by ``?lang=``."""
    return as_language(request.args.get(PARAMETER, "")) if request.query_string else None


def remember(seat_language: str | None) -> None:
    """The request is a seat's, which may have a language of its own."""
    g.seat_language = seat_language


def language() -> str:
    """The language to answer this request in."""
    return (
        chosen() or g.get("seat_language") or pick_language(request.headers.get("Accept-Language"))
    )


def seat_language(table: TableProjection, principal: Principal) -> str | None:
    """The language that the reader's seat has chosen at the table, if it has."""
    return None if principal.seat is None else table.meta.languages.get(principal.seat)


def declare(response: Response) -> Response:
    """Say in which language the answer is, and on what that depends."""
    if request.path.startswith("/api/"):
        response.headers.setdefault("Content-Language", language())
        if "Vary" in response.headers:
            response.vary.update(VARY)
        else:
            response.headers["Vary"] = ", ".join(VARY)
    return response
