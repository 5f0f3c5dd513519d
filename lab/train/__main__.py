"""``python -m lab.train locator|reader|corners|matcher --out DIR``: train a network."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from hardware.camera.enrol.matcher import (
    COMPARER,
    DESCRIBER,
    DISTINCTIVENESS,
    ENROLLED,
    PLACE,
    PLACES,
    SEEN,
)
from lab.train.loop import Loss, TrainingSettings, learn
from lab.train.losses import locator_loss, matcher_loss, reader_loss
from lab.train.networks import LocatorNetwork, MatcherNetwork, ReaderNetwork
from lab.train.onnx_file import load_onnx, save_onnx
from lab.train.sample_pool import MakeSampler, SamplePool, filled_pool
from lab.train.samples import CornerSamples, LocatorSamples, MatcherSamples, ReaderSamples

PICTURE = "picture"
NORMALISED_BY = 64
"""Samples to recompute batch normalisations from, for weights read from ONNX."""
Save = Callable[[Any, Path], None]


def saved(name: str, shape: tuple[int, ...], *, any_size: bool = False) -> Save:
    """Return a function that saves a network under a name, for inputs of a shape."""

    def save_one(network: Any, folder: Path) -> None:
        save_onnx(network, {PICTURE: shape}, folder / f"{name}.onnx", any_size=any_size)

    return save_one


def saved_matcher(network: Any, folder: Path) -> None:
    """Save describer and comparer to files of their own."""
    save_onnx(network.describer, {PICTURE: (1, 3, 144, 96)}, folder / DESCRIBER)
    shape = (1, PLACE, *PLACES)
    compared = {ENROLLED: shape, SEEN: shape, DISTINCTIVENESS: (1, 1, *PLACES)}
    save_onnx(network.comparer, compared, folder / COMPARER)


Recipe = tuple[Callable[[], nn.Module], Loss, MakeSampler, Save]
"""Network, loss, samples, and how to save it."""
RECIPES: dict[str, Recipe] = {
    "locator": (
        LocatorNetwork,
        locator_loss,
        LocatorSamples,
        saved("locator", (1, 3, 256, 256), any_size=True),
    ),
    "reader": (
        partial(ReaderNetwork, 144, 96),
        reader_loss,
        ReaderSamples,
        saved("reader", (1, 3, 144, 96)),
    ),
    "corners": (
        partial(ReaderNetwork, 64, 64),
        reader_loss,
        CornerSamples,
        saved("corners", (1, 3, 64, 64)),
    ),
    "matcher": (MatcherNetwork, matcher_loss, MatcherSamples, saved_matcher),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser("python -m lab.train", description=__doc__)
    parser.add_argument("network", choices=RECIPES)
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for the ONNX file and the curve"
    )
    parser.add_argument("--minutes", type=float, default=25.0, help="(%(default)s)")
    parser.add_argument("--batch", type=int, default=48, help="(%(default)s)")
    parser.add_argument("--rate", type=float, default=2e-3, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--pool", type=int, default=8000, help="samples in the pool (%(default)s)")
    parser.add_argument(
        "--first", type=int, default=2000, help="samples drawn before training (%(default)s)"
    )
    parser.add_argument("--workers", type=int, default=1, help="processes that draw (%(default)s)")
    parser.add_argument(
        "--start",
        type=Path,
        metavar="FILE",
        help="initial weights: a .pt (those that fit) or the .onnx of the same network",
    )
    parser.add_argument(
        "--mean",
        type=Path,
        metavar="FILE",
        help="weights to average the trained ones with, usually those of --start",
    )
    args = parser.parse_args(argv)
    make, loss, draw, save_all = RECIPES[args.network]
    settings = TrainingSettings(
        args.minutes, args.batch, args.rate, seed=args.seed, first=args.first
    )
    network = make()
    args.out.mkdir(parents=True, exist_ok=True)
    with filled_pool(draw, args.seed, args.pool, args.workers) as pool:
        stored = [file for file in (args.start, args.mean) if file]
        weights = {file: stored_weights(make(), file, pool, args.seed) for file in stored}
        if args.start:
            begin_with(network, weights[args.start])
        done: dict[str, Any] = learn(
            network, pool, loss, settings, args.out / f"{args.network}-curve.csv"
        )
    done["parameters"] = sum(part.numel() for part in network.parameters())
    if args.mean:
        network.load_state_dict(mean(network.state_dict(), weights[args.mean]))
    # Full-precision weights, to continue training from.
    torch.save(network.state_dict(), args.out / f"{args.network}.pt")
    save_all(network, args.out)
    (args.out / f"{args.network}.json").write_text(json.dumps(done, indent=1) + "\n")
    return 0


def stored_weights(network: nn.Module, file: Path, pool: SamplePool, seed: int) -> dict[str, Any]:
    """Return the weights of a .pt, or of the .onnx of such a network. Raises OnnxError."""
    if file.suffix != ".onnx":
        return dict(torch.load(file, weights_only=True))
    pool.wait_for(NORMALISED_BY)
    pictures, *_ = pool.batch(NORMALISED_BY, np.random.default_rng(seed))
    load_onnx(network, file, torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255)
    return network.state_dict()


def begin_with(network: nn.Module, weights: dict[str, Any]) -> None:
    """Copy the weights that fit; the matcher takes the body of a reader."""
    own = network.state_dict()
    if isinstance(network, MatcherNetwork) and "body.0.0.weight" in weights:
        weights = {f"describer.{name}": part for name, part in weights.items()}
    fit = {k: v for k, v in weights.items() if k in own and own[k].shape == v.shape}
    network.load_state_dict({**own, **fit})


def mean(first: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the mean of two sets of weights, one trained on from the other.

    The mean is less often confidently wrong than either. Integer buffers come from the first.
    """
    return {
        name: (part + other[name]) / 2 if part.is_floating_point() else part
        for name, part in first.items()
    }


if __name__ == "__main__":
    sys.exit(main())
