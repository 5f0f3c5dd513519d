"""Custom cards, the deal, and rounds."""

from typing import Any

from flask.typing import ResponseReturnValue
from marshmallow import fields

from referee.api.auth import event_log, principal
from referee.api.language import language
from referee.api.operation import Resource
from referee.api.rendering import custom_cards_json
from referee.api.schemas.common import PageQuery, items_of, page_of
from referee.api.schemas.games import RoundResultSchema, WhichGame
from referee.api.schemas.tables import (
    ApprovalSchema,
    NewCustomCardSchema,
    NewDrawsSchema,
    NewRoundSchema,
)
from referee.rules.message import Message
from referee.service.access import DEALERS, SEAT_ACTORS
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.play.games import sheet_of_game
from referee.service.play.rounds import (
    answer_custom_card,
    draw_for_deal,
    enter_result,
    propose_custom_card,
    start_round,
    withdraw_custom_card,
)
from referee.service.problems import invalid

# In bytes: twenty effects with texts.
LARGEST_CARD = 64 * 1024
custom_cards = Resource("custom-cards", "Cards that the table writes itself")
rounds = Resource("rounds", "The deal, and rounds")


CustomCardsSchema = items_of(fields.Dict(), "CustomCardsSchema")


@custom_cards.operation(
    "GET /tables/<table_id>/custom-cards",
    "listCustomCards",
    "The cards, and who has approved them.",
    CustomCardsSchema,
)
def list_cards(table: TableProjection) -> ResponseReturnValue:
    """List the custom cards proposed so far."""
    return {"items": custom_cards_json(table, language())}


@custom_cards.operation(
    "POST /tables/<table_id>/custom-cards",
    "proposeCustomCard",
    "The card is proposed.",
    body=NewCustomCardSchema,
    largest=LARGEST_CARD,
    rights=SEAT_ACTORS,
)
def propose(new: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Propose a card: a text, and effects from the vocabulary."""
    seat = new["seat"] if new["seat"] is not None else principal().seat
    return propose_custom_card(event_log(), table, request, new["card"], seat)


@custom_cards.operation(
    "POST /tables/<table_id>/custom-cards/<int:card_id>/approvals",
    "approveCustomCard",
    "The seat has answered.",
    body=ApprovalSchema,
    rights=SEAT_ACTORS,
)
def approve(
    given: dict[str, Any], table: TableProjection, request: WriteRequest, card_id: int
) -> LogEntry:
    """Approve a card, or refuse it, which withdraws it."""
    seat = given["seat"] if given["seat"] is not None else principal().seat
    if seat is None:
        raise invalid("seat", "say which seat answers")
    return answer_custom_card(event_log(), table, request, card_id, seat, given["approve"])


@custom_cards.operation(
    "DELETE /tables/<table_id>/custom-cards/<int:card_id>",
    "withdrawCustomCard",
    "The card is withdrawn.",
    rights=SEAT_ACTORS,
)
def withdraw(table: TableProjection, request: WriteRequest, card_id: int) -> LogEntry:
    """Withdraw a card; its proposer or the host may."""
    return withdraw_custom_card(event_log(), table, request, card_id)


class RoundsQuery(PageQuery):
    """A page of a game's rounds."""

    game: WhichGame = None


RoundPage = page_of(RoundResultSchema, "RoundPage", fields.Integer)


@rounds.operation(
    "POST /tables/<table_id>/deal-draws",
    "drawForDeal",
    "Who deals, or who is tied and draws again.",
    body=NewDrawsSchema,
    rights=SEAT_ACTORS,
)
def draw(new: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Record the cards that seats drew to find the dealer."""
    draws = {item["seat"]: item["card"] for item in new["draws"]}
    if len(draws) < len(new["draws"]):
        raise invalid("draws", "a seat draws one card")
    return draw_for_deal(event_log(), table, request, draws)


@rounds.operation(
    "POST /tables/<table_id>/rounds",
    "startRound",
    "The round has begun, or has been entered.",
    body=NewRoundSchema,
    fails=("not-approved",),
    rights=DEALERS,
)
def start(new: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Turn up the first card of a round, or enter the result of one played without the referee.

    Only the host may say that nobody knows a hand (null).
    """
    if ("opening" in new) == ("result" in new):
        raise invalid(
            "opening", Message("give either {one} or {other}", one="opening", other="result")
        )
    if "result" in new:
        return enter_result(event_log(), table, request, new["result"], new["dealer"])
    return start_round(event_log(), table, request, new["opening"], new["dealer"])


@rounds.operation(
    "GET /tables/<table_id>/rounds",
    "listRounds",
    "The rounds.",
    RoundPage,
    query=RoundsQuery,
    fails=("not-found",),
)
def list_rounds(query: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """List the finished rounds and their scores."""
    finished = sheet_of_game(event_log(), table, query["game"])["rounds"]
    start, end = query["after"], query["after"] + query["limit"]
    return {"items": finished[start:end], "next": end if end < len(finished) else None}
