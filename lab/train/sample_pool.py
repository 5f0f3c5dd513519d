"""Training samples drawn in other processes."""

import multiprocessing as mp
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Sampler = Callable[[np.random.Generator], Sequence[Array]]
"""Draws one sample: arrays of the same shapes every time."""
MakeSampler = Callable[[int], Sampler]
"""Makes a sampler from a seed."""
CHUNK = 32


class SamplePool:
    """A ring buffer of samples.

    Drawing a picture takes longer than a training step, so each sample is used several times.
    """

    def __init__(self, size: int, like: Sequence[Array]) -> None:
        self._arrays = [np.zeros((size, *array.shape), array.dtype) for array in like]
        self._size = size
        self._lock = threading.Lock()
        self._full = threading.Condition(self._lock)
        self.drawn = 0

    def put(self, samples: Sequence[Array]) -> None:
        """Add samples, stacked along the first axis."""
        count = len(samples[0])
        with self._lock:
            places = np.arange(self.drawn, self.drawn + count) % self._size
            for mine, new in zip(self._arrays, samples, strict=True):
                mine[places] = new
            self.drawn += count
            self._full.notify_all()

    def wait_for(self, count: int) -> None:
        """Wait until ``count`` samples have been drawn, or the pool is full."""
        with self._full:
            self._full.wait_for(lambda: self.drawn >= min(count, self._size))

    def batch(self, count: int, rng: np.random.Generator) -> list[Array]:
        """Return ``count`` random samples."""
        with self._lock:
            places = rng.integers(0, min(self.drawn, self._size), count)
            return [array[places] for array in self._arrays]


@contextmanager
def filled_pool(make: MakeSampler, seed: int, size: int, workers: int) -> Iterator[SamplePool]:
    """Yield a pool that ``workers`` processes keep filling."""
    context = mp.get_context("spawn")
    queue: Any = context.Queue(maxsize=4 * workers)
    processes = [
        context.Process(target=_draw, args=(make, seed * 1000 + n, queue), daemon=True)
        for n in range(workers)
    ]
    for process in processes:
        process.start()
    pool = SamplePool(size, make(seed)(np.random.default_rng(seed)))
    stopped = threading.Event()

    def fill() -> None:
        while not stopped.is_set():
            pool.put(queue.get())

    threading.Thread(target=fill, daemon=True).start()
    try:
        yield pool
    finally:
        stopped.set()
        for process in processes:
            process.terminate()


def _draw(make: MakeSampler, seed: int, queue: Any) -> None:
    # Training comes first.
    os.nice(5)
    cv2.setNumThreads(1)
    draw = make(seed)
    rng = np.random.default_rng(seed)
    while True:
        samples = [draw(rng) for _ in range(CHUNK)]
        queue.put([np.stack(arrays) for arrays in zip(*samples, strict=True)])
