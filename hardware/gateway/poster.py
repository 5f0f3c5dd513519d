"""Posts the outbox: a thread per device, one observation at a time, in order."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hardware.gateway.api import Api, Reply, Unreachable
from hardware.gateway.outbox import Outbox, Waiting
from hardware.gateway.post_result import PostResult, judge_reply
from hardware.retry import Retry
from hardware.times import utc

LOOK_AGAIN = 30.0
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
    observation that the server does not accept was set aside.
    """

    state: str = "idle"
    detail: str = ""
    tries: int = 0
    next_try: str | None = None
    retries: int = 0
    set_aside: str = ""
    last: Posted | None = None


class Poster:
    """Posts one device's observations to the server.

    ``on_accepted`` gets every answer that accepted one; it must not raise.
    """

    def __init__(
        self,
        device: str,
        outbox: Outbox,
        api: Api,
        on_accepted: OnAccepted,
        *,
        retry: Retry | None = None,
        look_again: float = LOOK_AGAIN,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._device = device
        self._outbox = outbox
        self._api = api
        self._on_accepted = on_accepted
        self._retry = retry or Retry()
        self._look_again = look_again
        self._now = now
        self._contested = 0
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
                waiting = self._outbox.next(self._device)
                if waiting is None:
                    self._set_state("idle", next_try=None, detail="", tries=0)
                    self._work.wait()
                else:
                    self._post(waiting)
            except OSError as error:
                self._try_again(str(error))
            except Exception as error:  # whatever it is, the queue must go on
                self._try_again(f"unexpected: {error!r}")
        self._set_state("stopped", next_try=None)

    def _post(self, waiting: Waiting) -> None:
        if self._status.state == "idle":
            self._set_state("posting")
        try:
            reply = self._api.post(self._path, waiting.body, waiting.key)
        except Unreachable as error:
            self._try_again(str(error))
            return
        result = judge_reply(reply, self._now())
        if result.fate == "taken":
            self._taken(waiting, reply)
        elif result.fate == "unfit":
            self._set_aside(waiting, result)
        elif result.fate == "refused":
            self._pause("refused", result.why, self._look_again)
        elif result.fate == "contested" and self._contested >= CONTESTED_TRIES:
            self._set_aside(waiting, result)
        else:
            self._contested += result.fate == "contested"
            self._try_again(result.why, result.wait)

    def _taken(self, waiting: Waiting, reply: Reply) -> None:
        body: Any = reply.body
        self._outbox.done(waiting)
        self._reset_retries()
        last = Posted(
            utc(self._now()), round(reply.seconds * 1000, 1), body["id"], str(body.get("meaning"))
        )
        self._set_state("posting", detail="", tries=0, next_try=None, last=last)
        self._on_accepted(reply)

    def _set_aside(self, waiting: Waiting, result: PostResult) -> None:
        self._outbox.set_aside(waiting, result.why)
        self._reset_retries()
        self._set_state("posting", detail="", tries=0, next_try=None, set_aside=result.why)

    def _reset_retries(self) -> None:
        self._retry.succeeded()
        self._contested = 0

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
            next_try=utc(self._now() + seconds),
        )
        self._stop.wait(seconds)

    def _set_state(self, state: str, **changes: Any) -> None:
        self._status = replace(self._status, state=state, **changes)
