"""Many waiting observations in one request, and what became of each."""

from collections.abc import Iterator, Sequence
from typing import Any

from hardware.gateway.api import Reply
from hardware.gateway.posting.outbox_rows import Waiting

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
    for one in waiting:
        size += len(one.body)
        if together and size > MOST_BYTES:
            break
        together.append(one)
    return together


def batch_body(waiting: Sequence[Waiting]) -> bytes:
    """Return the request. Each observation has the bytes that it has by itself."""
    parts = (b'{"key":"%b","observation":%b}' % (one.key.encode(), one.body) for one in waiting)
    return b'{"observations":[%b]}' % b",".join(parts)


def results_of(reply: Reply, count: int) -> list[Reply]:
    """Return the answers that single requests would have got; fewer if the server took fewer."""
    found = (reply.body or {}).get("results")
    results = found if isinstance(found, list) else []
    return list(_replies(reply, results[:count]))


def _replies(reply: Reply, results: Sequence[Any]) -> Iterator[Reply]:
    for one in results:
        if not isinstance(one, dict) or not isinstance(one.get("status"), int):
            return
        body = one.get("entry") or one.get("problem")
        yield Reply(one["status"], body, reply.seconds, reply.headers)
