"""Write a network as ONNX for OpenCV, and read its weights back for more training.

In the file each batch normalisation is folded into the convolution before it. Reading takes them
apart again: the network answers as the file does, and its activations are normalised for training.
"""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

LARGE = 64
"""Size up to which weights stay single floats."""


def save_onnx(
    network: nn.Module, inputs: Mapping[str, tuple[int, ...]], path: Path, *, any_size: bool = False
) -> None:
    """Save the network for inputs of these names and shapes, with any batch size."""
    network.to("cpu").eval()
    dims = {0: "n", 2: "h", 3: "w"} if any_size else {0: "n"}
    torch.onnx.export(
        network,
        tuple(torch.zeros(shape) for shape in inputs.values()),
        str(path),
        input_names=[*inputs],
        output_names=["answer"],
        dynamic_axes=dict.fromkeys((*inputs, "answer"), dims),
        dynamo=False,
    )
    halve(path)


def halve(path: Path) -> None:
    """Store the weights as half floats; readers get single floats back."""
    model = onnx.load(path)
    casts = []
    for place, weights in enumerate(model.graph.initializer):
        numbers = numpy_helper.to_array(weights)
        if numbers.dtype == np.float32 and numbers.size > LARGE:
            name = weights.name
            small = numpy_helper.from_array(numbers.astype(np.float16), f"{name}.half")
            model.graph.initializer[place].CopyFrom(small)
            casts.append(helper.make_node("Cast", [small.name], [name], to=TensorProto.FLOAT))
    nodes = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend([*casts, *nodes])
    onnx.save(model, path)


Weights = tuple[npt.NDArray[Any], npt.NDArray[Any] | None]


class OnnxError(Exception):
    """The file holds another network."""


def load_onnx(network: nn.Module, path: Path, pictures: Tensor) -> None:
    """Load the weights that ``save_onnx`` wrote. Raises OnnxError.

    ``pictures`` are inputs, n x 3 x h x w, to recompute the batch normalisations from.
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
    """Return weights and biases of the layers in execution order."""
    graph = onnx.load(path).graph
    numbers = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in numbers:
            numbers[node.output[0]] = numbers[node.input[0]]
    pairs = []
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            bias = numbers[node.input[2]] if len(node.input) > 2 else None
            pairs.append((numbers[node.input[1]], bias))
    return pairs


def _run(network: nn.Module, pictures: Tensor) -> tuple[list[Any], dict[Any, Any]]:
    """Return the layers in execution order, and the normalisation of each."""
    order: list[Any] = []
    kinds = (nn.Conv2d, nn.Linear, nn.BatchNorm2d)
    hooks = [
        layer.register_forward_hook(lambda module, *_: order.append(module))
        for layer in network.modules()
        if isinstance(layer, kinds)
    ]
    with torch.no_grad():
        network(pictures)
    for hook in hooks:
        hook.remove()
    layers = [layer for layer in order if not isinstance(layer, nn.BatchNorm2d)]
    return layers, {a: b for a, b in pairwise(order) if isinstance(b, nn.BatchNorm2d)}


def _normalise(network: nn.Module, norms: list[Any], pictures: Tensor) -> None:
    """Let each layer normalise its input and undo that, so that the output stays the same."""
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
