"""Tools that rule on moves. They need no server and change nothing."""

from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from referee.commands.check import read_move, ruling_answer
from referee.commands.mcp.inputs import (
    Lang,
    MoveInput,
    OptionalRecord,
    Position,
    RecordJson,
    bounded_record,
    find_language,
    find_position,
    sentences,
)
from referee.rules.book.rulebook import citation, rulebook
from referee.rules.engine import decide
from referee.rules.legal import Choice, choices
from referee.rules.notation import event_to_text, move_to_text, position_to_text
from referee.rules.position.state import State
from referee.rules.position.views import owed
from referee.rules.records.record import Record, Step, replay
from referee.rules.records.serial import event_to_json
from referee.texts import describe_choice, describe_events, describe_waiting, render_ruling

MOST_SHOWN = 100
MOST_LISTED = 40


class RulingOut(BaseModel):
    """A ruling on one move."""

    verdict: str = Field(description="legal or illegal")
    rule: str = Field(description="the id of the rule that decides, to be cited")
    title: str
    rule_text: str = Field(description="that rule in full")
    source: str | None = Field(description="the printed rule sheet that says so, to be cited")
    text: str = Field(description="the ruling as a sentence")
    put_right: str | None = Field(description="what the players have to put right, if anything")
    followed: list[str] = Field(description="what followed, as it is announced")
    events: list[str] = Field(description="what followed in full, in notation")
    position: str = Field(description="the position after the move, for the next call")
    waiting: str = Field(description="what the table waits for then")


class ChoiceOut(BaseModel):
    """Something that a seat may do now."""

    seat: int
    text: str
    rule: str
    source: str
    moves: list[str] = Field(description="moves to choose from; empty where they depend on a hand")


class ChoicesOut(BaseModel):
    """What may be done in a position."""

    waiting: str
    choices: list[ChoiceOut]
    position: str


class StepOut(BaseModel):
    """A move of a record, and the ruling on it."""

    round: int
    move: int
    line: str = Field(description="the move in notation")
    verdict: str
    rule: str
    text: str
    events: list[str]
    expected: str | None = Field(description="what the record expected instead, if it did")


class ReplayOut(BaseModel):
    """A record that was replayed."""

    deck: str
    seats: list[str]
    rounds: int
    moves: int
    illegal: int = Field(description="how many moves were illegal")
    holds: bool = Field(description="every expectation that the record states holds")
    rulings: list[StepOut]
    left_out: int = Field(description="rulings not shown: ask for a round, or from a later move")
    scores: list[int] = Field(description="points by seat at the end")
    winner: list[int] = Field(description="the seats that have won the game")
    position: str = Field(description="the position at the end")


def rule_on_move(
    move: MoveInput,
    position: Position = None,
    record: OptionalRecord = None,
    lang: Lang = "en",
) -> RulingOut:
    """Rule on one move in a position: legal or illegal, why, under which rule, and what follows.

    Give the position as one line, or a record that leads to it. Hands are hidden, so only their
    sizes are given; a wild draw four stands until a reveal proves otherwise. To settle a sequence,
    pass the answer's position on to the next call.
    """
    spoken = find_language(lang)
    state = find_position(position, record, spoken)
    with sentences(spoken):
        decision = decide(state, read_move(move, state))
    after = decision.state
    game = after.game
    rule = rulebook(game.ruleset, spoken).get(decision.ruling.rule)
    events = [event_to_json(event) for event in decision.events]
    return RulingOut(
        **ruling_answer(state, decision, spoken),
        rule_text=rule.text if rule else "",
        followed=describe_events(events, spoken, game.seats, game.ruleset),
        waiting=describe_waiting(owed(after), spoken, game.seats, game.ruleset),
    )


def legal_moves(
    position: Position = None,
    record: OptionalRecord = None,
    seat: Annotated[int | None, Field(description="Only what this seat may do", ge=1)] = None,
    lang: Lang = "en",
) -> ChoicesOut:
    """List what each seat may do in a position, with the rule behind each choice.

    Which cards a seat holds is not known: every card that would be legal is listed.
    """
    spoken = find_language(lang)
    state = find_position(position, record, spoken)
    game = state.game
    asked = [seat] if seat is not None else range(1, len(game.seats) + 1)
    if seat is not None and seat > len(game.seats):
        raise ToolError(f"seat: must be 1 to {len(game.seats)}")
    return ChoicesOut(
        waiting=describe_waiting(owed(state), spoken, game.seats, game.ruleset),
        choices=[_choice(state, seat, c, spoken) for seat in asked for c in choices(state, seat)],
        position=position_to_text(state),
    )


def _choice(state: State, seat: int, choice: Choice, lang: str) -> ChoiceOut:
    game = state.game
    return ChoiceOut(
        seat=seat,
        text=describe_choice(choice, lang, game.seats, game.ruleset),
        rule=choice.rule,
        source=citation(rulebook(game.ruleset, lang)[choice.rule], lang),
        moves=[move_to_text(move) for move in choice.moves[:MOST_LISTED]],
    )


def replay_record(
    record: RecordJson,
    round: Annotated[  # noqa: A002 - the argument's name, as people say it
        int | None, Field(description="Show the rulings of this round only", ge=1)
    ] = None,
    only_illegal: Annotated[bool, Field(description="Show illegal moves only")] = False,
    after: Annotated[
        int,
        Field(description="Leave out this many of the rulings to show, for the next page", ge=0),
    ] = 0,
    limit: Annotated[int, Field(description="How many rulings to show", ge=0, le=MOST_SHOWN)] = 40,
    lang: Lang = "en",
) -> ReplayOut:
    """Rule on every move of a recorded game, and return the rulings and the scores.

    Totals and scores cover the whole game, whatever is shown of it.
    """
    spoken = find_language(lang)
    with sentences(spoken):
        parsed = bounded_record(record)
        steps = list(replay(parsed))
    ruled = [step for step in steps if step.ruling is not None]
    shown = [step for step in ruled if _wanted(step, round, only_illegal)]
    state = steps[-1].state if steps else parsed.start
    won = state.winner
    return ReplayOut(
        deck=state.game.ruleset.id,
        seats=list(state.game.seats),
        rounds=len(parsed.rounds),
        moves=len(ruled),
        illegal=sum(not step.ruling.legal for step in ruled if step.ruling),
        holds=not any(step.mismatches for step in steps),
        rulings=[_step(parsed, step, spoken) for step in shown[after : after + limit]],
        left_out=max(0, len(shown) - after - limit),
        scores=list(state.scores),
        winner=[] if won is None else list(won) if isinstance(won, tuple) else [won],
        position=position_to_text(state),
    )


def _wanted(step: Step, number: int | None, only_illegal: bool) -> bool:
    illegal = step.ruling is not None and not step.ruling.legal
    return number in (None, step.round) and (illegal or not only_illegal)


def _step(record: Record, step: Step, lang: str) -> StepOut:
    if step.ruling is None or step.action is None:
        raise TypeError("a step without a move")
    game = record.start.game
    rendered = render_ruling(step.ruling, lang, step.state.game.seats, game.ruleset)
    expected = "; ".join(f"{mismatch.field} {mismatch.expected!r}" for mismatch in step.mismatches)
    return StepOut(
        round=step.round,
        move=step.move,
        line=move_to_text(step.action),
        verdict=step.ruling.verdict,
        rule=step.ruling.rule,
        text=rendered["text"],
        events=[event_to_text(event) for event in step.events][1:MOST_LISTED],
        expected=expected[:400] or None,
    )
