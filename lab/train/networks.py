"""The networks: one finds cards in a picture, some read crops; see also `match_networks`."""

import torch
from torch import Tensor, nn

from hardware.camera.decks import COLOURS, ICONS, SYMBOLS
from hardware.camera.quads import CHANNELS

STRIDE = 8
HEATS = 2
"""Heat of a card's middle, and of a corner index; both tell the outline of the whole card."""


class Block(nn.Module):
    """Two convolutions beside a short cut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(width, width),
            nn.Conv2d(width, width, 3, padding=1, bias=False),
            nn.BatchNorm2d(width),
        )
        self.end = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        """The same shape."""
        return self.end(x + self.body(x))


def conv(inside: int, outside: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """A convolution, normalised, and cut off at 0."""
    layer = nn.Conv2d(inside, outside, size, stride, size // 2, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outside), nn.ReLU(inplace=True))


class LocatorNetwork(nn.Module):
    """Pictures n x 3 x h x w, 0 to 1, h and w multiples of 32 → heat and outlines, a cell of 8.

    Returns n x (2 + 8) x h/8 x w/8: logits of the heats, and the coded outlines.
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
    """Crops n x 3 x 144 x 96 → n x 112 x 9 x 6."""
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
    """Crops n x 3 x height x width, 0 to 1 → logits of colour, symbol, icon, and "is a face".

    One is made for crops of whole cards (144 x 96) and one for crops of their corners (64 x 64).
    Returns n x (5 + 23 + 5 + 1).
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
