"""A setup is saved and loaded; a damaged file gives one sentence."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hardware.camera.setup.follow import MatFollower
from hardware.camera.setup.follow_scene import SceneFollower, extract_scene
from hardware.camera.setup.storage import Setup, SetupError, load_setup, save_setup, setup_file
from tests.hardware.camera.setup.scenes import Shot

SHOT = Shot()
BARE = Shot(paper=None, cards=3, distance=600)


def again(setup: Setup, folder: Path) -> Setup:
    file = folder / "deep" / "camera.json"
    save_setup(file, setup)
    assert file.stat().st_mode & 0o077 == 0
    return load_setup(file)


def test_a_mat(tmp_path: Path) -> None:
    setup = again(Setup("camera 0", view=SHOT.view), tmp_path)
    assert setup.source == "camera 0"
    assert np.allclose(setup.view.place("discard"), SHOT.view.place("discard"))
    assert setup.view is not None
    assert (setup.view.size, setup.view.paper) == ((1280, 720), "a4")
    assert isinstance(setup.follower(), MatFollower)


def test_a_marked_pile_is_found_again_after_the_camera_was_moved(tmp_path: Path) -> None:
    scene = extract_scene(BARE.take(), BARE.view.place("discard"))
    setup = again(Setup("camera 0", scene=scene), tmp_path)
    assert np.allclose(setup.scene.pile, scene.pile, atol=0.01)
    follower = setup.follower()
    assert isinstance(follower, SceneFollower)
    moved = BARE.changed(aside=(20, 8), turn=6, light=0.7)
    follower.update(moved.take(), 0.0)
    followed = follower.update(moved.changed(seed=2).take(), 1.0)
    assert followed.moved_by > 20
    assert followed.pile is not None
    assert np.abs(followed.pile - moved.view.place("discard")).max() < 8


def test_no_picture_is_kept(tmp_path: Path) -> None:
    scene = extract_scene(BARE.take(), BARE.view.place("discard"))
    save_setup(tmp_path / "camera.json", Setup("camera 0", scene=scene))
    document = json.loads((tmp_path / "camera.json").read_text())
    assert set(document) == {"version", "source", "size", "pile", "surroundings"}
    assert set(document["surroundings"]) == {"points", "descriptors"}
    assert (tmp_path / "camera.json").stat().st_size < 60_000


def test_a_table_without_features(tmp_path: Path) -> None:
    plain = np.full((720, 1280, 3), 90, np.uint8)
    setup = again(Setup("c", scene=extract_scene(plain, BARE.view.place("discard"))), tmp_path)
    assert setup.scene is not None
    assert not setup.scene.followable


def spoilt(change: Any) -> Any:
    def make(document: dict[str, Any]) -> str:
        change(document)
        return json.dumps(document)

    return make


@pytest.mark.parametrize(
    "make",
    [
        lambda _: "no json",
        lambda _: "[1, 2]",
        lambda _: "",
        lambda _: "[" * 100_000,
        lambda _: "\udcff",
        spoilt(lambda d: d.update(version=2)),
        spoilt(lambda d: d.update(source=3)),
        spoilt(lambda d: d.update(size=[0, 720])),
        spoilt(lambda d: d.update(size="large")),
        spoilt(lambda d: d["mat"].update(paper="a9")),
        spoilt(lambda d: d["mat"].update(matrix=[[0.0] * 3] * 3)),
        spoilt(lambda d: d["mat"].update(matrix=[[1, 2], [3, 4]])),
        spoilt(lambda d: d["mat"]["matrix"][0].__setitem__(0, float("nan"))),
        spoilt(lambda d: d.pop("mat")),
        spoilt(lambda d: (d.pop("mat"), d.update(pile=[[1, 2]] * 4, surroundings={}))),
    ],
)
def test_a_spoilt_file(make: Any, tmp_path: Path) -> None:
    file = tmp_path / "camera.json"
    save_setup(file, Setup("camera 0", view=SHOT.view))
    text = make(json.loads(file.read_text()))
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(SetupError, match="is not a camera setup; make a new one"):
        load_setup(file)


def test_files_that_are_not_there_or_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="set the camera up with 'referee-table camera'"):
        load_setup(tmp_path / "none.json")
    with pytest.raises(SetupError, match="cannot be read: Is a directory"):
        load_setup(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(SetupError, match="cannot be written"):
        save_setup(tmp_path / "file" / "camera.json", Setup("c", view=SHOT.view))


def test_it_lies_beside_the_tables_configuration(tmp_path: Path) -> None:
    file = setup_file({"XDG_CONFIG_HOME": str(tmp_path)})
    assert file.name == "camera.json"
    assert file.parent.name == "referee-table"
