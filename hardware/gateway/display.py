"""The gateway's state for people: a live view in a terminal, or a log line per change."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hardware.gateway.status import Document
from hardware.times import seconds_of, span

COLORS = {
    **dict.fromkeys(("online", "following", "idle", "posting"), "green"),
    **dict.fromkeys(("starting", "connecting", "retrying", "silent", "away"), "yellow"),
    **dict.fromkeys(("gone", "refused", "stopped"), "red"),
}
STREAM = {
    "connecting": "is being asked where things stand",
    "following": "answers",
    "away": "does not answer",
    "refused": "does not accept the token; join anew, with the table's code: "
    "referee-table join CODE",
}
POST = {
    "idle": "all is delivered",
    "posting": "under way",
    "retrying": "trying again",
    "refused": "not posting",
    "stopped": "stopped",
}


def place(position: Any, seats: list[str]) -> str:
    """Describe a position: the tray, a seat with its name, lifted, unknown."""
    if position == 0:
        return "in the tray"
    if isinstance(position, int):
        name = seats[position - 1] if 0 < position <= len(seats) else ""
        return f"at seat {position} ({name})" if name else f"at seat {position}"
    return str(position)


def render(document: Document, now: float) -> RenderableType:
    """Render the whole state for a terminal. ``now``: seconds since 1970."""
    server = document["server"]
    head = Text(f"Referee at {server['url']}, table {server['table']}: ")
    head.append(STREAM.get(server["state"], server["state"]), COLORS.get(server["state"], ""))
    if server["detail"]:
        head.append(f" ({server['detail']})")
    parts: list[RenderableType] = [head, Text()]
    for device in document["devices"]:
        parts += [_device(device, server["seats"], now), Text()]
    outbox = document["outbox"]
    if outbox["problem"]:
        parts.append(Text(f"Nothing can be kept: {outbox['problem']}", "bold red"))
    parts += [Text(line, "yellow") for line in left_over(document)]
    parts.append(_to_put_right(document))
    return Group(*parts)


def left_over(document: Document) -> list[str]:
    """Describe what waits for another table, or for a device that is not configured."""
    sentences = []
    for rest in document["outbox"]["left_over"]:
        number, device, table = rest["waiting"], rest["device"], rest["table"]
        many = "observation waits" if number == 1 else "observations wait"
        sentences.append(f"{number} {many} for the device {device!r} at table {table}.")
    return sentences


def queue_text(device: Mapping[str, Any], now: float) -> str:
    """Describe a device's queue."""
    queue, post = device["queue"], device["post"]
    words = [f"{queue['delivered']} delivered"]
    if queue["waiting"]:
        oldest = (
            f", the oldest for {span(now - seconds_of(queue['oldest']))}" if queue["oldest"] else ""
        )
        words.insert(0, f"{queue['waiting']} waiting{oldest}")
    if queue["set_aside"]:
        why = f" ({post['set_aside']})" if post["set_aside"] else ""
        words.append(f"{queue['set_aside']} not taken by the server{why}")
    if post["retries"]:
        words.append(f"{post['retries']} tries failed")
    return "; ".join(words)


def _device(device: Mapping[str, Any], seats: list[str], now: float) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", min_width=10)
    grid.add_column(overflow="fold")
    state = Text(device["state"], COLORS.get(device["state"], ""))
    if device["detail"]:
        state.append(f": {device['detail']}", "default")
    grid.add_row(Text(device["name"], "bold"), state)
    positions = [f"{power} {place(at, seats)}" for power, at in device["positions"].items()]
    seen = _seen(device)
    if positions or not seen:
        grid.add_row("where", Text(", ".join(positions) or "nothing seen yet"))
    if seen:
        grid.add_row("sees", Text(", ".join(seen)))
    # Counters at 0 are left out here; the status file has all.
    figures = [f"{name.replace('_', ' ')} {n}" for name, n in device["figures"].items() if n]
    if figures:
        grid.add_row("link", Text(", ".join(figures)))
    post = device["post"]
    queue = Text(queue_text(device, now))
    queue.append(f"; {_post_text(device)}", COLORS.get(post["state"], ""))
    if post["detail"]:
        queue.append(f" ({post['detail']})")
    grid.add_row("queue", queue)
    for caution in cautions(device):
        grid.add_row("mind", Text(caution, "yellow"))
    last = post["last"]
    if last:
        answer = f"{last['meaning']}, entry {last['id']}, in {last['ms']:.0f} ms"
        grid.add_row("answer", Text(f"{answer}, {span(now - seconds_of(last['at']))} ago"))
    return grid


def _post_text(device: Mapping[str, Any]) -> str:
    """Describe the state of posting. Not all is delivered where something was not taken."""
    post = device["post"]
    held = device["figures"].get("waiting")
    if post["state"] == "idle" and held:
        return f"{held} more cannot be kept yet"
    if post["state"] == "idle" and post.get("owed"):
        return "where things stand now is told again later"
    if post["state"] == "idle" and device["queue"]["set_aside"]:
        return "nothing waits"
    return POST.get(post["state"], str(post["state"]))


def cautions(device: Mapping[str, Any]) -> list[str]:
    """Return what people should look at, though all goes on."""
    notes = [device["swapped"]] if device.get("swapped") else []
    notes += device.get("notes", [])
    if device["post"].get("old_copy"):
        notes.append(
            "an old copy of the outbox was put back; it goes on under new numbers, nothing is lost"
        )
    clock = device["post"].get("clock")
    if clock:
        notes.append(
            f"this computer's clock said {clock[:10]}; the server put its own time: set the clock"
        )
    return notes


def _seen(device: Mapping[str, Any]) -> list[str]:
    return [f"{what}: {card}" for what, card in device.get("sees", {}).items()]


def _to_put_right(document: Document) -> Text:
    discrepancies = document["discrepancies"]
    if not discrepancies and document["server"]["state"] != "following":
        return Text("What has to be put right is not known now.", "yellow")
    if not discrepancies:
        return Text("Nothing has to be put right.", "green")
    lines = "\n".join(f"  {sentence(item)}" for item in discrepancies)
    return Text(f"To put right:\n{lines}", "yellow")


def sentence(item: Mapping[str, Any]) -> str:
    """Describe a discrepancy, in the server's words if it sent any."""
    if item["text"] or item["power"] is None:
        return item["text"] or f"On top of the pile belongs {item['should']}"
    return f"{item['power']} belongs {place(item['should'], [])}"


class Log:
    """Writes a line for each change since the last document."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._last: dict[str, str] = {}
        self._wrong: dict[str, Mapping[str, Any]] = {}

    def update(self, document: Document) -> None:
        """Write what has changed in a new document."""
        facts = dict(_facts(document))
        for key, line in facts.items():
            if line and self._last.get(key) != line:
                self._write(line)
        self._write_ended(facts, document)
        self._last = facts
        self._wrong = {item["what"]: item for item in document["discrepancies"]}

    def _write_ended(self, facts: Mapping[str, str], document: Document) -> None:
        for key, line in self._last.items():
            kind, _, name = key.partition(" ")
            if not line or facts.get(key):
                continue
            if kind == "discrepancy":
                self._write(f"{name}: {_how_it_ended(self._wrong[name], document)}")
            elif kind == "post":
                self._write(f"{name}: what it sees is delivered again")
            elif kind == "disk":
                self._write("the outbox works again")


def _how_it_ended(item: Mapping[str, Any], document: Document) -> str:
    """Say why a discrepancy is none any more: what is unknown was not moved by anybody."""
    power, devices = item["power"], document["devices"]
    if power is None:
        seen = [card for device in devices for card in device.get("sees", {}).values()]
    else:
        seen = [at for device in devices if isinstance(at := device["positions"].get(power), int)]
    if item["should"] in seen:
        return "put right"
    # A new game, or a correction, may want it elsewhere.
    return "nothing to put right any more" if seen else "no longer known"


def _facts(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the lines worth logging, each with a key."""
    server = document["server"]
    yield "server", _with_reason(f"server: {STREAM.get(server['state'], '')}", server["detail"])
    for device in document["devices"]:
        name = device["name"]
        yield f"state {name}", _with_reason(f"{name}: {device['state']}", device["detail"])
        for power, at in device["positions"].items():
            yield f"at {name} {power}", f"{name}: {power} {place(at, server['seats'])}"
        for seen in _seen(device):
            yield f"sees {name}", f"{name}: {seen}"
        post = device["post"]
        trouble = _with_reason(f"{name}: {POST[post['state']]}", post["detail"])
        yield f"post {name}", trouble if post["state"] in ("retrying", "refused") else ""
        aside = device["queue"]["set_aside"]
        if aside:
            counted = f"{name}: {aside} not taken by the server"
            yield f"aside {name}", _with_reason(counted, post["set_aside"])
        for caution in cautions(device):
            yield f"mind {name} {caution}", f"{name}: {caution}"
    outbox = document["outbox"]
    yield "disk", f"nothing can be kept: {outbox['problem']}" if outbox["problem"] else ""
    for line in left_over(document):
        yield f"left over {line}", line
    for item in document["discrepancies"]:
        yield f"discrepancy {item['what']}", f"to put right: {sentence(item)}"


def _with_reason(line: str, reason: str) -> str:
    return f"{line} ({reason})" if reason else line
