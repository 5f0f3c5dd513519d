"""The matcher's two networks: one describes a crop, one compares two descriptions."""

import torch
from torch import Tensor, nn

from hardware.camera.enrol.matcher import PLACE, PLACES
from hardware.camera.train.networks import Block, conv, reading_body

REACH = 1
"""So many places away the second description is searched for what the first has at a place."""
SHIFTS = (2 * REACH + 1) ** 2


class Describer(nn.Module):
    """Crops n x 3 x 144 x 96, 0 to 1 → what is seen where, n x ``PLACE`` x 18 x 12.

    Each place's numbers have the length 1. The body is the reader's, so that it can begin with what
    that learnt.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = reading_body()
        self.fine = conv(80, 48, 1, 1)
        self.coarse = conv(112, 48, 1, 1)
        self.join = nn.Sequential(conv(48, 48), nn.Conv2d(48, PLACE, 1))

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        at8 = self.body[:5](x)
        at16 = self.coarse(self.body[5:](at8))
        up = nn.functional.interpolate(at16, scale_factor=2.0)
        seen = self.join(self.fine(at8) + up)
        return seen / (seen * seen).sum(1, keepdim=True).add(1e-6).sqrt()


class Comparer(nn.Module):
    """Two descriptions n x ``PLACE`` x 18 x 12 → how likely they are of one face, a logit each.

    Outlines are a little off, so the second is searched around each place for what the first has
    there; what is then still different is weighed by what is different and where. A sum over all
    places would drown a small icon in a common frame.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(conv(SHIFTS + 2 * PLACE, 48, 1, 1), conv(48, 32))
        self.wide = nn.Sequential(conv(32, 64, 2), Block(64))
        cells = (PLACES[0] // 2) * (PLACES[1] // 2)
        self.last = nn.Sequential(
            conv(64, 16, 1, 1), nn.Flatten(), nn.Linear(16 * cells, 64), nn.ReLU(inplace=True)
        )
        self.most = nn.Sequential(nn.Linear(64 + 64, 48), nn.ReLU(inplace=True), nn.Linear(48, 1))
        self.sharp = nn.Parameter(torch.tensor(8.0))

    def forward(self, enrolled: Tensor, seen: Tensor) -> Tensor:
        """See the class."""
        high, wide = PLACES
        padded = nn.functional.pad(seen, (REACH, REACH, REACH, REACH))
        moved = [
            padded[:, :, down : down + high, across : across + wide]
            for down in range(2 * REACH + 1)
            for across in range(2 * REACH + 1)
        ]
        alike = torch.cat([(enrolled * one).sum(1, keepdim=True) for one in moved], 1)
        weights = torch.softmax(alike * self.sharp, 1)
        found = sum(
            (weights[:, k : k + 1] * one for k, one in enumerate(moved)), torch.zeros_like(seen)
        )
        apart = (enrolled - found).abs()
        at16 = self.wide(self.fine(torch.cat([alike, apart, enrolled], 1)))
        most = nn.functional.max_pool2d(at16, (PLACES[0] // 2, PLACES[1] // 2)).flatten(1)
        return self.most(torch.cat([self.last(at16), most], 1))[:, 0]


class Matcher(nn.Module):
    """Both; what is saved is each by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.describer = Describer()
        self.comparer = Comparer()
        self.strength = nn.Parameter(torch.tensor(20.0))

    def forward(self, x: Tensor) -> Tensor:
        """Descriptions of crops."""
        return self.describer(x)
