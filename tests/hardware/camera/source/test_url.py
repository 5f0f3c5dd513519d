"""Network cameras, played by an HTTP server that behaves or misbehaves."""

import socket
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.camera.source import Frame, grabber_for, open_source
from hardware.camera.source.http import MOST_BYTES, MultipartError, MultipartParser
from hardware.camera.source.live import LiveSource
from hardware.retry import Retry
from tests.hardware.camera.pictures import blocks, encoded, write_video
from tests.hardware.camera.source.http_camera import Answer, Handler, camera
from tests.tables import tables
from tests.waiting import until


def live(url: str) -> LiveSource:
    return LiveSource("the stream", grabber_for(url), Retry(0.005, 0.01))


def shade(number: int) -> bytes:
    return encoded(np.full((48, 64, 3), number, np.uint8))


def grey(frame: Frame | None) -> int:
    return round(float(frame.picture.mean()))


def stream(said: bool, boundary: str = "frame") -> Answer:
    """Shades of grey for ever, fifty a second."""

    def answer(handler: Handler) -> None:
        handler.begin(200, f"multipart/x-mixed-replace; boundary={boundary}")
        for number in range(10_000):
            handler.part(shade(number % 200), said)
            if handler.server.done.wait(0.02):
                return

    return answer


@pytest.mark.parametrize("said", [True, False], ids=["lengths", "no lengths"])
@pytest.mark.parametrize("boundary", ["frame", '"frame"', "--frame"])
def test_a_stream_of_jpegs(said: bool, boundary: str) -> None:
    with camera(stream(said, boundary)) as server, live(server.url()) as source:
        first = source.read(120)
        later = first.number + 10
        until(lambda: source._number > later)
        second, third = source.read(120), source.read(120)
        assert second is not None
        assert third is not None
        assert second.number - first.number >= 9  # those between were dropped
        assert (grey(second) - grey(first)) % 200 >= 8
        assert third.at > second.at
        assert source.trouble is None


def test_a_stream_in_chunks_is_not_held_back() -> None:
    """A picture is delivered before the next chunk arrives."""

    def chunked(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for number in range(3):
            data = shade(40 * number)
            part = b"--frame\r\nContent-Length: %d\r\n\r\n" % len(data) + data + b"\r\n"
            handler.wfile.write(b"%x\r\n" % len(part) + part + b"\r\n")
            if handler.server.go_on.wait(120):
                handler.server.go_on.clear()
        handler.server.done.wait()

    with camera(chunked) as server, live(server.url()) as source:
        for number in range(3):
            assert grey(source.read(120)) == 40 * number
            server.go_on.set()


def test_the_end_of_a_stream_is_told_and_it_comes_back() -> None:
    def answer(handler: Handler) -> None:
        begins = len(handler.server.asked) == 1
        # It is refused until that was told: at the next picture the trouble is over.
        if not begins and not handler.server.go_on.is_set():
            handler.begin(503, "text/plain", 0)
            return
        handler.begin(200, "multipart/x-mixed-replace; boundary=frame")
        handler.part(shade(50 if begins else 150))
        if not begins:
            handler.server.done.wait()

    with camera(answer) as server, live(server.url()) as source:
        assert grey(source.read(120)) == 50
        until(lambda: source.trouble == f"{server.url()} refuses the stream (status 503)")
        server.go_on.set()
        assert grey(source.read(120)) == 150
        assert source.trouble is None


def test_one_picture_an_answer() -> None:
    def answer(handler: Handler) -> None:
        data = shade(10 * len(handler.server.asked))
        handler.begin(200, "image/jpeg", len(data))
        handler.wfile.write(data)

    with camera(answer) as server, live(server.url("/shot.jpg")) as source:
        shades = [grey(source.read(120)) for _ in range(3)]
        assert shades == [10, 20, 30]


def test_a_video_over_http(tmp_path: Path) -> None:
    file = tmp_path / "clip.avi"
    write_video(file, [blocks()] * 30)
    data = file.read_bytes()

    def answer(handler: Handler) -> None:
        handler.begin(200, "video/x-msvideo", len(data))
        handler.wfile.write(data)

    with camera(answer) as server, live(server.url("/clip.avi")) as source:
        frame = source.read(120)
        assert frame.picture.shape == (48, 64, 3)


@pytest.mark.parametrize(("status", "kind", "user", "words"), tables(__file__)["answers"])
def test_what_a_camera_answers_instead(status: int, kind: str, user: str, words: str) -> None:
    def answer(handler: Handler) -> None:
        handler.begin(status, kind, 5)
        handler.wfile.write(b"words")

    with camera(answer) as server, live(server.url(user=user)) as source:
        until(lambda: source.read(0.001) or words in (source.trouble or ""))
        assert source.read(0.001) is None
        assert "secret" not in (source.trouble or "")


@pytest.mark.parametrize("scheme", ["Basic", "Digest"])
def test_name_and_password_of_the_address(scheme: str) -> None:
    challenge = 'Digest realm="cam", nonce="abc", qop="auth"' if scheme == "Digest" else "Basic"

    def answer(handler: Handler) -> None:
        given = handler.headers.get("Authorization", "")
        if not given.startswith(scheme):
            handler.begin(401, "text/plain", 0, f"WWW-Authenticate: {challenge}")
            return
        data = shade(70)
        handler.begin(200, "image/jpeg", len(data))
        handler.wfile.write(data)

    with camera(answer) as server, live(server.url(user="me:p%40ss@")) as source:
        assert grey(source.read(120)) == 70
        assert 'username="me"' in server.asked[-1] or server.asked[-1] == "Basic bWU6cEBzcw=="


@pytest.mark.parametrize("scheme", ["http", "rtsp"])
def test_nobody_listens(scheme: str) -> None:
    with socket.socket() as place:  # bound, so that nobody else takes the port
        place.bind(("127.0.0.1", 0))
        url = f"{scheme}://me:secret@127.0.0.1:{place.getsockname()[1]}/live"
        with live(url) as source:
            until(lambda: source.trouble is not None)
            trouble = source.trouble or ""
    assert "nothing listens there; is the camera on, and the port right?" in trouble
    assert "secret" not in trouble


def test_an_rtsp_camera_that_turns_us_away() -> None:
    """The first connection checks that it is there, the last asks for the reason."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        done = threading.Event()

        def serve() -> None:
            while not done.is_set():
                try:
                    line, _ = server.accept()
                except OSError:
                    continue
                with line:
                    line.settimeout(120)
                    try:
                        if line.recv(4096):
                            line.sendall(b"RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\n\r\n")
                    except OSError:
                        continue

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        url = f"rtsp://127.0.0.1:{server.getsockname()[1]}/live"
        with live(url) as source:
            until(lambda: source.trouble is not None)
            assert "wants a name and password; put them into the address" in (source.trouble or "")
        done.set()
        thread.join(120)


def test_a_stream_that_stalls_does_not_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.camera.source.http.SILENCE", 0.1)

    def answer(handler: Handler) -> None:
        handler.begin(200, "multipart/x-mixed-replace; boundary=frame")
        handler.part(shade(1))
        handler.wfile.write(b"--frame\r\nContent-Length: 1000\r\n\r\nabc")
        handler.server.done.wait()

    with camera(answer) as server, live(server.url()) as source:
        assert source.read(120) is not None
        until(lambda: len(server.asked) > 1)  # and the first answer goes on
        assert not source.ended


def test_closing_does_not_wait_for_a_stream_that_stalls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.camera.source.http.SILENCE", 1000)

    def answer(handler: Handler) -> None:
        handler.begin(200, "multipart/x-mixed-replace; boundary=frame")
        handler.part(shade(1))
        handler.server.done.wait()

    with camera(answer) as server:
        source = live(server.url())
        source.start()
        assert source.read(120) is not None
        source.close()
        until(lambda: all(thread.name != "read the stream" for thread in threading.enumerate()))


def wire(bodies: list[bytes], said: bool, newline: bytes = b"\r\n") -> bytes:
    data = b"some words first" + newline
    for body in bodies:
        length = b"Content-length: %d" % len(body) + newline if said else b""
        data += b"--cut" + newline + b"Content-Type: image/jpeg" + newline + length
        data += newline + body + newline
    return data + b"--cut"


@given(
    bodies=st.lists(
        st.binary(min_size=1, max_size=60).map(lambda b: b.replace(b"-", b"x") + b"."), max_size=5
    ),
    said=st.booleans(),
    newline=st.sampled_from([b"\r\n", b"\n"]),
    cuts=st.lists(st.integers(1, 30), min_size=1, max_size=6),
)
def test_parts_come_whole_however_the_bytes_are_cut(
    bodies: list[bytes], said: bool, newline: bytes, cuts: list[int]
) -> None:
    data, parts, found, at, turn = wire(bodies, said, newline), MultipartParser("cut"), [], 0, 0
    while at < len(data):
        step = cuts[turn % len(cuts)]
        found += parts.feed(data[at : at + step])
        at, turn = at + step, turn + 1
    assert found == bodies


@given(st.lists(st.binary(max_size=50), max_size=20))
def test_any_bytes_are_parts_or_none(chunks: list[bytes]) -> None:
    parts = MultipartParser("x")
    for chunk in chunks:
        assert all(isinstance(part, bytes) for part in parts.feed(chunk))


def test_no_part_fills_the_memory() -> None:
    with pytest.raises(MultipartError, match="claims to have 100 MB"):
        MultipartParser("x").feed(b"--x\r\nContent-Length: 100000000\r\n\r\n")
    endless = MultipartParser("x")
    endless.feed(b"--x\r\n\r\n")
    assert endless.feed(bytes(MOST_BYTES - 10)) == []
    with pytest.raises(MultipartError, match="no picture ends within"):
        endless.feed(bytes(20))


def test_the_name_of_a_stream_keeps_secrets() -> None:
    assert open_source("http://me:secret@cam.local/video").name == "http://cam.local/video"
