"""What is wrong with the matcher's answer."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from hardware.camera.enrol.telling import NEAREST, SHARPNESS
from lab.train.match_networks import MatcherNetwork, shifted
from lab.train.match_samples import FACES

OTHERS = 3
"""Faces of other families that a view is compared with: those that look most like it."""
NEVER = -1e4


def matcher_loss(
    network: MatcherNetwork, crops: Tensor, truth: Sequence[Tensor]
) -> tuple[Tensor, Mapping[str, float]]:
    """Each later view has to find its face among its family, or none if that was never enrolled.

    That none of the faces is seen has the logit 0. The plain product of descriptions, by which
    faces are chosen to be compared, has to find the face among all others too.

    Args:
        network: Both of the matcher's networks.
        crops: All families' crops in the first axis, of each ``FACES`` enrolled faces, then all
            faces as they are seen later; x 3 x 144 x 96, 0 to 1.
        truth: Which face each of the latter is, families x faces; the first ``FACES`` of them are
            enrolled; one may be there several times.
    """
    ids = truth[0]
    families, faces = ids.shape
    described = network(crops)
    described = described.view(families, FACES + faces, *described.shape[1:])
    enrolled, seen = described[:, :FACES].flatten(0, 1), described[:, FACES:].flatten(0, 1)
    have, shown = ids[:, :FACES].reshape(-1), ids.reshape(-1)
    own = torch.arange(len(shown), device=ids.device)
    family, place = own // faces, own % faces
    known = place < FACES
    mine = family * FACES + place.clamp(max=FACES - 1)
    same = shown[:, None] == have[None]
    beside = same.scatter(1, mine[:, None], value=False)
    plain = product(seen, enrolled) * network.strength
    chosen = functional.cross_entropy(plain.masked_fill(beside, NEVER)[known], mine[known])
    near = family[:, None] * FACES + torch.arange(FACES, device=ids.device)[None]
    elsewhere = same | (family[:, None] == (torch.arange(len(have), device=ids.device) // FACES))
    far = plain.detach().masked_fill(elsewhere, NEVER).topk(OTHERS, 1).indices
    among = torch.cat([near, far], 1)
    tells = telling(enrolled, have)
    logits = network.comparer(
        enrolled[among.reshape(-1)],
        seen.repeat_interleave(among.shape[1], 0),
        tells[among.reshape(-1)],
    )
    logits = logits.float().view(len(shown), -1)
    logits = logits.masked_fill(beside.gather(1, among) & known[:, None], NEVER)
    answers = torch.cat([logits, torch.zeros_like(logits[:, :1])], 1)
    none = answers.shape[1] - 1
    right = torch.where(known, place, none)
    found = functional.cross_entropy(answers, right)
    said = answers.argmax(1)
    parts = {
        "plain": float(chosen.detach()),
        "exact": float((said == right)[known].float().mean()),
        "believed": float((said != none)[~known].float().mean()),
    }
    return found + 0.2 * chosen, parts


def product(one: Tensor, other: Tensor) -> Tensor:
    """How alike descriptions are without any search, at most 1."""
    places = one.shape[2] * one.shape[3]
    return (one.flatten(1) @ other.flatten(1).T).float() / places


def telling(looks: Tensor, cards: Tensor) -> Tensor:
    """As ``enrol.telling.telling``, looks x 1 x 18 x 12; nothing is learnt through it."""
    looks = looks.detach()
    plain = product(looks, looks).masked_fill(cards[:, None] == cards[None], NEVER)
    best, near = plain.topk(NEAREST, 1)
    weights = torch.softmax(SHARPNESS * best, 1)
    count = len(looks)
    pairs = shifted(looks.repeat_interleave(NEAREST, 0), looks[near.reshape(-1)])
    differ = (1 - pairs.amax(1)).view(count, NEAREST, *looks.shape[2:])
    told: Tensor = (weights[:, :, None, None] * differ).sum(1, keepdim=True)
    return told
