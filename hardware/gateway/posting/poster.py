"""Posts the outbox: a thread per device, in order; together what waited for long."""

import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from hardware.gateway.api import Api, Reply, Unreachable
from hardware.gateway.posting.outbox import Outbox
from hardware.gateway.posting.outbox_file import Waiting
from hardware.retry import Retry
from hardware.times import utc

# So many have to wait: a few go one by one, which every server knows.
FEWEST, MOST = 8, 50
MOST_BYTES = 200_000
# Statuses of servers that know no batches, or do not take this one.
NO_BATCHES = (404, 405, 413, 422)


def batch_of(waiting: Sequence[Waiting]) -> list[Waiting]:
    """Return those that go together; one at least."""
    if len(waiting) < FEWEST:
        return list(waiting[:1])
    size = 0
    together: list[Waiting] = []
    for item in waiting:
        size += len(item.body)
        if together and size > MOST_BYTES:
            break
        together.append(item)
    return together


def batch_body(waiting: Sequence[Waiting]) -> bytes:
    """Return the request. Each observation has the bytes that it has by itself."""
    parts = (b'{"key":"%b","observation":%b}' % (item.key.encode(), item.body) for item in waiting)
    return b'{"observations":[%b]}' % b",".join(parts)


def results_of(reply: Reply, count: int) -> list[Reply]:
    """Return the answers that single requests would have got; fewer if the server took fewer."""
    entries = (reply.body or {}).get("results")
    results = entries if isinstance(entries, list) else []
    return list(_replies(reply, results[:count]))


def _replies(reply: Reply, results: Sequence[Any]) -> Iterator[Reply]:
    for result in results:
        if not isinstance(result, dict) or not isinstance(result.get("status"), int):
            return
        body = result.get("entry") or result.get("problem")
        yield Reply(result["status"], body, reply.seconds, reply.headers)


# taken: it is in the log. again: retry soon. refused: the token may not post, or the table takes
# nothing at all; retry later.
# contested: it conflicts with the table's state, which may change. unfit: never accepted.
# known: the server has another observation of that number, from before an old copy of the outbox
# was put back.
Fate = Literal["taken", "again", "refused", "contested", "unfit", "known"]
LONGEST_WAIT = 300.0
# Problems of a table that takes nothing from anybody: it may be opened again, or be left.
TAKES_NOTHING = ("closed", "table-full")


@dataclass(frozen=True, slots=True)
class PostResult:
    """The next step for an observation, and why; ``wait``: seconds the server asked for."""

    fate: Fate
    why: str = ""
    wait: float = 0.0


def judge_reply(reply: Reply, now: float) -> PostResult:
    """Interpret an answer. ``now``: seconds since 1970, for dates in headers.

    Only an answer of a referee can set an observation aside: anything else at the address, such as
    a proxy while the server is down, only delays it.
    """
    status = reply.status
    if 200 <= status < 300 and isinstance((reply.body or {}).get("id"), int):
        return PostResult("known" if (reply.body or {}).get("meaning") == "repeated" else "taken")
    if status in (401, 403):
        return PostResult("refused", f"the token is not accepted: {reply.detail}")
    if status in (408, 425, 429) or status >= 500:
        wait = min(max(0.0, _retry_after(reply.headers, now)), LONGEST_WAIT)
        return PostResult("again", f"the server is not ready: {reply.detail}", wait)
    if 300 <= status < 400:
        elsewhere = reply.headers.get("Location", "elsewhere")
        return PostResult("again", f"the server sends us to {elsewhere}; is server.url right?")
    if reply.problem is None:
        return PostResult("again", f"what answers ({status}) is no referee; is server.url right?")
    if status == 404:
        return PostResult("refused", f"the table is not there: {reply.detail}")
    if reply.problem in TAKES_NOTHING:
        return PostResult("refused", f"the table takes nothing: {reply.detail}")
    if reply.problem == "key-reused":
        return PostResult("known", reply.detail)
    if status in (409, 412, 423):
        return PostResult("contested", reply.detail)
    return PostResult("unfit", reply.detail)


def _retry_after(headers: Mapping[str, str], now: float) -> float:
    """Return the seconds of Retry-After, a number or a date; 0 if missing or unreadable."""
    text = headers.get("Retry-After", "").strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        return parsedate_to_datetime(text).timestamp() - now
    except ValueError:
        return 0.0


LOOK_AGAIN = 30.0
# Seconds until a present state that the server did not take is told again, at first and at most.
TELL_AGAIN, TELL_AGAIN_LATEST = 30.0, 600.0
# About half a minute of tries for an observation that conflicts with the table's state.
CONTESTED_TRIES = 10
STOP_SECONDS = 2.0
OnAccepted = Callable[[Reply], None]


@dataclass(frozen=True, slots=True)
class Posted:
    """The last accepted observation: time, latency in ms, and the log entry."""

    at: str
    ms: float
    id: int
    meaning: str


@dataclass(frozen=True, slots=True)
class PosterStatus:
    """The state of posting.

    ``state`` is "idle" (nothing waits), "posting", "retrying", "refused" or "stopped"; ``detail``
    says why. ``tries`` counts the failures of the current observation, ``retries`` all failures;
    ``next_try`` is the time (ISO 8601) of the next attempt. ``set_aside`` is why the last
    observation that the server does not accept was set aside; ``owed``: the device's state after it
    is not with the server yet. ``old_copy`` says that numbers went on which the server knew;
    ``clock`` is the last time (ISO 8601) of ours that cannot be, which the server replaced.
    """

    state: str = "idle"
    detail: str = ""
    tries: int = 0
    next_try: str | None = None
    retries: int = 0
    set_aside: str = ""
    owed: bool = False
    old_copy: bool = False
    clock: str = ""
    last: Posted | None = None


class Poster:
    """Posts one device's observations to the server.

    ``on_accepted`` gets every answer that accepted one, ``tell_again`` asks the device for its
    present state; they must not raise. ``useless`` says whether the table's deck has nothing that
    the device sees: then nothing is posted, and the present state is told once it has.
    """

    def __init__(
        self,
        device: str,
        outbox: Outbox,
        api: Api,
        on_accepted: OnAccepted,
        *,
        tell_again: Callable[[], None] = lambda: None,
        useless: Callable[[], bool] = lambda: False,
        retry: Retry | None = None,
        retelling: Retry | None = None,
        look_again: float = LOOK_AGAIN,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._device = device
        self._outbox = outbox
        self._api = api
        self._on_accepted = on_accepted
        self._tell_again = tell_again
        self._useless = useless
        self._retry = retry or Retry()
        self._retelling = retelling or Retry(TELL_AGAIN, TELL_AGAIN_LATEST)
        self._look_again = look_again
        self._clock = clock
        self._contested = 0
        self._counted_anew = 0  # the number from which another series went on last
        self._alone = 0  # so many go one by one, after a batch that was not understood
        self._path = api.table_path("/observations")
        self._work = threading.Event()
        self._stop = threading.Event()
        self._status = PosterStatus()
        self._thread = threading.Thread(target=self._run, name=f"post {device}", daemon=True)

    def start(self) -> None:
        """Begin to post."""
        self._thread.start()

    def wake(self) -> None:
        """Look into the outbox: something was put there."""
        self._work.set()

    def stop(self) -> None:
        """Stop. A request under way may still arrive; it is posted again and counts once."""
        self._stop.set()
        self._work.set()
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)
        self._api.close()

    def status(self) -> PosterStatus:
        """Return the current state."""
        return self._status

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._work.clear()
                waiting = self._outbox.oldest(self._device, 1 if self._alone else MOST)
                if not waiting:
                    self._rest()
                elif self._useless():
                    self._outbox.forget(*waiting)
                else:
                    self._post(batch_of(waiting))
            except OSError as error:
                self._try_again(str(error))
            except Exception as error:  # whatever it is, the queue must go on
                self._try_again(f"unexpected: {error!r}")
        self._set_state("stopped", next_try=None)

    def _rest(self) -> None:
        """Nothing waits: tell what is owed, or wait until something is put."""
        owed, useless = self._outbox.owes(self._device), self._useless()
        self._set_state("idle", next_try=None, detail="", tries=0, owed=owed and not useless)
        if not owed:
            self._work.wait()
        elif useless:
            self._work.wait(1.0)
        elif self._retelling.due:
            # If that is not taken either, not again at once.
            self._retelling.failed()
            self._outbox.tell_again(self._device)
            self._tell_again()
        else:
            self._work.wait(1.0)

    def _post(self, waiting: Sequence[Waiting]) -> None:
        if self._status.state == "idle":
            self._set_state("posting")
        try:
            if len(waiting) > 1:
                self._post_together(waiting)
            else:
                reply = self._api.post(self._path, waiting[0].body, waiting[0].key)
                self._use(waiting[0], reply)
        except Unreachable as error:
            self._try_again(str(error))

    def _post_together(self, waiting: Sequence[Waiting]) -> None:
        """Post many that wait; use the answers up to the first that was not taken."""
        sent = batch_body(waiting)
        reply = self._api.post(f"{self._path}/batch", sent, hashlib.sha256(sent).hexdigest())
        if reply.status in NO_BATCHES:
            # It may be another kind of trouble, of which a single one tells.
            self._alone = len(waiting)
            return
        answers = list(zip(waiting, results_of(reply, len(waiting)), strict=False))
        taken = [pair for pair in answers if self._judge(*pair).fate == "taken"]
        others = [pair for pair in answers or [(waiting[0], reply)] if pair not in taken]
        if taken:
            self._taken(taken)
        if others:
            self._use(*others[0])

    def _use(self, waiting: Waiting, reply: Reply) -> None:
        """Go on after the answer to an observation, or to a batch of which none was looked at."""
        result = self._judge(waiting, reply)
        if result.fate == "taken":
            self._taken([(waiting, reply)])
        elif result.fate == "known":
            self._outbox.count_anew(waiting)
            self._counted_anew = waiting.number
            self._set_state("posting", old_copy=True)
        elif result.fate == "unfit" and self._useless():
            self._outbox.forget(waiting)
        elif result.fate == "unfit":
            self._set_aside(waiting, result)
        elif result.fate == "refused":
            self._pause("refused", result.why, self._look_again)
        elif result.fate == "contested" and self._contested >= CONTESTED_TRIES:
            self._set_aside(waiting, result)
        else:
            self._contested += result.fate == "contested"
            self._try_again(result.why, result.wait)

    def _judge(self, waiting: Waiting, reply: Reply) -> PostResult:
        result = judge_reply(reply, self._clock())
        if result.fate == "known" and waiting.number == self._counted_anew:
            # Another series did not help.
            return PostResult("taken" if reply.status < 300 else "unfit", result.why)
        return result

    def _taken(self, answered: Sequence[tuple[Waiting, Reply]]) -> None:
        self._outbox.done(*(waiting for waiting, _ in answered))
        replies = [reply for _, reply in answered]
        self._moved_on()
        self._retelling.succeeded()
        for reply in replies:
            self._note(reply.body or {})
        reply = replies[-1]
        body: Any = reply.body
        last = Posted(
            utc(self._clock()), round(reply.seconds * 1000, 1), body["id"], str(body.get("meaning"))
        )
        self._set_state("posting", detail="", tries=0, next_try=None, last=last)
        for reply in replies:
            self._on_accepted(reply)

    def _note(self, entry: Mapping[str, Any]) -> None:
        """Note what people should know about an observation that was taken."""
        seen = entry.get("observation")
        said_at = seen.get("said_at") if isinstance(seen, Mapping) else None
        self._status = replace(
            self._status,
            clock=str(said_at) if said_at else "",
        )

    def _set_aside(self, waiting: Waiting, result: PostResult) -> None:
        self._outbox.set_aside(waiting, result.why)
        self._moved_on()
        self._set_state(
            "posting", detail="", tries=0, next_try=None, set_aside=result.why, owed=True
        )

    def _moved_on(self) -> None:
        self._retry.succeeded()
        self._contested = 0
        self._alone = max(0, self._alone - 1)

    def _try_again(self, why: str, wish: float = 0.0) -> None:
        self._pause("retrying", why, max(self._retry.failed(), wish))

    def _pause(self, state: str, why: str, seconds: float) -> None:
        if self._stop.is_set():
            return
        status = self._status
        self._set_state(
            state,
            detail=why,
            tries=status.tries + 1,
            retries=status.retries + 1,
            next_try=utc(self._clock() + seconds),
        )
        self._stop.wait(seconds)

    def _set_state(self, state: str, **changes: Any) -> None:
        self._status = replace(self._status, state=state, **changes)
