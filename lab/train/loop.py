"""The training loop."""

import csv
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from lab.train.sample_pool import SamplePool

Loss = Callable[[Any, Tensor, Sequence[Tensor]], tuple[Tensor, Mapping[str, float]]]
"""Takes a network, pictures and the truth; returns the loss and figures to log."""


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """Training settings.

    Training takes ``minutes``. The learning rate ``rate`` warms up over ``warm`` steps, then falls
    to 0 (cosine). ``first`` samples must be drawn before training begins. ``average`` is the decay
    of the weights' moving average.
    """

    minutes: float = 20.0
    batch: int = 64
    rate: float = 2e-3
    decay: float = 1e-4
    seed: int = 1
    warm: int = 100
    average: float = 0.998
    first: int = 2000


def learn(
    network: nn.Module, pool: SamplePool, loss: Loss, settings: TrainingSettings, curve: Path
) -> dict[str, Any]:
    """Train until the time is up, and leave the averaged weights in the network.

    Writes the learning curve as CSV; returns the settings and totals of the run.
    """
    torch.manual_seed(settings.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network.to(device, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), weight_decay=settings.decay)
    averaged = torch.optim.swa_utils.AveragedModel(
        network,
        multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(settings.average),
        use_buffers=True,
    )
    rng = np.random.default_rng(settings.seed)
    pool.wait_for(settings.first)
    began, step = time.monotonic(), 0
    sums: dict[str, float] = {}
    curve.parent.mkdir(parents=True, exist_ok=True)
    with curve.open("w", newline="") as handle:
        table = csv.writer(handle)
        while True:
            share = (time.monotonic() - began) / (settings.minutes * 60)
            if share >= 1:
                break
            rate = settings.rate * min(1, (step + 1) / settings.warm)
            rate *= 0.5 * (1 + math.cos(math.pi * share))
            for group in optimiser.param_groups:
                group["lr"] = rate
            pictures, *truth = pool.batch(settings.batch, rng)
            pictures = pictures.reshape(-1, *pictures.shape[-3:])
            seen = torch.from_numpy(pictures).to(device).permute(0, 3, 1, 2).float() / 255
            seen = seen.contiguous(memory_format=torch.channels_last)
            known = [torch.from_numpy(part).to(device) for part in truth]
            with torch.autocast(device, dtype=torch.bfloat16):
                value, parts = loss(network, seen, known)
            optimiser.zero_grad(set_to_none=True)
            value.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimiser.step()
            averaged.update_parameters(network)
            step += 1
            for name, part in {"loss": float(value.detach()), **parts}.items():
                sums[name] = sums.get(name, 0.0) + part
            if step % 100 == 0:
                means = {name: total / 100 for name, total in sums.items()}
                if step == 100:
                    table.writerow(["step", "seconds", "drawn", *means])
                seconds = round(time.monotonic() - began)
                table.writerow([step, seconds, pool.drawn, *(f"{m:.4f}" for m in means.values())])
                handle.flush()
                figures = ", ".join(f"{name} {mean:.3f}" for name, mean in means.items())
                sys.stderr.write(f"{seconds:>5} s  step {step}  drawn {pool.drawn}  {figures}\n")
                sums = {}
    network.load_state_dict(averaged.module.state_dict())
    return {
        **asdict(settings),
        "steps": step,
        "drawn": pool.drawn,
        "seconds": round(time.monotonic() - began),
        "device": device,
    }
