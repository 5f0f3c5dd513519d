"""Loss functions of the locator, the readers and the matcher."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from hardware.camera.decks import COLOURS, ICONS, SYMBOLS
from hardware.camera.enrol.gallery import RIVAL_SHARPNESS, RIVALS
from lab.train.networks import HEATS, MatcherNetwork, shifted
from lab.train.samples import FACES

OUTLINE = 2.0
"""Weight of the outline loss against the heat loss."""


def locator_loss(
    network: nn.Module, pictures: Tensor, truth: Sequence[Tensor]
) -> tuple[Tensor, Mapping[str, float]]:
    """Focal loss of the heat plus smooth L1 loss of the outlines where there is a card.

    The network turns pictures (n x 3 x 8 h x 8 w, 0 to 1) into n x (2 + 8) x h x w. The truth is
    heat (n x 2 x h x w, 0 to 1), outlines (n x 8 x h x w), and the weight of each cell's outline (n
    x h x w).
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
    """Cross entropy of each head; crops without a face only count for the face head.

    The network turns crops (n x 3 x height x width, 0 to 1) into n x (5 + 23 + 5 + 1). The truth is
    n x 4: colour, symbol, icon, and 1 for a face.
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
    face_loss = functional.binary_cross_entropy_with_logits(parts[3][:, 0], face)
    right = torch.stack([part.argmax(1) == classes[:, i] for i, part in enumerate(parts[:3])])
    exact = (right.all(0).float() * face).sum() / count
    return sum(losses[1:], losses[0]) + face_loss, {
        "face": float(face_loss.detach()),
        "exact": float(exact),
    }


OTHERS = 3
"""Similar faces of other families that each view is compared with."""
NEVER = -1e4


def matcher_loss(
    network: MatcherNetwork, crops: Tensor, truth: Sequence[Tensor]
) -> tuple[Tensor, Mapping[str, float]]:
    """Each view must find its face in its family, or none if the face was never enrolled.

    "None" has the logit 0. The plain product of descriptions, which preselects the faces to
    compare, must also find the face among all others.

    Args:
        network: Both of the matcher's networks.
        crops: Of each family ``FACES`` enrolment crops, then all faces as seen later; n x 3 x 144
            x 96, 0 to 1.
        truth: Ids of the faces seen later, families x faces. The first ``FACES`` are enrolled; an
            id may occur several times.
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
    loss = functional.cross_entropy(answers, right)
    answer = answers.argmax(1)
    parts = {
        "plain": float(chosen.detach()),
        "exact": float((answer == right)[known].float().mean()),
        "believed": float((answer != none)[~known].float().mean()),
    }
    return loss + 0.2 * chosen, parts


def product(left: Tensor, other: Tensor) -> Tensor:
    """Return the similarity of descriptions without any search, at most 1."""
    places = left.shape[2] * left.shape[3]
    return (left.flatten(1) @ other.flatten(1).T).float() / places


def telling(looks: Tensor, cards: Tensor) -> Tensor:
    """Same as ``enrol.telling.telling``, without gradients: looks x 1 x 18 x 12."""
    looks = looks.detach()
    plain = product(looks, looks).masked_fill(cards[:, None] == cards[None], NEVER)
    best, near = plain.topk(RIVALS, 1)
    weights = torch.softmax(RIVAL_SHARPNESS * best, 1)
    count = len(looks)
    pairs = shifted(looks.repeat_interleave(RIVALS, 0), looks[near.reshape(-1)])
    differ = (1 - pairs.amax(1)).view(count, RIVALS, *looks.shape[2:])
    weight: Tensor = (weights[:, :, None, None] * differ).sum(1, keepdim=True)
    return weight
