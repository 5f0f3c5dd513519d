"""A network as a file that OpenCV reads."""

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

LARGE = 64
"""Weights of fewer numbers than this are left as they are."""


def save(network: nn.Module, shape: tuple[int, ...], path: Path, *, any_size: bool) -> None:
    """The network as ONNX, for pictures of ``shape`` (n, 3, h, w); more of them at once as well.

    Its weights as they were learnt come to lie beside it, to go on learning from.
    """
    network.to("cpu").eval()
    torch.save(network.state_dict(), path.with_suffix(".pt"))
    dims = {0: "n", 2: "h", 3: "w"} if any_size else {0: "n"}
    torch.onnx.export(
        network,
        (torch.zeros(shape),),
        str(path),
        input_names=["picture"],
        output_names=["answer"],
        dynamic_axes={"picture": dims, "answer": dims},
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
