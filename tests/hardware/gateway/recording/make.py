"""Makes ``session.table``, the recorded session of the tests: ``python -m …recording.make``.

Ann lays a red 7 on a red 5 and takes a tower. It goes by the simulation's clock, through the code
of the camera, of the board, and of the server.
"""

import json
import tempfile
from pathlib import Path

from flask.testing import FlaskClient

from bench.table.rendered import NetworkWatcher, RenderedPile
from hardware.board.session.watch import BoardWatch
from hardware.camera.decks import cards_of
from hardware.camera.reading.recognise import CardRecogniser
from hardware.camera.track import PileEvent
from hardware.gateway.api import API, Reply
from hardware.gateway.recording.tape import Tape
from hardware.virtual_board.board import VirtualBoard
from lab.films.film import FilmFrame
from referee.api import create_app
from referee.config import Settings
from tests.hardware.virtual_board.bench import Cable

FILE = Path(__file__).with_name("session.table")
RULESET = "power-grab"
NAMES = ["Ann", "Bo"]
AT = "2026-11-21T10:00:{:06.3f}+00:00"


class Session:
    """A table at a server in this process, and the tape."""

    def __init__(self, client: FlaskClient) -> None:
        self.now = 0.0
        self.tape = Tape(last=600.0, clock=lambda: self.now, wall_clock=lambda: 1.8e9)
        self._client = client
        made = self._send("/tables", {"ruleset": RULESET, "seats": NAMES})
        self._table, host = made["table"]["id"], made["token"]
        self._send(f"/tables/{self._table}/rounds", {"dealer": 2, "opening": ["red-5"]}, host)
        self._tokens = {}
        for kind in ("Camera", "Board"):
            body = {"name": kind, "kind": kind.lower()}
            made = self._send(f"/tables/{self._table}/devices", body, host)
            self._tokens[kind] = made["token"]
        self._number = 0

    def post(self, device: str, body: dict) -> None:
        self._number += 1
        body = {"at": AT.format(self.now), **body}
        path = f"/tables/{self._table}/observations"
        answer = self._send(path, body, self._tokens[device])
        reply = Reply(201, answer)
        self.tape.posted(device, f"key-{self._number}", json.dumps(body).encode(), reply)

    def _send(self, path: str, body: dict, token: str = "") -> dict:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self._client.post(f"{API}{path}", json=body, headers=headers)
        assert answer.status_code == 201, answer.text
        return answer.get_json()


class TapedWatcher(NetworkWatcher):
    """The real pipeline, whose pictures are recorded."""

    def __init__(self, session: Session) -> None:
        super().__init__(CardRecogniser(cards_of(RULESET)))
        self._session = session
        self._pictures = session.tape.pictures("Camera")

    def take(self, frame: FilmFrame) -> list[PileEvent]:
        """Process a frame and record it; return its events."""
        self._session.now = frame.time
        events = super().take(frame)
        self._pictures(frame.picture, frame.time, self.position)
        return events


def main() -> None:
    """Write the file."""
    with tempfile.TemporaryDirectory() as name:
        app = create_app(Settings(database=str(Path(name) / "x.sqlite3")))
        session = Session(app.test_client())
        pile = RenderedPile(
            2,
            len(NAMES),
            (640, 360),
            16.0,
            TapedWatcher(session),
            lambda body: session.post("Camera", body),
        )
        pile.lay("red-5")
        pile.lay("red-7")
        _take_tower(session)
        session.tape.save(FILE, {"Camera": "camera", "Board": "serial-board"}, RULESET)


def _take_tower(session: Session) -> None:
    """A board is plugged in, and a tower moved, on the session's clock."""
    cable = Cable()
    began = session.now
    board = VirtualBoard(cable, seats=2, clock=lambda: session.now - began)
    watch = BoardWatch({})
    board.plug()
    watch.opened(session.now)
    while session.now - began < 4.0:
        session.now += 0.02
        if abs(session.now - began - 2.5) < 0.011:
            board.place("U", 1)
        board.turn()
        heard = bytes(cable.to_host)
        cable.to_host.clear()
        for body in (*watch.receive(heard, session.now), *watch.poll(session.now)):
            session.post("Board", dict(body))
        watch.kept()
        said = watch.outgoing(session.now)
        cable.to_board += said
        session.tape.data("Board", "in", heard)
        session.tape.data("Board", "out", said)
    board.close()


if __name__ == "__main__":
    main()
