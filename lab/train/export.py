"""A network as a file that OpenCV reads."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

LARGE = 64
"""Weights of fewer numbers than this are left as they are."""


def save_onnx(
    network: nn.Module, inputs: Mapping[str, tuple[int, ...]], path: Path, *, any_size: bool = False
) -> None:
    """The network as ONNX, for inputs of these names and shapes; more of them at once as well."""
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
    """Store the weights as half floats, which halves the file; they are floats again once read."""
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
