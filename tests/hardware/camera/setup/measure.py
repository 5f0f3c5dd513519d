"""Accuracy and speed of finding the mat: ``python -m tests.hardware.camera.setup.measure``.

Every view is drawn, so where the mat is in it is known. Errors are those of the discard pile's
corners, in pixels of a picture 1280 x 720; times are on one core.
"""

import argparse
import sys
import time
from collections.abc import Sequence

import cv2
import numpy as np

from hardware.camera.setup.conditions import measure
from hardware.camera.setup.find import MatFinder
from hardware.camera.setup.follow_scene import SceneFollower, extract_scene
from tests.hardware.camera.setup.scenes import Shot

PAPERS = ("a4", "a3", "letter")
GROUPS = {
    "sharp": {"blur": (0.3, 0.8), "noise": (1.0, 4.0), "light": (0.7, 1.2)},
    "noisy": {"blur": (0.3, 0.8), "noise": (8.0, 16.0), "light": (0.3, 1.0)},
    "blurred": {"blur": (1.5, 3.0), "noise": (1.0, 4.0), "light": (0.7, 1.2)},
    "dark": {"blur": (0.3, 1.2), "noise": (4.0, 8.0), "light": (0.05, 0.2)},
}


def views(count: int, seed: int) -> list[tuple[str, Shot]]:
    """Views from all around, tilted by up to 60 degrees, some with hands and cards on the mat."""
    random = np.random.default_rng(seed)
    found: list[tuple[str, Shot]] = []
    while len(found) < count:
        name = list(GROUPS)[len(found) % len(GROUPS)]
        quality = {key: float(random.uniform(*range_)) for key, range_ in GROUPS[name].items()}
        paper = PAPERS[int(random.integers(len(PAPERS)))]
        least = 640.0 if paper == "a3" else 460.0
        shot = Shot(
            paper=paper,
            tilt=float(random.uniform(0, 60)),
            around=float(random.uniform(0, 360)),
            turn=float(random.uniform(0, 360)),
            distance=float(random.uniform(least, 2 * least)),
            cards=int(random.integers(0, 8)),
            hands=[tuple(random.uniform(30, 250, 2))] if random.random() < 0.4 else [],
            seed=len(found),
            table=int(random.integers(1, 5)),
            **quality,
        )
        if shot.view.contains(shot.view.mat.places["discard"]):
            found.append((name, shot))
    return found


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--views", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    finder = MatFinder()
    errors: dict[str, list[float]] = {name: [] for name in GROUPS}
    missed = dict.fromkeys(GROUPS, 0)
    times: dict[str, list[float]] = {"search": [], "conditions": [], "features": []}
    for name, shot in views(args.views, args.seed):
        picture = shot.take()
        began = time.perf_counter()
        quick = finder.find(picture)
        times["search"].append(time.perf_counter() - began)
        sighting = quick if quick.view is not None else finder.find(picture, thorough=True)
        if sighting.view is None:
            missed[name] += 1
            continue
        pile = sighting.view.place("discard")
        away = np.linalg.norm(pile - shot.view.place("discard"), axis=1)
        errors[name].append(float(away.max()))
        began = time.perf_counter()
        measure(picture, sighting, sighting.view, pile)
        times["conditions"].append(time.perf_counter() - began)
        follower = SceneFollower(extract_scene(picture, pile))
        began = time.perf_counter()
        follower.update(picture, 0.0)
        times["features"].append(time.perf_counter() - began)
    lines = [f"{'views':10}{'number':>8}{'found':>8}{'median px':>11}{'p95 px':>9}{'worst px':>10}"]
    for name, values in errors.items():
        total = len(values) + missed[name]
        share = 100 * len(values) / max(total, 1)
        middle, high, worst = np.percentile(values or [np.nan], [50, 95, 100])
        lines.append(f"{name:10}{total:8}{share:7.1f}%{middle:11.2f}{high:9.2f}{worst:10.2f}")
    for name, seconds in times.items():
        middle, high = 1000 * np.percentile(seconds, [50, 95])
        lines.append(f"{name}: {middle:.1f} ms a picture, p95 {high:.1f} ms")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
