"""What a phone that is the camera may be told. The API's schema has the same words."""

from typing import Any

View = dict[str, Any]

ADVICE = (
    *("slow", "dark", "bright", "glare", "blurred", "far", "near", "tilted", "outside"),
    *("shakes", "moving", "covered", "hunts", "other-deck"),
)
"""All there is to advise on, worst first."""
PICTURE_EVERY = 2.0
"""Longest time, in seconds, without a picture: hands are noticed by the phone, light is not."""
MOST_A_SECOND, FEWER, FEWEST = 12, 6, 3
"""Frames a second that are asked for: usually, and with some and with many that wait."""
SOME, MANY = 12, 25


def starting() -> View:
    """Return the view before anything was looked at."""
    return {
        "state": "starting",
        "reason": None,
        "pile": None,
        "draw_pile": None,
        "card": None,
        "chance": 0.0,
        "busy": False,
        "advice": [],
    }


def paced(view: View, waiting: int) -> View:
    """Return a view with how fast frames may come, while ``waiting`` were not looked at."""
    rate = MOST_A_SECOND if waiting < SOME else FEWER if waiting < MANY else FEWEST
    return {**view, "frames_per_second": rate, "picture_every_s": PICTURE_EVERY}
