"""Weights back from a network's file, to learn on where only what was committed is at hand.

In the file each normalisation has gone into the convolution before it. It is taken apart again so
that the network answers as the file does, and the layers are in the range that learning wants.
"""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

Weights = tuple[npt.NDArray[Any], npt.NDArray[Any] | None]


class OnnxError(Exception):
    """The file is of another network."""


def load_onnx(network: nn.Module, path: Path, pictures: Tensor) -> None:
    """Take over the weights of a file that ``save`` wrote. Raises ResumeError.

    Args:
        network: Of the same kind.
        path: The file.
        pictures: As the network sees them, n x 3 x h x w: by these the normalisations are set.
    """
    stored = _stored(path)
    network.eval()
    layers, norms = _run(network, pictures[:1])
    if len(layers) != len(stored):
        raise OnnxError(f"{path} has {len(stored)} layers, the network {len(layers)}")
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers, stored, strict=True):
            if tuple(layer.weight.shape) != weight.shape:
                raise OnnxError(f"{path} is of another network: a layer is {weight.shape}")
            layer.weight.copy_(torch.from_numpy(weight.astype(np.float32)))
            there = np.zeros(len(weight), np.float32) if bias is None else bias
            held = norms.get(layer, layer).bias
            held.copy_(torch.from_numpy(there.astype(np.float32)))
        for norm in norms.values():
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
            norm.weight.fill_(1)
        _normalise(network, list(norms.values()), pictures)


def _stored(path: Path) -> list[Weights]:
    """Weights and biases of the layers in the order in which they are gone through."""
    graph = onnx.load(path).graph
    numbers = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in numbers:
            numbers[node.output[0]] = numbers[node.input[0]]
    found = []
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            bias = numbers[node.input[2]] if len(node.input) > 2 else None
            found.append((numbers[node.input[1]], bias))
    return found


def _run(network: nn.Module, pictures: Tensor) -> tuple[list[Any], dict[Any, Any]]:
    """The layers in the order in which they are gone through; what normalises them."""
    order: list[Any] = []
    kinds = (nn.Conv2d, nn.Linear, nn.BatchNorm2d)
    hooks = [
        one.register_forward_hook(lambda module, *_: order.append(module))
        for one in network.modules()
        if isinstance(one, kinds)
    ]
    with torch.no_grad():
        network(pictures)
    for hook in hooks:
        hook.remove()
    layers = [one for one in order if not isinstance(one, nn.BatchNorm2d)]
    return layers, {a: b for a, b in pairwise(order) if isinstance(b, nn.BatchNorm2d)}


def _normalise(network: nn.Module, norms: list[Any], pictures: Tensor) -> None:
    """Let each normalise what comes to it, and undo that, so that the answers stay the same."""
    seen: dict[Any, tuple[Tensor, Tensor]] = {}

    def look(module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        (x,) = inputs
        seen[module] = x.mean((0, 2, 3)), x.var((0, 2, 3))

    hooks = [norm.register_forward_pre_hook(look) for norm in norms]
    network(pictures)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        mean, variance = seen[norm]
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.bias.add_(mean)
