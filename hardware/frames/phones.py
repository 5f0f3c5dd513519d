"""The phones that one worker watches for: begun with their first frame, closed when they idle."""

import threading
import time
from collections.abc import Callable

from hardware.camera.source.errors import PictureError, PictureFault
from hardware.camera.source.image import check_picture
from hardware.camera.source.pushed import PUSHED
from hardware.frames.answer import View
from hardware.frames.phone import Phone, Place, Sender, knows
from hardware.gateway.posting.outbox_file import OutboxError

# Seconds without a frame after which a phone is closed, and after which one more phone may take
# the place of the longest idle one.
IDLE, MAY_GO = 600.0, 30.0
MOST_PHONES = 16
"""Phones at a time: each takes 100 MB, most of it networks for several sizes of picture."""
LONGEST_SIDE = 1920
"""Width or height of a frame at most, in pixels: more shows nothing more of a pile."""
LOOK_EVERY = 5.0
# Seconds that an outbox is kept which nobody has used: what is in it was delivered long ago.
KEPT = 30 * 86_400.0
# Seconds without a frame after which another phone with the same token is taken for the camera: one
# in use tells that nothing moves more than twice a second.
LET_GO = 5.0


class Refused(Exception):  # noqa: N818 - the frame is refused, the worker is well
    """A frame is not taken; ``why`` is for programs: a kind of problem of the API."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Phones:
    """All phones of one worker; thread-safe."""

    def __init__(self, place: Place, make: Callable[[Sender, Place], Phone] = Phone) -> None:
        self._place = place
        self._make = make
        self._guard = threading.Lock()
        self._phones: dict[tuple[str, str], Phone] = {}
        # Which phone is the camera, by its own name, and when it sent last.
        self._holders: dict[tuple[str, str], tuple[str, float]] = {}
        self._stop = threading.Event()
        place.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._sweep()
        threading.Thread(target=self._look_after, name="idle phones", daemon=True).start()

    def take(
        self,
        sender: Sender,
        data: bytes | None,
        times: tuple[float, float],
        point: tuple[float, float] | None,
        name: str = "",
        take_over: bool = False,
    ) -> View:
        """Take a frame, made and sent at ``times``; return what is seen. Raises Refused.

        ``name`` tells phones with the same token apart: the first is the camera until it falls
        silent or another takes over.
        """
        if not knows(sender.ruleset):
            raise Refused("no-reader")
        if data is not None:
            _check(data)
        self._hold((sender.table, sender.device), name, take_over)
        return self._phone(sender).take(data, *times, point)

    def _hold(self, key: tuple[str, str], name: str, take_over: bool) -> None:
        now = time.monotonic()
        with self._guard:
            holder, last = self._holders.get(key, (name, now))
            if holder != name and now - last < LET_GO and not take_over:
                raise Refused("another-phone")
            self._holders[key] = name, now

    def close(self) -> None:
        """Close all phones at once, and wait until they are closed."""
        self._stop.set()
        with self._guard:
            phones = list(self._phones.values())
            self._phones.clear()
        closing = [threading.Thread(target=phone.close) for phone in phones]
        for thread in closing:
            thread.start()
        for thread in closing:
            thread.join()

    def _phone(self, sender: Sender) -> Phone:
        key = sender.table, sender.device
        with self._guard:
            known = self._phones.get(key)
            if known is not None and known.sender == sender:
                return known
            if known is not None:
                # Another token, or another deck: the table plays another game.
                del self._phones[key]
                known.close()
            if len(self._phones) >= MOST_PHONES:
                self._make_room()
            try:
                phone = self._phones[key] = self._make(sender, self._place)
            except OutboxError:
                raise Refused("no-watcher") from None
            return phone

    def _make_room(self) -> None:
        key, idlest = max(self._phones.items(), key=lambda entry: entry[1].idle_for)
        if idlest.idle_for < MAY_GO:
            raise Refused("no-watcher")
        del self._phones[key]
        idlest.close()

    def _look_after(self) -> None:
        while not self._stop.wait(LOOK_EVERY):
            with self._guard:
                gone = [
                    key
                    for key, phone in self._phones.items()
                    if phone.idle_for > IDLE or phone.refused
                ]
                phones = [self._phones.pop(key) for key in gone]
                self._holders = {
                    key: holder for key, holder in self._holders.items() if key in self._phones
                }
            for phone in phones:
                phone.close()

    def _sweep(self) -> None:
        """Delete the outboxes of tables of long ago."""
        for file in self._place.folder.glob("*-*.sqlite3*"):
            if time.time() - file.stat().st_mtime > KEPT:
                file.unlink(missing_ok=True)


def _check(data: bytes) -> None:
    """Refuse what is no frame, before it waits to be decoded. Raises Refused."""
    try:
        size = check_picture(data, PUSHED, formats=("JPEG",))
    except PictureError as error:
        large = error.fault is PictureFault.TOO_LARGE
        raise Refused("too-large" if large else "unreadable-photo") from None
    if max(size) > LONGEST_SIDE:
        raise Refused("too-large")
