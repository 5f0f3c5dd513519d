"""A network loaded from its file answers as the file does, and can be trained further."""

import numpy as np
import pytest

from hardware.camera.reading.locate import Locator
from hardware.camera.reading.recognise import MODELS

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("onnx", reason="onnx is not installed")

FILE = MODELS / "locator.onnx"


def pictures() -> np.ndarray:
    from lab.train.samples import LocatorSamples

    draw, rng = LocatorSamples(5), np.random.default_rng(1)
    drawn = np.stack([draw(rng)[0] for _ in range(16)])
    return drawn.transpose(0, 3, 1, 2).astype(np.float32) / 255


def test_it_answers_as_its_file_does_and_in_learning_as_well() -> None:
    from lab.train.networks import LocatorNetwork as Network
    from lab.train.onnx_file import load_onnx

    seen = pictures()
    network = Network()
    load_onnx(network, FILE, torch.from_numpy(seen))
    net = Locator(FILE)._net((256, 256))
    net.setInput(seen)
    said = net.forward()
    with torch.no_grad():
        again = network.eval()(torch.from_numpy(seen)).numpy()
        learning = network.train()(torch.from_numpy(seen)).numpy()
    assert np.abs(again - said).max() < 1e-3
    assert np.abs(learning - said).max() < 0.1


def test_a_file_of_another_network_is_refused() -> None:
    from lab.train.networks import LocatorNetwork as Network
    from lab.train.onnx_file import OnnxError, load_onnx

    seen = torch.zeros((2, 3, 256, 256))
    with pytest.raises(OnnxError, match="layers"):
        load_onnx(Network(), MODELS / "reader.onnx", seen)
