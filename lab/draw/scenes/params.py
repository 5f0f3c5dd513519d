"""Parameters of synthetic scenes and crops."""

from dataclasses import dataclass, field

Range = tuple[float, float]


@dataclass(frozen=True)
class SceneParams:
    """Parameters of scenes. Shares are probabilities; ranges are uniform."""

    long_side: int = 256  # Length of the picture's longer side in pixels
    # Weight of each kind of scene, see `layouts.LAYOUTS`.
    kinds: dict[str, float] = field(
        default_factory=lambda: {
            "single": 0.6,
            "pile": 0.1,
            "scatter": 0.08,
            "spread": 0.06,
            "row": 0.06,
            "fan": 0.1,
        }
    )
    # Longest extent of what is shown, as a share of the frame, by kind of distance.
    fill: dict[str, Range] = field(
        default_factory=lambda: {
            "usual": (0.35, 0.85),
            "near": (0.85, 1.3),
            "far": (0.14, 0.35),
        }
    )
    # Weight of each kind of distance.
    distances: dict[str, float] = field(
        default_factory=lambda: {"usual": 0.66, "near": 0.16, "far": 0.18}
    )
    flat: float = 0.35  # Share of views from nearly straight above
    tilt: Range = (5.0, 75.0)  # Range of a tilted view in degrees
    deck: tuple[str, ...] = ()  # Ids of the cards to draw; random cards of all decks if empty
    rare: float = 0.2  # Share of cards that are not in the classic deck
    icons: float = 0.08  # Share of number cards with a tower's icon
    follow: float = 0.0  # Share of scenes whose cards mostly share a colour, as in play
    distractors: float = 0.4  # Share of scenes with other things lying about
    fingers: float = 0.35  # Share of single cards held by fingers
    bent: float = 0.08  # Share of cards that are not flat
    passing: float = 0.1  # Share of other scenes with a hand reaching in
    glare: float = 0.3  # Share with light reflected by the cards
    shadows: float = 0.35  # Share with cast shadows
    cast: float = 0.5  # Share with a coloured cast or haze
    dark: float = 0.15  # Share of dim pictures
    washed: float = 0.1  # Share of overexposed pictures
    blurred: float = 0.4  # Share with defocus or motion blur
    webcam: float = 0.15  # Share with a webcam's low resolution and sharpening
    noisy: float = 0.5  # Share with visible noise
    jpeg: float = 0.5  # Share saved as JPEG
    cut_out: float = 0.04  # Share with a badly removed background
    empty: float = 0.04  # Share of single scenes without any card


@dataclass(frozen=True)
class CropParams:
    """Parameters of crops. Shares are probabilities."""

    turns: tuple[int, ...] = (0, 2)  # Quarter turns that occur
    jitter: float = 0.028  # Error of the locator, as a share of the card's size
    rare: float = 0.3  # Share of cards that are not in the classic deck
    icons: float = 0.34  # Share of number cards with a tower's icon
    negatives: float = 0.2  # Share of crops that show no face, or miss it
    foreign: float = 0.0  # Share of crops that show a face of another game, well cut out
    defocus: float = 0.0  # Share so far out of focus that some signs cannot be told apart
    sharp: float = 0.4  # Share of crops at full resolution
    resolution: Range = (0.25, 1.0)  # Resolution of the others, as a share
    foreshortened: float = 0.3  # Share of crops seen so steeply that one side has fewer pixels
    neighbours: float = 0.3  # Share with other cards beneath or beside
    covered: float = 0.12  # Share partly covered by another card
    fingers: float = 0.15  # Share with fingers over the card
    bent: float = 0.08  # Share of cards that are not flat
    # Shares of glare, shadows, blur and the like.
    light: SceneParams = field(default_factory=SceneParams)
