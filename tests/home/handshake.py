"""Handshakes of OpenSSL in memory: what a phone does that trusts an authority."""

import socket
import ssl
from pathlib import Path

from referee.home.authority import AUTHORITY, Pair
from tests.waiting import PATIENCE


def trusting(folder: Path, file: str = AUTHORITY) -> ssl.SSLContext:
    """What a phone has that trusts the authority in a folder, and no other."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(folder / file)
    return context


def certificate_number(phone: ssl.SSLContext, port: int, host: str) -> str:
    """Shake hands with a server of this machine; the number of its certificate."""
    with (
        socket.create_connection(("127.0.0.1", port), PATIENCE) as raw,
        phone.wrap_socket(raw, server_hostname=host) as there,
    ):
        return str(there.getpeercert()["serialNumber"])


def shake_hands(client: ssl.SSLContext, server: ssl.SSLContext, host: str) -> ssl.SSLObject:
    """Let both speak until they trust each other; the client's side. Raises ssl.SSLError."""
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    phone = client.wrap_bio(back, there, server_hostname=host)
    house = server.wrap_bio(there, back, server_side=True)
    waiting = [phone, house]
    while waiting:
        for side in list(waiting):
            try:
                side.do_handshake()
                waiting.remove(side)
            except ssl.SSLWantReadError:
                continue
    return phone


def serving(pair: Pair) -> ssl.SSLContext:
    """A server's context with a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pair.certificate, pair.key)
    return context
