"""Find referees in this house, which announce themselves by mDNS."""

import time

from zeroconf import Error, ServiceBrowser, ServiceListener, Zeroconf

SERVICE = "_referee._tcp.local."
# Seconds: what was announced within the last one is not repeated to whoever asks (RFC 6762, 6).
PATIENCE = 4.0
# Seconds for others to answer, once one has.
OTHERS = 1.0


class _Listener(ServiceListener):
    def __init__(self) -> None:
        self.urls: dict[str, str] = {}

    def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        info = zc.get_service_info(type_, name)
        addresses = info.parsed_addresses() if info else []
        if info and addresses:
            address = f"[{addresses[0]}]" if ":" in addresses[0] else addresses[0]
            self.urls[name] = f"http://{address}:{info.port}"

    def update_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        self.add_service(zc, type_, name)

    def remove_service(self, zc: Zeroconf, type_: str, name: str) -> None:  # noqa: ARG002
        self.urls.pop(name, None)


def find_servers(interfaces: list[str] | None = None) -> list[str]:
    """Return the addresses of the referees in this network, in a fixed order.

    ``interfaces``: where to look, by their addresses; by default everywhere.
    """
    listener = _Listener()
    try:
        asking = Zeroconf(interfaces=interfaces) if interfaces else Zeroconf()
    except (Error, OSError):
        return []
    with asking:
        ServiceBrowser(asking, SERVICE, listener)
        until = time.monotonic() + PATIENCE
        while not listener.urls and time.monotonic() < until:
            time.sleep(0.05)
        if listener.urls:
            time.sleep(OTHERS)
        return sorted(set(listener.urls.values()))
