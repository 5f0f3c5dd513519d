"""A scoreboard in the terminal: joins a table with its code, to watch, and follows it to the end.

python scoreboard.py http://127.0.0.1:8000 K7QX-2M4P --lang sv
"""

import argparse
import sys
from collections.abc import Sequence
from typing import TypeVar

from following import Gone, follow
from referee_client import AuthenticatedClient, Client
from referee_client.api.scores import get_scores
from referee_client.api.tables import get_table, join_table
from referee_client.models import Join, Problem, Scores, Table
from referee_client.types import Unset

SAID = 6
T = TypeVar("T")
CLEAR = "\x1b[2J\x1b[H"


def answered(answer: T | Problem | None) -> T:
    """What was asked for. Ends the program with what the server says when it was refused."""
    if isinstance(answer, Problem):
        sys.exit(f"{answer.title}: {answer.detail}")
    if answer is None:
        sys.exit("The server answers in a way that this program does not know.")
    return answer


def board(table: Table, sheet: Scores) -> str:
    """The players with their cards and points, and a mark at whose turn it is."""
    width = max(len(seat.name) for seat in table.seats)
    lines = []
    for seat, cards, points in zip(table.seats, table.state.hands, table.state.scores, strict=True):
        mark = ">" if seat.seat == table.state.turn else " "
        history = " ".join(f"{played.points[seat.seat - 1]:+d}" for played in sheet.rounds)
        lines.append(f"{mark} {seat.name:{width}} {cards:3} {points:5}  {history}".rstrip())
    return "\n".join(lines)


def winners(sheet: Scores) -> str:
    """Who has won the game; empty while nobody has."""
    won = [sheet.winner] if isinstance(sheet.winner, int) else sheet.winner or []
    return ", ".join(sheet.seats[seat - 1] for seat in won)


def watch(client: AuthenticatedClient, table_id: str) -> None:
    """Show the table until its game is won. Raises Gone when nothing more is to be seen."""
    table = answered(get_table.sync(table_id, client=client))
    sheet = answered(get_scores.sync(table_id, client=client))
    said: list[str] = []
    show(table, sheet, said)
    for entry in [] if winners(sheet) else follow(client, table_id, table.version):
        said += entry.announcements or []
        # An event brings the state after it; only the sheet has to be asked for.
        if not isinstance(entry.state, Unset):
            table.state = entry.state
            if list(sheet.scores) != list(entry.state.scores):
                sheet = answered(get_scores.sync(table_id, client=client))
        show(table, sheet, said)
        if winners(sheet):
            break
    print(f"{winners(sheet)} ({', '.join(map(str, sheet.scores))})")


def show(table: Table, sheet: Scores, said: list[str]) -> None:
    """Draw the board anew with what was said last; where it cannot be drawn over, add to it."""
    if sys.stdout.isatty():
        print(CLEAR + board(table, sheet), "", *said[-SAID:], sep="\n", flush=True)
        return
    print(*said, board(table, sheet), sep="\n", flush=True)
    said.clear()


def main(args: Sequence[str] | None = None) -> None:
    """Join, and watch."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("server", help="such as http://127.0.0.1:8000")
    parser.add_argument("code", help="the table's join code")
    parser.add_argument(
        "--lang", default="en", help="en sv da no fi cs sk pl hu ru de fr es it nl pt"
    )
    said = parser.parse_args(args)
    speaks = {"Accept-Language": said.lang}
    stranger = Client(base_url=said.server, headers=speaks)
    joined = answered(join_table.sync(client=stranger, body=Join(code=said.code)))
    client = AuthenticatedClient(base_url=said.server, token=joined.token, headers=speaks)
    try:
        watch(client, joined.table_id)
    except Gone as gone:
        sys.exit(str(gone))


if __name__ == "__main__":
    main()
