"""The languages that the referee speaks, and each seat's choice."""

from typing import Annotated, Any

from flask import jsonify
from flask.typing import ResponseReturnValue
from marshmallow import validate

from referee.api.auth import event_log
from referee.api.language import set_seat_language, unknown_language
from referee.api.operation import Resource
from referee.api.schemas.common import LanguageQuery, items_of
from referee.api.schemas.typed import Answer, Strict
from referee.rules.message import Message, quoted
from referee.rules.suggestions import asking
from referee.service.access import SEATS
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.tables import choose_language
from referee.service.problems import Problem
from referee.texts import as_language, categories, language_names, page_texts

blueprint = Resource("languages", "In which language the referee speaks")


class LanguageSchema(Answer):
    """A language, with the name that its speakers use."""

    id: Annotated[str, {"example": "sv"}]
    name: Annotated[str, {"example": "Svenska"}]


LanguagesSchema = items_of(LanguageSchema, "LanguagesSchema")


class PageTextsSchema(Answer):
    """The phone page's texts; the forms in ``{count:card|cards}`` are in the order of plurals."""

    language: str
    plurals: Annotated[list[str], {"example": ["one", "other"]}]
    sections: dict[str, dict[str, str]]


# Names of sections, with commas between them.
Sections = Annotated[
    str | None,
    validate.Length(1, 200),
    validate.Regexp(r"[a-z]+(,[a-z]+)*$"),
    {"example": "camera"},
]


class PageTextsQuery(LanguageQuery):
    """Which sections; all of them without either."""

    sections: Annotated[Sections, "sections to return, with commas between them"] = None
    without: Annotated[Sections, "sections to leave out, with commas between them"] = None


class ChosenLanguageSchema(Strict):
    """The language of a seat; null to use each request's Accept-Language again."""

    language: Annotated[str | None, validate.Length(1, 35), {"example": "fi"}]


@blueprint.operation(
    "GET /languages", "listLanguages", "The languages.", LanguagesSchema, rights=None
)
def list_languages() -> ResponseReturnValue:
    """List the languages that the referee speaks."""
    return {"items": [{"id": lang, "name": name} for lang, name in language_names().items()]}


@blueprint.operation(
    "GET /languages/<language_id>/page",
    "getPageTexts",
    "The texts, by section and id.",
    PageTextsSchema,
    query=PageTextsQuery,
    fails=("not-found",),
    rights=None,
)
def get_page_texts(query: dict[str, Any], language_id: str) -> ResponseReturnValue:
    """Return the phone page's own texts: its buttons, labels and hints.

    The page reads those of screens that few phones show when such a screen is gone to.
    """
    lang = as_language(language_id)
    if lang is None:
        detail = Message("There is no language {language}.", language=quoted(language_id))
        raise Problem("not-found", asking(detail, language_id, language_names()))
    texts = page_texts(lang)
    wanted = query["sections"].split(",") if query["sections"] else texts
    left_out = (query["without"] or "").split(",")
    chosen = {name: texts[name] for name in texts if name in wanted and name not in left_out}
    answer = jsonify(language=lang, plurals=categories(lang), sections=chosen)
    answer.headers["Content-Language"] = lang
    answer.headers["Cache-Control"] = "no-cache"
    answer.add_etag()
    return answer


@blueprint.operation(
    "PUT /tables/<table_id>/language",
    "chooseLanguage",
    "From now on the seat is spoken to in this language, open streams included.",
    body=ChosenLanguageSchema,
    rights=SEATS,
)
def choose(wish: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Choose the language in which the referee speaks to one's own seat."""
    wanted = None
    if wish["language"] is not None:
        wanted = as_language(wish["language"])
        if wanted is None:
            raise unknown_language("language", wish["language"])
    entry = choose_language(event_log(), table, request, wanted)
    set_seat_language(wanted)
    return entry
