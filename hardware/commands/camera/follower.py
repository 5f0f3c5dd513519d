"""The follower of the pile for a source: as flags, the saved setup, mat or cards say."""

import argparse
import os
from collections.abc import Callable
from typing import Any

from hardware.camera.setup.find_pile import PileFinder
from hardware.camera.setup.follow import Follower, MatFollower
from hardware.camera.setup.follow_scene import SceneFollower, extract_scene
from hardware.camera.setup.mark_pile import check_inside
from hardware.camera.setup.storage import load_setup_for, setup_file
from hardware.camera.source import Frame, Source
from hardware.camera.types import Recogniser


def follower_for(
    args: argparse.Namespace,
    source: Source,
    pile: Any,
    first: Frame,
    note: Callable[[str], None],
    recogniser: Recogniser | None = None,
) -> Follower:
    """Return the pile's follower. Raises SetupError.

    ``pile`` is the marked pile's corners, if any; ``first`` the first picture; ``args.setup`` names
    a setup other than the default; ``note`` is told if there is none. Then the mat tells, or with
    a ``recogniser`` a card in the middle of the picture.
    """
    picture = first.picture
    if pile is not None:
        check_inside(pile, (picture.shape[1], picture.shape[0]))
        return SceneFollower(extract_scene(picture, pile))
    before = load_setup_for(args.setup or setup_file(os.environ), source.name)
    if before is not None:
        return before.follower()
    if recogniser is None:
        note(f"{source.name} has no saved setup: searching for the mat")
        return MatFollower()
    note(f"{source.name} has no saved setup: searching for the mat, or a card in the middle")
    return PileFinder(recogniser)
