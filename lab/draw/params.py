"""Parameters of synthetic scenes and crops."""

from dataclasses import dataclass, field

Range = tuple[float, float]


@dataclass(frozen=True)
class SceneParams:
    """Parameters of scenes. Shares are probabilities; ranges are uniform.

    Attributes:
        long_side: Length of the picture's longer side in pixels.
        kinds: Weight of each kind of scene, see `layouts.LAYOUTS`.
        fill: Longest extent of what is shown, as a share of the frame, by kind of distance.
        distances: Weight of each kind of distance.
        flat: Share of views from nearly straight above.
        tilt: Range of a tilted view in degrees.
        deck: Ids of the cards to draw; random cards of all decks if empty.
        rare: Share of cards that are not in the classic deck.
        icons: Share of number cards with a tower's icon.
        follow: Share of scenes whose cards mostly share a colour, as in play.
        distractors: Share of scenes with other things lying about.
        fingers: Share of single cards held by fingers.
        bent: Share of cards that are not flat.
        passing: Share of other scenes with a hand reaching in.
        glare: Share with light reflected by the cards.
        shadows: Share with cast shadows.
        cast: Share with a coloured cast or haze.
        dark: Share of dim pictures.
        washed: Share of overexposed pictures.
        blurred: Share with defocus or motion blur.
        webcam: Share with a webcam's low resolution and sharpening.
        noisy: Share with visible noise.
        jpeg: Share saved as JPEG.
        cut_out: Share with a badly removed background.
        empty: Share of single scenes without any card.
    """

    long_side: int = 256
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
    fill: dict[str, Range] = field(
        default_factory=lambda: {
            "usual": (0.35, 0.85),
            "near": (0.85, 1.3),
            "far": (0.14, 0.35),
        }
    )
    distances: dict[str, float] = field(
        default_factory=lambda: {"usual": 0.66, "near": 0.16, "far": 0.18}
    )
    flat: float = 0.35
    tilt: Range = (5.0, 75.0)
    deck: tuple[str, ...] = ()
    rare: float = 0.2
    icons: float = 0.08
    follow: float = 0.0
    distractors: float = 0.4
    fingers: float = 0.35
    bent: float = 0.08
    passing: float = 0.1
    glare: float = 0.3
    shadows: float = 0.35
    cast: float = 0.5
    dark: float = 0.15
    washed: float = 0.1
    blurred: float = 0.4
    webcam: float = 0.15
    noisy: float = 0.5
    jpeg: float = 0.5
    cut_out: float = 0.04
    empty: float = 0.04


@dataclass(frozen=True)
class CropParams:
    """Parameters of crops. Shares are probabilities.

    Attributes:
        turns: Quarter turns that occur.
        jitter: Error of the locator, as a share of the card's size.
        rare: Share of cards that are not in the classic deck.
        icons: Share of number cards with a tower's icon.
        negatives: Share of crops that show no face, or miss it.
        sharp: Share of crops at full resolution.
        resolution: Resolution of the others, as a share.
        foreshortened: Share of crops seen so steeply that one side has fewer pixels.
        neighbours: Share with other cards beneath or beside.
        covered: Share partly covered by another card.
        fingers: Share with fingers over the card.
        bent: Share of cards that are not flat.
        light: Shares of glare, shadows, blur and the like.
    """

    turns: tuple[int, ...] = (0, 2)
    jitter: float = 0.028
    rare: float = 0.3
    icons: float = 0.34
    negatives: float = 0.2
    sharp: float = 0.4
    resolution: Range = (0.25, 1.0)
    foreshortened: float = 0.3
    neighbours: float = 0.3
    covered: float = 0.12
    fingers: float = 0.15
    bent: float = 0.08
    light: SceneParams = field(default_factory=SceneParams)
