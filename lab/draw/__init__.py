"""Pictures for training, drawn by the project: card faces in many prints and scenes with them.

Nothing here is copied from a photo or from a publisher's artwork. A `Print` is one print run,
`render` draws a face in it, `compose` a whole scene with the truth about every card, `crop` and
`corner` what a reader is trained on. All of it follows from seeds.
"""

from hardware.camera.decks import COLOURS, ICONS, RULESETS, SYMBOLS, Card, all_cards
from lab.draw.bank import Bank
from lab.draw.crops import Crop, corner, crop
from lab.draw.faces import render
from lab.draw.params import CropKnobs, Knobs
from lab.draw.prints import Print, sample
from lab.draw.scene import Scene, Seen, compose

__all__ = [
    "COLOURS",
    "ICONS",
    "RULESETS",
    "SYMBOLS",
    "Bank",
    "Card",
    "Crop",
    "CropKnobs",
    "Knobs",
    "Print",
    "Scene",
    "Seen",
    "all_cards",
    "compose",
    "corner",
    "crop",
    "render",
    "sample",
]
