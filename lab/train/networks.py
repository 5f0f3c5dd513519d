"""The networks: a locator of cards, readers of crops, and a matcher of enrolled faces."""

import torch
from torch import Tensor, nn

from hardware.camera.decks import COLOURS, ICONS, SYMBOLS
from hardware.camera.enrol.matcher import PLACE, PLACES, REACH
from hardware.camera.reading.locate import CHANNELS

HEATS = 2
"""Heat maps: of a card's middle and of its indices. Both predict the outline of the whole card."""


class Block(nn.Module):
    """A residual block of two convolutions."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(width, width),
            nn.Conv2d(width, width, 3, padding=1, bias=False),
            nn.BatchNorm2d(width),
        )
        self.end = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        """Return the same shape."""
        return self.end(x + self.body(x))


def conv(inside: int, outside: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """Return a convolution with batch normalisation and ReLU."""
    layer = nn.Conv2d(inside, outside, size, stride, size // 2, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outside), nn.ReLU(inplace=True))


class LocatorNetwork(nn.Module):
    """Finds cards: pictures n x 3 x h x w, 0 to 1, with h and w multiples of 32.

    Returns n x (2 + 8) x h/8 x w/8: the logits of the heat maps, and the coded outlines.
    """

    def __init__(self) -> None:
        super().__init__()
        self.to4 = nn.Sequential(conv(3, 16, 2, 5), conv(16, 32, 2))
        self.to8 = nn.Sequential(conv(32, 64, 2), Block(64))
        self.to16 = nn.Sequential(conv(64, 96, 2), Block(96))
        self.to32 = nn.Sequential(conv(96, 128, 2), Block(128), conv(128, 128), conv(128, 96, 1, 1))
        self.join16 = conv(96 + 96, 64, 1, 1)
        self.mid16 = conv(64, 64)
        self.join8 = conv(64 + 64, 64, 1, 1)
        self.mid8 = nn.Sequential(conv(64, 64), conv(64, 64))
        self.heat = nn.Conv2d(64, HEATS, 1)
        self.outline = nn.Conv2d(64, CHANNELS, 1)
        nn.init.constant_(self.heat.bias, -4.0)

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        at8 = self.to8(self.to4(x))
        at16 = self.to16(at8)
        at32 = self.to32(at16)
        up = nn.functional.interpolate
        at16 = self.mid16(self.join16(torch.cat([at16, up(at32, scale_factor=2.0)], 1)))
        at8 = self.mid8(self.join8(torch.cat([at8, up(at16, scale_factor=2.0)], 1)))
        return torch.cat([self.heat(at8), self.outline(at8)], 1)


def reading_body() -> nn.Sequential:
    """Return the shared backbone: n x 3 x 144 x 96 → n x 112 x 9 x 6."""
    return nn.Sequential(
        conv(3, 24, 2, 5),
        conv(24, 48, 2),
        Block(48),
        conv(48, 80, 2),
        Block(80),
        conv(80, 112, 2),
        Block(112),
    )


class ReaderNetwork(nn.Module):
    """Reads crops n x 3 x height x width, 0 to 1: whole cards (144 x 96) or corners (64 x 64).

    Returns n x (5 + 23 + 5 + 1): the logits of colour, symbol, icon, and "is a face".
    """

    def __init__(self, height: int, width: int) -> None:
        super().__init__()
        cells = (height // 16) * (width // 16)
        self.body = reading_body()
        self.pooled = nn.Sequential(
            conv(112, 32, 1, 1), nn.Flatten(), nn.Linear(32 * cells, 128), nn.ReLU(inplace=True)
        )
        self.heads = nn.Linear(128, len(COLOURS) + len(SYMBOLS) + len(ICONS) + 1)

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        return self.heads(self.pooled(self.body(x)))


SHIFTS = (2 * REACH + 1) ** 2


class Describer(nn.Module):
    """Describes crops n x 3 x 144 x 96, 0 to 1, as n x ``PLACE`` x 18 x 12 unit vectors.

    The body is the reader's, so that training can start from its weights. The early, finer layers
    distinguish small signs.
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
    """Returns the logit that two descriptions n x ``PLACE`` x 18 x 12 show one face.

    Outlines are a little off, so each place of the first description is searched for around the
    same place of the second; the remaining differences are weighed. A sum over all places would
    drown a small icon in a common frame, so ``telling`` (n x 1 x 18 x 12, see ``enrol.telling``)
    marks where the first face differs from its most similar ones.
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
        moved = sum(
            (weights[:, k : k + 1] * other for k, other in enumerate(around(seen))),
            torch.zeros_like(seen),
        )
        apart = (enrolled - moved).abs()
        at16 = self.wide(self.fine(torch.cat([alike, apart, enrolled, telling], 1)))
        most = nn.functional.max_pool2d(at16, (PLACES[0] // 2, PLACES[1] // 2)).flatten(1)
        differ = 1 - alike.amax(1, keepdim=True)
        evidence = [
            (differ * weight).sum((1, 2, 3)) / (weight.sum((1, 2, 3)) + 1e-3)
            for weight in (telling, torch.ones_like(telling))
        ]
        return self.most(torch.cat([self.last(at16), most, torch.stack(evidence, 1)], 1))[:, 0]


def around(seen: Tensor) -> list[Tensor]:
    """Return the descriptions shifted by up to ``REACH`` places each way."""
    high, wide = PLACES
    padded = nn.functional.pad(seen, (REACH, REACH, REACH, REACH))
    return [
        padded[:, :, down : down + high, across : across + wide]
        for down in range(2 * REACH + 1)
        for across in range(2 * REACH + 1)
    ]


def shifted(enrolled: Tensor, seen: Tensor) -> Tensor:
    """Return the similarity at each place and shift, n x ``SHIFTS`` x 18 x 12."""
    return torch.cat([(enrolled * other).sum(1, keepdim=True) for other in around(seen)], 1)


class MatcherNetwork(nn.Module):
    """Describer and comparer, trained together and saved separately."""

    def __init__(self) -> None:
        super().__init__()
        self.describer = Describer()
        self.comparer = Comparer()
        nn.init.zeros_(self.describer.detail[1].weight)
        self.strength = nn.Parameter(torch.tensor(20.0))

    def forward(self, x: Tensor) -> Tensor:
        """Describe crops."""
        return self.describer(x)
