"""Send one message: resolve the name, check each address, connect to one of those, post.

Nothing is followed, nothing of the answer's body is read, no proxy of the environment is used, and
everything together ends at a deadline, however slowly the other side speaks.
"""

import asyncio
import socket
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor

import h11

from referee.service.webhooks.addresses import AddressPolicy, Target, parse_url
from referee.service.webhooks.attempts import Outcome

# Seconds.
DEADLINE = 15.0
CONNECT_SECONDS = 5.0
# Bytes of an answer: its headers, and what came with them.
MOST_READ = 65_536
CHUNK = 4_096
MOST_ADDRESSES = 8
Resolve = Callable[[str, int], Sequence[str]]


class SendError(Exception):
    """A message that was not delivered; the text is one of ``attempts.ERRORS``."""


def resolve(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host. Raises OSError or UnicodeError."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


class Sender:
    """Posts messages to the addresses that a policy allows."""

    def __init__(
        self,
        policy: AddressPolicy,
        deadline: float = DEADLINE,
        resolve: Resolve = resolve,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self._policy = policy
        self._deadline = deadline
        self._resolve = resolve
        self._trust = trust

    async def post(
        self, url: str, headers: Mapping[str, str], body: bytes, names: Executor | None = None
    ) -> Outcome:
        """Post a message and return what came of it; ``names`` are threads to resolve names in."""
        began = time.monotonic()
        code, error, wait = None, None, 0
        try:
            async with asyncio.timeout(self._deadline):
                code, wait = await self._post(url, headers, body, names)
        except SendError as failed:
            error = str(failed)
        except TimeoutError:
            error = "timeout"
        if code is not None and not 200 <= code < 300:
            error = "redirect" if 300 <= code < 400 else "status"
        return Outcome(round(1000 * (time.monotonic() - began)), code, error, wait)

    async def _post(
        self, url: str, headers: Mapping[str, str], body: bytes, names: Executor | None
    ) -> tuple[int, int]:
        target = parse_url(url)
        if target is None:
            raise SendError("address")
        reader, writer = await self._connect(target, await self._addresses(target, names))
        try:
            return await _exchange(reader, writer, target, headers, body)
        except (OSError, h11.ProtocolError) as error:
            # A deadline of the system's is an OSError, too.
            raise SendError("answer") from error
        finally:
            # Close would wait for the other side.
            writer.transport.abort()

    async def _addresses(self, target: Target, names: Executor | None) -> Sequence[str]:
        loop = asyncio.get_running_loop()
        try:
            addresses = await loop.run_in_executor(names, self._resolve, target.host, target.port)
        except (OSError, UnicodeError) as error:
            raise SendError("name") from error
        if not addresses or not all(
            self._policy.allows(address, target.encrypted) for address in addresses
        ):
            raise SendError("address" if addresses else "name")
        return addresses[:MOST_ADDRESSES]

    async def _connect(
        self, target: Target, addresses: Sequence[str]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if target.encrypted and self._trust is None:
            self._trust = ssl.create_default_context()
        failed = "connection"
        for address in addresses:
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    # An address, so nothing is resolved once more.
                    return await asyncio.open_connection(
                        address,
                        target.port,
                        ssl=self._trust if target.encrypted else None,
                        server_hostname=target.host if target.encrypted else None,
                    )
            except TimeoutError:
                failed = "timeout"
            except ssl.SSLError:
                failed = "encryption"
            except OSError:
                failed = "connection"
        raise SendError(failed)


async def _exchange(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    target: Target,
    headers: Mapping[str, str],
    body: bytes,
) -> tuple[int, int]:
    """Send a request; return the status of the answer and its Retry-After."""
    connection = h11.Connection(h11.CLIENT)
    own = {"host": target.named, "connection": "close", "content-length": str(len(body))}
    request = h11.Request(
        method="POST", target=target.path, headers=[*own.items(), *headers.items()]
    )
    parts = (request, h11.Data(data=body), h11.EndOfMessage())
    writer.write(b"".join(connection.send(part) or b"" for part in parts))
    await writer.drain()
    read = 0
    while True:
        event = connection.next_event()
        if isinstance(event, h11.Response):
            return event.status_code, _seconds(dict(event.headers).get(b"retry-after", b""))
        if event is h11.NEED_DATA:
            data = await reader.read(CHUNK)
            read += len(data)
            if not data or read > MOST_READ:
                raise SendError("answer")
            connection.receive_data(data)
        elif not isinstance(event, h11.InformationalResponse):
            raise SendError("answer")


def _seconds(written: bytes) -> int:
    return int(written) if written.isdigit() and len(written) < 7 else 0
