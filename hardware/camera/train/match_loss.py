"""What is wrong with the matcher's answer."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from hardware.camera.train.match_networks import Matcher

STRANGE = 3
"""Faces of other families that a view is compared with: those that look most like it."""
NEVER = -1e4


def matching(
    network: Matcher, crops: Tensor, truth: Sequence[Tensor]
) -> tuple[Tensor, Mapping[str, float]]:
    """Each second view has to find its first among its family, and none once that is taken out.

    That none of the faces is seen has the logit 0. The plain product of descriptions, by which
    faces are chosen to be compared, has to find the first among all others too.

    Args:
        network: Both of the matcher's networks.
        crops: families x 2 x faces in the first axis: of each family all first views, then all
            second views; x 3 x 144 x 96, 0 to 1.
        truth: Which face each is, families x faces; one may be there several times.
    """
    ids = truth[0]
    families, faces = ids.shape
    described = network(crops)
    described = described.view(families, 2, faces, *described.shape[1:])
    enrolled, seen = (described[:, k].flatten(0, 1) for k in (0, 1))
    ids = ids.reshape(-1)
    count = len(ids)
    own = torch.arange(count, device=ids.device)
    same = ids[:, None] == ids[None]
    others = same & (own[:, None] != own[None])
    flat = [
        part.flatten(1) / part.shape[2] ** 0.5 / part.shape[3] ** 0.5 for part in (seen, enrolled)
    ]
    plain = (flat[0] @ flat[1].T).float() * network.strength
    chosen = functional.cross_entropy(plain.masked_fill(others, NEVER), own)
    family = own // faces
    near = family[:, None] * faces + torch.arange(faces, device=ids.device)[None]
    far = plain.detach().masked_fill(same | (family[:, None] == family[None]), NEVER)
    among = torch.cat([near, far.topk(STRANGE, 1).indices], 1)
    logits = network.comparer(
        enrolled[among.reshape(-1)], seen.repeat_interleave(among.shape[1], 0)
    )
    logits = logits.float().view(count, -1)
    logits = logits.masked_fill(others.gather(1, among), NEVER)
    known = torch.cat([logits, torch.zeros_like(logits[:, :1])], 1)
    mine = own % faces
    strange = known.scatter(1, mine[:, None], NEVER)
    found = functional.cross_entropy(known, mine)
    missed = functional.cross_entropy(strange, torch.full_like(own, known.shape[1] - 1))
    parts = {
        "plain": float(chosen.detach()),
        "missed": float(missed.detach()),
        "exact": float((known.argmax(1) == mine).float().mean()),
        "believed": float((strange.argmax(1) < known.shape[1] - 1).float().mean()),
    }
    return found + 0.5 * missed + 0.2 * chosen, parts
