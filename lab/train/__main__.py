"""``python -m lab.train locator|reader|corners|matcher --out DIR``: draw, learn."""

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
    COMPARES,
    DESCRIBES,
    ENROLLED,
    PLACE,
    PLACES,
    SEEN,
    TELLING,
)
from lab.train.export import save_onnx
from lab.train.loop import Loss, Settings, learn
from lab.train.losses import locator_loss, reader_loss
from lab.train.match_loss import matcher_loss
from lab.train.match_networks import MatcherNetwork
from lab.train.match_samples import MatcherSamples
from lab.train.networks import LocatorNetwork, ReaderNetwork
from lab.train.resume import load_onnx
from lab.train.sample_pool import MakeSampler, SamplePool, filled_pool
from lab.train.samples import CornerSamples, LocatorSamples, ReaderSamples

PICTURE = "picture"
TO_RESUME = 64
"""By so many pictures a network that is read from its file is normalised anew."""
Save = Callable[[Any, Path], None]


def saved(name: str, shape: tuple[int, ...], *, any_size: bool = False) -> Save:
    """Saves a network under its name, for pictures of a shape."""

    def save_one(network: Any, folder: Path) -> None:
        save_onnx(network, {PICTURE: shape}, folder / f"{name}.onnx", any_size=any_size)

    return save_one


def saved_matcher(network: Any, folder: Path) -> None:
    """Saves each of the matcher's networks by itself."""
    save_onnx(network.describer, {PICTURE: (1, 3, 144, 96)}, folder / DESCRIBES)
    shape = (1, PLACE, *PLACES)
    compared = {ENROLLED: shape, SEEN: shape, TELLING: (1, 1, *PLACES)}
    save_onnx(network.comparer, compared, folder / COMPARES)


# network, its loss, what it learns from, how it is saved
Recipe = tuple[Callable[[], nn.Module], Loss, MakeSampler, Save]
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
    """The command."""
    parser = argparse.ArgumentParser("python -m lab.train", description=__doc__)
    parser.add_argument("network", choices=RECIPES)
    parser.add_argument("--out", type=Path, required=True, help="where the ONNX and its curve go")
    parser.add_argument("--minutes", type=float, default=25.0, help="(%(default)s)")
    parser.add_argument("--batch", type=int, default=48, help="(%(default)s)")
    parser.add_argument("--rate", type=float, default=2e-3, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--pool", type=int, default=8000, help="samples at hand (%(default)s)")
    parser.add_argument("--first", type=int, default=2000, help="… before it begins (%(default)s)")
    parser.add_argument("--workers", type=int, default=1, help="who draws (%(default)s)")
    parser.add_argument(
        "--start",
        type=Path,
        metavar="FILE",
        help="weights to go on from: a .pt, those that fit, or the .onnx of a network of one file",
    )
    parser.add_argument(
        "--mean",
        type=Path,
        metavar="FILE",
        help="weights to average those learnt with, most often those gone on from",
    )
    args = parser.parse_args(argv)
    make, loss, draw, save_all = RECIPES[args.network]
    settings = Settings(args.minutes, args.batch, args.rate, seed=args.seed, first=args.first)
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
    # The weights as they were learnt come to lie beside it, to go on learning from.
    torch.save(network.state_dict(), args.out / f"{args.network}.pt")
    save_all(network, args.out)
    (args.out / f"{args.network}.json").write_text(json.dumps(done, indent=1) + "\n")
    return 0


def stored_weights(network: nn.Module, file: Path, pool: SamplePool, seed: int) -> dict[str, Any]:
    """What a file holds: a .pt, or the .onnx of a network like this one. Raises ResumeError."""
    if file.suffix != ".onnx":
        return dict(torch.load(file, weights_only=True))
    pool.wait_for(TO_RESUME)
    pictures, *_ = pool.batch(TO_RESUME, np.random.default_rng(seed))
    load_onnx(network, file, torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255)
    return network.state_dict()


def begin_with(network: nn.Module, weights: dict[str, Any]) -> None:
    """Take over the weights that the network has as well; the matcher takes the reader's body."""
    own = network.state_dict()
    if isinstance(network, MatcherNetwork) and "body.0.0.weight" in weights:
        weights = {f"describer.{name}": part for name, part in weights.items()}
    fit = {k: v for k, v in weights.items() if k in own and own[k].shape == v.shape}
    network.load_state_dict({**own, **fit})


def mean(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """The middle of two sets of weights, of which one was learnt on from the other.

    It is surer of less that is wrong than either; what only counts stays as in the first.
    """
    return {
        name: (part + other[name]) / 2 if part.is_floating_point() else part
        for name, part in one.items()
    }


if __name__ == "__main__":
    sys.exit(main())
