"""Pictures drawn in other processes while this one learns."""

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
# Draws one sample, by lot: arrays of the same shapes every time; and makes such, from a seed.
Sampler = Callable[[np.random.Generator], Sequence[Array]]
MakeSampler = Callable[[int], Sampler]
AT_ONCE = 32


class SamplePool:
    """Samples to learn from: each new one takes the place of the oldest.

    Drawing a picture takes longer than learning from it, so that each is learnt from several times
    before it goes.
    """

    def __init__(self, size: int, like: Sequence[Array]) -> None:
        self._arrays = [np.zeros((size, *array.shape), array.dtype) for array in like]
        self._size = size
        self._lock = threading.Lock()
        self._full = threading.Condition(self._lock)
        self.drawn = 0

    def put(self, samples: Sequence[Array]) -> None:
        """Take in as many samples as there are in the first axis."""
        count = len(samples[0])
        with self._lock:
            places = np.arange(self.drawn, self.drawn + count) % self._size
            for mine, new in zip(self._arrays, samples, strict=True):
                mine[places] = new
            self.drawn += count
            self._full.notify_all()

    def wait_for(self, count: int) -> None:
        """Wait until so many have been drawn."""
        with self._full:
            self._full.wait_for(lambda: self.drawn >= min(count, self._size))

    def batch(self, count: int, rng: np.random.Generator) -> list[Array]:
        """Some samples, any of them."""
        with self._lock:
            places = rng.integers(0, min(self.drawn, self._size), count)
            return [array[places] for array in self._arrays]


@contextmanager
def filled_pool(make: MakeSampler, seed: int, size: int, workers: int) -> Iterator[SamplePool]:
    """A pool that fills by itself, from ``workers`` processes, for as long as it is open."""
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
    # Learning comes first: what is drawn meanwhile is learnt from more than once.
    os.nice(5)
    cv2.setNumThreads(1)
    draw = make(seed)
    rng = np.random.default_rng(seed)
    while True:
        samples = [draw(rng) for _ in range(AT_ONCE)]
        queue.put([np.stack(arrays) for arrays in zip(*samples, strict=True)])
