"""The matcher's two networks: one describes a crop, one compares two descriptions."""

import torch
from torch import Tensor, nn

from hardware.camera.enrol.matcher import PLACE, PLACES, REACH
from lab.train.networks import Block, conv, reading_body

SHIFTS = (2 * REACH + 1) ** 2


class Describer(nn.Module):
    """Crops n x 3 x 144 x 96, 0 to 1 → what is seen where, n x ``PLACE`` x 18 x 12.

    Each place's numbers have the length 1. The body is the reader's, so that it can begin with what
    that learnt. Small signs are told apart by what it sees before it makes its picture coarser.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = reading_body()
        self.detail = conv(48, 48, 2)
        self.fine = conv(80, 48, 1, 1)
        self.coarse = conv(112, 48, 1, 1)
        self.join = nn.Sequential(conv(48, 48), nn.Conv2d(48, PLACE, 1))

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        at4 = self.body[:3](x)
        at8 = self.body[3:5](at4)
        at16 = self.coarse(self.body[5:](at8))
        up = nn.functional.interpolate(at16, scale_factor=2.0)
        seen = self.join(self.detail(at4) + self.fine(at8) + up)
        return seen / (seen * seen).sum(1, keepdim=True).add(1e-6).sqrt()


class Comparer(nn.Module):
    """Two descriptions n x ``PLACE`` x 18 x 12 → how likely they are of one face, a logit each.

    Outlines are a little off, so the second is searched around each place for what the first has
    there; what is then still different is weighed by what is different and where. A sum over all
    places would drown a small icon in a common frame: it is told where the first face differs from
    those that look most like it (n x 1 x 18 x 12, see ``enrol.telling``), and looks there.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(conv(SHIFTS + 2 * PLACE + 1, 48, 1, 1), conv(48, 32))
        self.wide = nn.Sequential(conv(32, 64, 2), Block(64))
        cells = (PLACES[0] // 2) * (PLACES[1] // 2)
        self.last = nn.Sequential(
            conv(64, 16, 1, 1), nn.Flatten(), nn.Linear(16 * cells, 64), nn.ReLU(inplace=True)
        )
        self.most = nn.Sequential(
            nn.Linear(64 + 64 + 2, 48), nn.ReLU(inplace=True), nn.Linear(48, 1)
        )
        self.sharp = nn.Parameter(torch.tensor(8.0))

    def forward(self, enrolled: Tensor, seen: Tensor, telling: Tensor) -> Tensor:
        """See the class."""
        alike = shifted(enrolled, seen)
        weights = torch.softmax(alike * self.sharp, 1)
        found = sum(
            (weights[:, k : k + 1] * one for k, one in enumerate(around(seen))),
            torch.zeros_like(seen),
        )
        apart = (enrolled - found).abs()
        at16 = self.wide(self.fine(torch.cat([alike, apart, enrolled, telling], 1)))
        most = nn.functional.max_pool2d(at16, (PLACES[0] // 2, PLACES[1] // 2)).flatten(1)
        differ = 1 - alike.amax(1, keepdim=True)
        told = [
            (differ * one).sum((1, 2, 3)) / (one.sum((1, 2, 3)) + 1e-3)
            for one in (telling, torch.ones_like(telling))
        ]
        return self.most(torch.cat([self.last(at16), most, torch.stack(told, 1)], 1))[:, 0]


def around(seen: Tensor) -> list[Tensor]:
    """Descriptions as they are, moved by up to ``REACH`` places each way."""
    high, wide = PLACES
    padded = nn.functional.pad(seen, (REACH, REACH, REACH, REACH))
    return [
        padded[:, :, down : down + high, across : across + wide]
        for down in range(2 * REACH + 1)
        for across in range(2 * REACH + 1)
    ]


def shifted(enrolled: Tensor, seen: Tensor) -> Tensor:
    """How alike they are at each place, n x ``SHIFTS`` x 18 x 12: one for each way to move."""
    return torch.cat([(enrolled * one).sum(1, keepdim=True) for one in around(seen)], 1)


class MatcherNetwork(nn.Module):
    """Both; what is saved is each by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.describer = Describer()
        self.comparer = Comparer()
        nn.init.zeros_(self.describer.detail[1].weight)
        self.strength = nn.Parameter(torch.tensor(20.0))

    def forward(self, x: Tensor) -> Tensor:
        """Descriptions of crops."""
        return self.describer(x)
