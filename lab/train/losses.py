"""What is wrong with an answer: of the locator and of the readers."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from hardware.camera.decks import COLOURS, ICONS, SYMBOLS

HEATS = 2
OUTLINE = 2.0
"""How much an outline's error weighs against the heat's."""


def locator_loss(
    network: nn.Module, pictures: Tensor, truth: Sequence[Tensor]
) -> tuple[Tensor, Mapping[str, float]]:
    """Heat by focal loss, outlines by their distance where there is a card.

    Args:
        network: Answers with n x (2 + 8) x h x w.
        pictures: n x 3 x 8 h x 8 w, 0 to 1.
        truth: heat (n x 2 x h x w, 0 to 1), outlines (n x 8 x h x w), and how much each cell's
            outline counts (n x h x w).
    """
    answer = network(pictures).float()
    heat, outline, weight = (part.float() for part in truth)
    logits = answer[:, :HEATS]
    chance = torch.sigmoid(logits).clamp(1e-5, 1 - 1e-5)
    peak = heat >= 0.99
    hit = -torch.log(chance) * (1 - chance) ** 2 * peak
    miss = -torch.log(1 - chance) * chance**2 * (1 - heat) ** 4 * ~peak
    count = peak.sum().clamp(min=1)
    of_heat = (hit.sum() + miss.sum()) / count
    distance = functional.smooth_l1_loss(answer[:, HEATS:], outline, beta=0.1, reduction="none")
    of_outline = (distance.sum(1) * weight).sum() / weight.sum().clamp(min=1)
    value = of_heat + OUTLINE * of_outline
    return value, {"heat": float(of_heat.detach()), "outline": float(of_outline.detach())}


def reader_loss(
    network: nn.Module, crops: Tensor, truth: Sequence[Tensor]
) -> tuple[Tensor, Mapping[str, float]]:
    """Cross entropy of each part; a crop that holds no face has only to say so.

    Args:
        network: Answers with n x (5 + 23 + 5 + 1).
        crops: n x 3 x height x width, 0 to 1.
        truth: n x 4: colour, symbol, icon, and 1 for a face.
    """
    answer = network(crops).float()
    (classes,) = truth
    face = classes[:, 3].float()
    parts = torch.split(answer, [len(COLOURS), len(SYMBOLS), len(ICONS), 1], dim=1)
    count = face.sum().clamp(min=1)
    losses = [
        (functional.cross_entropy(part, classes[:, i].long(), reduction="none") * face).sum()
        / count
        for i, part in enumerate(parts[:3])
    ]
    said = functional.binary_cross_entropy_with_logits(parts[3][:, 0], face)
    right = torch.stack([part.argmax(1) == classes[:, i] for i, part in enumerate(parts[:3])])
    exact = (right.all(0).float() * face).sum() / count
    return sum(losses[1:], losses[0]) + said, {"face": float(said.detach()), "exact": float(exact)}
