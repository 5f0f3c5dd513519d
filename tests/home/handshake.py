"""Handshakes of OpenSSL in memory: what a phone does that trusts an authority."""

import ssl
from pathlib import Path

from referee.home.authority import AUTHORITY, Pair


def trusting(folder: Path) -> ssl.SSLContext:
    """What a phone has that trusts the authority in a folder, and no other."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(folder / AUTHORITY)
    return context


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
