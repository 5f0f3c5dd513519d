"""The follower of the pile for a source: as flags, the saved setup or the mat say."""

import argparse
import os
from collections.abc import Callable
from typing import Any

from hardware.camera.setup.follow import Follower
from hardware.camera.setup.follow_mat import MatFollower
from hardware.camera.setup.follow_scene import SceneFollower, extract_scene
from hardware.camera.setup.mark_pile import check_inside
from hardware.camera.setup.storage import load_setup_for, setup_file
from hardware.camera.source import Frame, Source


def follower_for(
    args: argparse.Namespace, source: Source, pile: Any, first: Frame, note: Callable[[str], None]
) -> Follower:
    """Return the pile's follower. Raises SetupError.

    ``pile`` is the marked pile's corners, if any; ``first`` the first picture; ``args.setup`` names
    a setup other than the default; ``note`` is told if there is none.
    """
    picture = first.picture
    if pile is not None:
        check_inside(pile, (picture.shape[1], picture.shape[0]))
        return SceneFollower(extract_scene(picture, pile))
    before = load_setup_for(args.setup or setup_file(os.environ), source.name)
    if before is not None:
        return before.follower()
    note(f"{source.name} has no saved setup: searching for the mat")
    return MatFollower()
