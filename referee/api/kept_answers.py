"""Answers that depend on a tournament's version only: rendered once for all who ask."""

import threading
from collections import OrderedDict
from collections.abc import Callable

from flask import Response, current_app, request

from referee.service.tournaments.log import TournamentProjection

# Bytes of answers that a process keeps.
MOST_KEPT = 32 * 2**20
JSON = "application/json"
UNCHANGED = {"304": {"description": "The version in `If-None-Match` is the present one."}}
NONE_MATCH_PARAMETER = {
    "in": "header",
    "name": "If-None-Match",
    "schema": {"type": "string", "maxLength": 500, "pattern": r"^[^\x00-\x1f]+$"},
    "description": "the `ETag` of the answer that the client has; 304 if it is still the same",
    "example": '"17"',
}
Key = tuple[str, str]


class KeptAnswers:
    """The newest rendered answers, least recently used ones first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, tuple[int, bytes]] = OrderedDict()
        self._size = 0
        self._guard = threading.Lock()

    def get(self, key: Key, version: int) -> bytes | None:
        """Return an answer of this version."""
        with self._guard:
            kept = self._kept.get(key)
            if kept is None or kept[0] != version:
                return None
            self._kept.move_to_end(key)
            return kept[1]

    def keep(self, key: Key, version: int, body: bytes) -> None:
        """Keep an answer in the place of its former version."""
        with self._guard:
            self._size += len(body) - len(self._kept.pop(key, (0, b""))[1])
            self._kept[key] = version, body
            while self._size > MOST_KEPT:
                _, (_, gone) = self._kept.popitem(last=False)
                self._size -= len(gone)


def kept_answer(
    tournament: TournamentProjection, name: str, render: Callable[[], bytes], media_type: str = JSON
) -> Response:
    """Return the answer of this name, rendered if nobody has asked for it since it changed."""
    version = tournament.version
    if request.if_none_match.contains_weak(str(version)):
        answer = Response(status=304)
    else:
        answers: KeptAnswers = current_app.extensions["referee-kept-answers"]
        key = tournament.id, name
        body = answers.get(key, version)
        if body is None:
            body = render()
            # Somebody may have written meanwhile, and the answer be of either version.
            if tournament.version == version:
                answers.keep(key, version, body)
        answer = Response(body, content_type=media_type)
    answer.set_etag(str(version))
    return answer
