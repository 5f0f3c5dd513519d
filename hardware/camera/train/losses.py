"""What is wrong with an answer: of the locator and of the reader."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from hardware.camera.draw.cards import COLOURS, ICONS, SYMBOLS
from hardware.camera.enrol.matcher import NONE

HEATS = 2
OUTLINE = 2.0
"""How much an outline's error weighs against the heat's."""


def locating(answer: Tensor, truth: Sequence[Tensor]) -> tuple[Tensor, Mapping[str, float]]:
    """Heat by focal loss, outlines by their distance where there is a card.

    Args:
        answer: n x (2 + 8) x h x w.
        truth: heat (n x 2 x h x w, 0 to 1), outlines (n x 8 x h x w), and how much each cell's
            outline counts (n x h x w).
    """
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


def reading(answer: Tensor, truth: Sequence[Tensor]) -> tuple[Tensor, Mapping[str, float]]:
    """Cross entropy of each part; a crop that holds no face has only to say so.

    Args:
        answer: n x (5 + 23 + 5 + 1).
        truth: n x 4: colour, symbol, icon, and 1 for a face.
    """
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


def matching(answer: Tensor, truth: Sequence[Tensor]) -> tuple[Tensor, Mapping[str, float]]:
    """Each second view has to find its first among all others, and none once that is taken out.

    Args:
        answer: Descriptors, families x 2 x faces in the first axis: of each family
            all first views, then all second views.
        truth: Which face each is, families x faces; one may be there several times.
    """
    ids = truth[0].reshape(-1)
    views = answer.view(-1, 2, truth[0].shape[1], answer.shape[1])
    enrolled, seen = (views[:, k].reshape(-1, answer.shape[1]) for k in (0, 1))
    same = ids[:, None] == ids[None]
    own = torch.arange(len(seen), device=answer.device)
    others = same & (own[:, None] != own[None])
    logits = (seen @ enrolled.T).masked_fill(others, -1e4)
    none = NONE * (enrolled * enrolled).sum(1, keepdim=True)
    known = torch.cat([logits, none], 1)
    strange = known.clone()
    strange[own, own] = -1e4
    found = functional.cross_entropy(known, own)
    missed = functional.cross_entropy(strange, torch.full_like(own, len(own)))
    exact = (known.argmax(1) == own).float().mean()
    parts = {"missed": float(missed.detach()), "exact": float(exact)}
    return found + 0.5 * missed, {**parts, "strength": float(none[0].detach()) / NONE}
