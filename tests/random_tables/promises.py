"""What must hold after each step at a table, whoever did whatever; each raises AssertionError."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from referee.rules.position.views import public_state
from referee.rules.records.record import parse_record, replay
from referee.rules.records.seating import MOST_NUMBERS
from referee.rules.records.serial import game_from_json, state_to_json
from referee.service.devices.devices import device_view
from referee.service.log.entries import dump, parse_entry
from referee.service.log.event_log import EventLog
from referee.service.log.fold import fold
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import TableProjection
from referee.service.play.adjudication import preview_correction
from referee.service.play.intake import CHECKS, SEE
from referee.service.problems import Problem
from referee.service.reconcile.unit_of_work import UnitOfWork
from referee.texts.catalog import languages
from tests.random_tables.hands import hands_are_told
from tests.random_tables.menu import Json, Request

if TYPE_CHECKING:
    from tests.random_tables.driver import RandomTable, Step

Check = Callable[["Step"], None]
LANGUAGES = languages()
FILES = ("/scores", "/scores.csv", "/scores.svg", "/rounds", "/games", "/audit", "/legal-moves")
LOOKS = ("", "/questions", "/devices", "/custom-cards", *FILES)
# Kinds of entries after which the points may be others.
SCORING = ("moved", "corrected", "round-counted", "seats-changed", "game-started", "game-ended")
PLACES = ("round-opened", "round-counted", "seats-changed")
# What may change at a table by itself, because time passes.
PASSING = ("host_request", "discrepancies", "sensed", "camera")


# At every step


def refused_changes_nothing(table: "RandomTable", step: "Step") -> None:
    """What is refused is told as a problem and writes nothing; a preview writes nothing."""
    answer = step.answer
    if "preview" in step.request.path:
        assert not step.news, "a preview was written"
    elif answer.status >= 400:
        assert answer.refused, f"no problem: {answer.status} {answer.data[:300]!r}"
        assert not step.news, f"refused with {answer.status}, and written"
        assert lasting(table.seen) == lasting(step.before), "refused, and yet something changed"


def is_logged_once(table: "RandomTable", step: "Step") -> None:
    """Answered is the one entry that was written; a spectator writes nothing."""
    role, _, path, _ = step.request
    if step.answer.status >= 300 or "preview" in path:
        return
    assert role != "spectator", "a spectator is listened to"
    if not path.startswith("/devices"):
        number = step.answer.json["id"]
        assert sum(one["id"] == number for one in step.news) == 1, f"{number} is not logged once"


def points_follow_the_log(table: "RandomTable", step: "Step") -> None:
    """Entries are numbered, only some kinds change points, and the last one tells the state."""
    scores = step.before["state"]["scores"]
    for place, entry in enumerate(step.news, len(table.log) - len(step.news) + 1):
        assert entry["id"] == place, f"entry {entry['id']} in place {place}"
        after = entry.get("state", {}).get("scores", scores)
        # A correction may enter an illegal move in place of one that has scored.
        illegal = entry["kind"] == "moved" and entry["ruling"]["verdict"] == "illegal"
        if after != scores and (entry["kind"] not in SCORING or illegal):
            raise AssertionError(f"the points change by {entry['kind']}: {scores}, {after}")
        scores = after
    assert table.seen["version"] == len(table.log), "the version is not the number of entries"
    told = [one["state"] for one in table.log if "state" in one]
    assert told[-1:] in ([], [table.state]), "the last event tells another state than the table"


def repeated_is_the_same(table: "RandomTable", step: "Step") -> None:
    """With its key, a request is answered again and not written again."""
    if "Idempotency-Key" in step.headers and step.answer.status == 201:
        again = table.send(*step.request, step.headers)
        assert again.status == 201, f"repeated, it is answered {again.status} {again.data!r}"
        assert again.json == step.answer.json, f"repeated, it is answered {again.data!r}"
        assert not table.read(), "repeated, it was written again"


STEPS = (
    *(refused_changes_nothing, is_logged_once, points_follow_the_log, repeated_is_the_same),
    hands_are_told,
)


def lasting(seen: Json) -> Json:
    return {name: value for name, value in seen.items() if name not in PASSING}


# At corrections


def as_previewed(table: "RandomTable", request: Request, headers: Any) -> Check:
    """A correction does what its preview said, or is refused for the same."""
    sent = {name: value for name, value in headers.items() if name == "If-Match"}
    role, method, path, change = request
    preview = table.send(role, method, f"{path}?preview=true", change, sent)
    inside, body = table.inside, None
    if inside and preview.status == 200:
        body = inside.previewed(table.clients[role].token, change)

    def check(step: "Step") -> None:
        assert (step.answer.status < 300) == (preview.status < 300), f"preview: {preview.data!r}"
        told, wanted = (
            {**one.json, "at": 0, "instance": 0, "request_id": 0} for one in (step.answer, preview)
        )
        assert told == wanted, f"{told} was previewed as {wanted}"
        if body and inside:
            written = inside.written(step.answer.json["id"])
            assert written == body, f"{written} was previewed as {body}"

    return check


def is_taken_back(table: "RandomTable", request: Request, headers: Any) -> Check:
    """A correction is announced; a redo brings back everything that is known of the game."""
    back = request.body.get("kind") != "redo" and table.chance.random() < 0.4
    before = known(table) if back else {}

    def check(step: "Step") -> None:
        if step.answer.status >= 300:
            return
        assert step.answer.json["announcements"], "nothing is said"
        record_replays(table, table.seen["game"])
        if back:
            redone = table.do(Request("host", "POST", "/corrections", {"kind": "redo"}))
            assert redone.answer.status == 201, f"no redo: {redone.answer.data!r}"
            after = known(table)
            if table.inside:
                after["undone"].remove(step.answer.json["id"])
            left = {name: (before[name], after[name]) for name in before}
            left = {name: pair for name, pair in left.items() if pair[0] != pair[1]}
            assert not left, f"a redo leaves this changed: {left}"

    return check


CORRECTIONS = (as_previewed, is_taken_back)


def known(table: "RandomTable") -> Json:
    """Return everything that a table knows of its game."""
    public = {path: table.get(path) for path in ("/scores", "/record")}
    return {**public, "state": table.state, **(table.inside.facts() if table.inside else {})}


# Now and then, of the whole table


def can_be_read(table: "RandomTable", whole: bool) -> None:
    """Everybody reads everything, in some language or in all."""
    chance = table.chance
    after = 0 if whole else table.seen["version"] - 2
    for lang in LANGUAGES if whole else (chance.choice(LANGUAGES),):
        for role in dict.fromkeys(("host", chance.choice(list(table.clients)))):
            table.send(role, "GET", f"/events?after={after}&limit=200&lang={lang}")
            table.send(role, "GET", f"?lang={lang}")
    paths = [*LOOKS, *(f"/choices?seat={seat['seat']}" for seat in table.seen["seats"])]
    for path in paths if whole else chance.sample(paths, 3):
        lang = f"{'&' if '?' in path else '?'}lang={chance.choice(LANGUAGES)}"
        table.send("host", "GET", path + lang)


def record_replays(table: "RandomTable", game: int) -> Json:
    """A game's record replays into the state of the table, where it has all of the game."""
    exported = table.get(f"/record?game={game}")
    record = parse_record(exported)
    state = record.start
    for step in replay(record):
        assert not step.mismatches, f"the record fails: {step.mismatches}"
        state = step.state
    if game == table.seen["game"] and is_whole(table, exported):
        replayed, wanted = json.loads(dump(public_state(state))), dict(table.state)
        moved = moved_seats(table)
        if moved:
            # The cards of those who leave go to the draw pile.
            wanted["draw_pile"] = replayed["draw_pile"]
        for name in ("hands", "scores"):
            # Who joins or leaves after the last round is recorded with the next one.
            known = zip(wanted[name], replayed[name], strict=False)
            wanted[name] = [
                there if seat in moved else here for seat, (here, there) in enumerate(known, 1)
            ]
        differing = {
            key: (replayed[key], wanted[key]) for key in wanted if replayed[key] != wanted[key]
        }
        assert not differing, f"by the record {differing}"
        if rests(table):
            named = [seat["name"] for seat in table.seen["seats"]]
            assert list(state.game.seats) == named, f"by the record {state.game.seats}, not {named}"
    return exported


def is_whole(table: "RandomTable", record: Json) -> bool:
    """Whether the record has the present round: no hand in it was shown to some only."""
    return bool(len(record["rounds"]) == table.seen["round"])


def moved_seats(table: "RandomTable") -> set[int]:
    """Return the seats that have left, joined or come back since the last round began."""
    moved: set[int] = set()
    for entry in table.log:
        if entry["kind"] in ("round-opened", "round-counted"):
            moved = set()
        elif entry["kind"] == "seats-changed" and "order" in entry["seats"]:
            seats, change = range(1, MOST_NUMBERS + 1), entry["seats"]
            moved |= {seat for seat in seats if seat not in change["order"]}
            moved |= set(map(int, change.get("join", ())))
    return moved


def rests(table: "RandomTable") -> bool:
    """Whether nobody has come, gone or been renamed since its last round, as no record has yet."""
    kinds = [entry["kind"] for entry in table.log if entry["kind"] in PLACES]
    return not kinds or kinds[-1] != "seats-changed"


def record_comes_back(table: "RandomTable") -> None:
    """Imported, each game's record makes a table with the same record and the same points."""
    for game in range(1, table.seen["game"] + 1):
        record = record_replays(table, game)
        made = table.nobody.send("POST", "/records", record)
        if made.status == 409 and not record["rounds"]:
            continue
        assert made.status == 201, f"its own record is refused: {made.status} {made.data[:300]!r}"
        copy, path = table.nobody.as_(made.json["token"]), f"/tables/{made.json['table']['id']}"
        assert copy.send("GET", f"{path}/record").json == record, "exported again, it is another"
        if game == table.seen["game"] and rests(table) and is_whole(table, record):
            scores = copy.send("GET", f"{path}/scores").json["scores"]
            assert scores == table.state["scores"], "imported, the game has other scores"


class Inside:
    """What a server in this process knows of a table, beyond what it answers."""

    def __init__(self, log: EventLog, table_id: str) -> None:
        self.log, self.table_id = log, table_id

    @property
    def table(self) -> TableProjection:
        return self.log.table(self.table_id)

    def facts(self) -> Json:
        """Return the state, and what is kept beside it of moves and corrections."""
        state, meta = json.loads(dump(state_to_json(self.table.state))), self.table.meta
        return {"position": state, "caught": list(meta.caught), "undone": sorted(meta.undone)}

    def previewed(self, token: str | None, change: Json) -> Any:
        """Return the body of the entry that a correction would make."""
        holder = self.log.holders.by_token(token or "")
        assert holder is not None
        made, _ = preview_correction(self.log, self.table, WriteRequest(holder), change)
        return json.loads(dump(made.body))

    def written(self, number: int) -> Any:
        """Return the body of an entry of the log."""
        return parse_entry(self.log.reader.entries(self.table_id, number - 1, 1)[0]).body

    def is_seen(self, sights: list[Json], most: int) -> None:
        """Devices, so many at most, can see something of every kind now; nothing of it is kept."""
        table = self.table
        for device in table.meta.devices.values():
            device_view(self.log, device)
        for device in [one for one in table.meta.devices.values() if not one.revoked][:most]:
            by = self.log.holders.by_id(device.id)
            assert by is not None
            named = {"id": device.id, "name": device.name, "kind": device.kind}
            for seen in sights:
                try:
                    if seen["kind"] in CHECKS:
                        CHECKS[seen["kind"]](table, seen)
                    work = UnitOfWork(self.log, table)
                    work.change(SEE[seen["kind"]](work, by, named, seen))
                except Problem:
                    continue

    def is_loaded_again(self) -> None:
        """Read from the log, from a snapshot or by the server anew, the table is the same."""
        held = self.table
        entries = [parse_entry(entry) for entry in self.log.reader.entries(held.id)]
        start = game_from_json(entries[0].body["game"])
        folded = TableProjection(held.id, held.code, held.created, start)
        for entry in entries:
            fold(folded, entry)
        restored = TableProjection(held.id, held.code, held.created, start)
        restored.restore(held.version, json.loads(dump(held.snapshot())))
        self.log.cache.clear()
        for read in (folded, restored, self.table):
            assert state_to_json(read.state) == state_to_json(held.state)
            assert read.state.game == held.state.game
            assert read.meta == held.meta, (read.meta, held.meta)
