"""The language of a response: ``?lang=``, else the seat's choice, else Accept-Language."""

from functools import cache

from babel import Locale
from flask import Response, g, request

from referee.rules.message import Message
from referee.rules.suggestions import closest
from referee.service.access import Principal
from referee.service.log.table_projection import TableProjection
from referee.service.problems import invalid
from referee.texts import as_language, language_names, languages, pick_language

PARAMETER = "lang"
VARY = ("Accept-Language", "Authorization")


def check_language() -> None:
    """Raise Problem if ``?lang=`` is not one of the referee's languages."""
    if request.query_string and PARAMETER in request.args and requested_language() is None:
        raise unknown_language(PARAMETER, request.args[PARAMETER])


def unknown_language(field: str, given: str) -> Exception:
    """Return the problem for an unknown language."""
    reason = Message("must be one of {choices}", choices=", ".join(languages()))
    names = names_of_languages()
    meant = closest(given, names)
    if meant is not None:
        reason = Message("{reason} (did you mean {meant}?)", reason=reason, meant=names[meant])
    return invalid(field, reason)


@cache
def names_of_languages() -> dict[str, str]:
    """Map the languages' names, their own and English, to their ids."""
    own = {name: lang for lang, name in language_names().items()}
    english = {Locale.parse(lang).get_display_name("en") or lang: lang for lang in languages()}
    return own | english


def requested_language() -> str | None:
    """Return the language of ``?lang=``, if there is one."""
    return as_language(request.args.get(PARAMETER, "")) if request.query_string else None


def set_seat_language(seat_language: str | None) -> None:
    """Remember the language that the request's seat has chosen."""
    g.seat_language = seat_language


def language() -> str:
    """Return the language of the response."""
    accepted = request.headers.get("Accept-Language")
    return requested_language() or g.get("seat_language") or pick_language(accepted)


def seat_language(table: TableProjection, principal: Principal) -> str | None:
    """Return the language that the reader's seat has chosen, if any."""
    return None if principal.seat is None else table.meta.languages.get(principal.seat)


def add_language_headers(response: Response) -> Response:
    """Add Content-Language and Vary."""
    if request.path.startswith("/api/"):
        response.headers.setdefault("Content-Language", language())
        if "Vary" in response.headers:
            response.vary.update(VARY)
        else:
            response.headers["Vary"] = ", ".join(VARY)
    return response
