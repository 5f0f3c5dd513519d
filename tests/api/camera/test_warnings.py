"""What disturbs a camera's view is shown while it lasts, and announced to nobody."""

from tests.api.camera import Camera
from tests.api.conftest import Seat


def warnings(host: Seat) -> list[str]:
    return host.get().get_json()["camera"]["warnings"]


def test_warnings_are_shown_until_they_are_over(game: Seat, camera: Camera) -> None:
    assert warnings(game) == []
    entry = camera.state_is("watching", warnings=["shakes", "focus-hunts"])
    assert entry["announcements"] == []
    assert warnings(game) == ["shakes", "focus-hunts"]
    # What it sees meanwhile says nothing about them.
    camera.sees("unread")
    assert warnings(game) == ["shakes", "focus-hunts"]
    assert camera.state_is("watching", warnings=[])["announcements"] == []
    assert warnings(game) == []


def test_a_blind_camera_warns_of_nothing_else(game: Seat, camera: Camera) -> None:
    camera.state_is("watching", warnings=["covered"])
    camera.state_is("blind", reason="no-pile")
    assert warnings(game) == []
    camera.state_is("watching")
    assert warnings(game) == []


def test_words_are_checked(game: Seat, camera: Camera) -> None:
    for bad in (["Shakes!"], ["x" * 41], ["shakes"] * 11, "shakes", [1]):
        body = {"kind": "camera", "at": "2026-11-21T10:00:00Z", "state": "watching"}
        answer = camera.post("/observations", {**body, "warnings": bad})
        assert answer.status_code == 422, answer.text
    assert warnings(game) == []
