"""What is wrong with how a camera stands, in words, and what to do about it."""

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.camera.setup.conditions import Conditions, MatConditions
from hardware.camera.setup.follow import PilePosition
from hardware.camera.setup.history import ConditionHistory
from hardware.findings import Finding, ok, problem, warning


@dataclass(frozen=True, slots=True)
class AdviceThresholds:
    """From where on something is worth a word. Brightness is from 0 to 255."""

    # A covered lens gives 0 to 5 and some noise; the darkest living room still gives 20.
    black: float = 8.0
    # "No signal" and a hand on the lens have one colour; an empty table has grain and edges.
    even: float = 2.0
    # White paper at 100 is lit by a fifth of what it should be: cameras then amplify the noise
    # until red and a dark wild look alike.
    dark_white: float = 100.0
    # The same without paper to go by, so that a black tablecloth by itself is not blamed.
    dark_picture: float = 45.0
    # Half-grey ink is at about 120 in good light. At 175 white is 1.3 stops over what the camera
    # can show, and yellow begins to look like white.
    bright_grey: float = 175.0
    # Without a mat: a quarter of the picture as bright as can be is more than cards and cups.
    bright_share: float = 0.25
    # Lamps that flicker give stripes or pulses of 5 to 30 %; noise moves the mean by less than 1 %.
    flicker: float = 0.03
    # A card is read in 96 pixels across its 56 mm, where the bar of a 6 is 2 mm high: an edge
    # that takes more than it takes the bar with it.
    edge_mm: float = 2.1
    # A sharp lens takes 2.2 pixels for an edge; what is less than 3 is no fault of the focus.
    edge: float = 3.0
    # Without tags the sharpest edges of the scene tell, a little softened against noise: 2.8
    # pixels when sharp, 4.3 with a blur of one and a half, 5 with one of two.
    scene_edge: float = 4.5
    # ... and what share of the pile's place that is: 2.1 mm of a place 64 mm wide, see above.
    scene_edge_share: float = 0.033
    # 3 % of the pile's place are the size of a card's corner with its number.
    glare: float = 0.03
    # A card this wide has a number 9 pixels high in its corner; 96 are what the reader uses.
    card: float = 70.0
    # Below this the centre's number is 25 pixels high and its bar one pixel.
    card_least: float = 45.0
    # At 60 degrees a card is half as high as it is long; cards above it on the pile hide it.
    tilt: float = 60.0
    # Webcams bend straight lines by up to 3 pixels; a curled sheet does so by more.
    bent: float = 3.5
    # A hand is over the mat for a second or two; what stays longer lies on it.
    covered_for: float = 5.0
    # Cameras that wait for the light give a picture every second at worst.
    frozen_for: float = 3.0


def advise(
    conditions: Conditions,
    followed: PilePosition,
    history: ConditionHistory,
    *,
    live: bool = True,
    limits: AdviceThresholds | None = None,
) -> list[Finding]:
    """All there is to say, the worst first; one finding that is ok if all is well."""
    limits = limits or AdviceThresholds()
    blind = list(_blind(conditions, history, live, limits))
    if blind:
        return blind
    found = [
        *_light(conditions, history, limits),
        *_place(conditions, followed, history, limits),
        *_sharpness(conditions, limits),
    ]
    if not found:
        return [ok("camera", "the pile is seen well")]
    return sorted(found, key=lambda finding: finding.level != "problem")


def _blind(
    seen: Conditions, history: ConditionHistory, live: bool, limits: AdviceThresholds
) -> Iterator[Finding]:
    if seen.brightness < limits.black:
        yield problem(
            "picture", "the picture is black", "take the cover off the lens and switch on a light"
        )
    elif seen.spread < limits.even:
        yield problem(
            "picture",
            "the picture has one colour all over",
            "see whether something covers the lens, or the camera sends a test picture",
        )
    elif live and history.frozen_for > limits.frozen_for:
        yield problem(
            "picture",
            f"the picture has stood still for {history.frozen_for:.0f} seconds",
            "unplug the camera and plug it in again, or restart its stream",
        )


def _light(
    seen: Conditions, history: ConditionHistory, limits: AdviceThresholds
) -> Iterator[Finding]:
    mat = seen.mat
    dark = seen.brightness < limits.dark_picture if mat is None else mat.white < limits.dark_white
    if mat is None or mat.grey is None:
        bright = seen.clipped > limits.bright_share
    else:
        bright = mat.grey > limits.bright_grey
    if dark:
        yield warning(
            "light", "it is too dark: colours get lost in noise", "switch on another lamp"
        )
    if bright:
        yield warning(
            "light",
            "it is too bright: yellow and white look the same",
            "turn the lamp down or away, close a curtain, or lower the camera's exposure",
        )
    if (history.flicker or 0.0) > limits.flicker:
        yield warning(
            "light",
            f"the light flickers by {100 * (history.flicker or 0):.0f} %",
            "use another lamp or do not dim it, or set the camera to the mains frequency "
            "(50 or 60 Hz)",
        )
    if (seen.glare or 0.0) > limits.glare:
        yield warning(
            "light",
            f"a lamp is reflected in {100 * (seen.glare or 0):.0f} % of the discard pile's place",
            "move the lamp or the camera a hand's breadth, or put paper in front of the lamp",
        )


def _place(
    seen: Conditions, followed: PilePosition, history: ConditionHistory, limits: AdviceThresholds
) -> Iterator[Finding]:
    if followed.state == "searching":
        yield problem(
            "mat",
            "no mat is in the picture",
            "lay the printed mat flat under the camera, or mark the pile with --pile or --window",
        )
        return
    if followed.state == "moving":
        yield warning(
            "camera", "the camera or the mat is moving", "fasten the camera so that it rests"
        )
    if seen.mat is not None:
        yield from _mat(seen.mat, history, limits)
    elif history.covered_for > limits.covered_for:
        yield warning(
            "mat",
            "the mat has not been seen for a while; the pile is taken to be where it was",
            "take what covers the squares away, or lay the mat back",
        )
    elif followed.state == "covered":
        yield warning(
            "camera",
            "what is around the pile is not recognised; the pile is taken to be where it was",
            "take away what covers the table, or mark the pile anew",
        )
    if seen.mat is None and not seen.pile_inside:
        yield problem(
            "pile",
            "the discard pile is not in the picture as a whole",
            "turn the camera to it, or mark the pile anew",
        )
    if seen.mat is None and (seen.pile_width or limits.card) < limits.card_least:
        yield problem(
            "distance",
            f"the pile is {seen.pile_width:.0f} pixels wide, too small to read a card",
            f"bring the camera nearer, until it is at least {limits.card:.0f} pixels wide",
        )


def _mat(
    mat: MatConditions, history: ConditionHistory, limits: AdviceThresholds
) -> Iterator[Finding]:
    if "discard" in mat.cut_off:
        yield problem(
            "mat",
            "the discard pile's place is not in the picture as a whole",
            "turn the camera to it, or move the mat",
        )
    elif mat.cut_off or mat.sides:
        where = _list(mat.sides) or "edge"
        yield warning(
            "mat",
            f"the mat is cut off at the {where}",
            "move the mat or the camera until all squares are in the picture",
        )
    if history.covered_for > limits.covered_for and not mat.sides:
        yield warning(
            "mat",
            f"only {mat.seen} of the mat's {mat.tags} squares are seen",
            "take cards, hands and glasses off them; the pile is followed meanwhile",
        )
    if mat.card < limits.card_least:
        yield problem(
            "distance",
            f"a card is {mat.card:.0f} pixels wide, too small to read",
            f"bring the camera nearer, until it is at least {limits.card:.0f} pixels wide",
        )
    elif mat.card < limits.card:
        yield warning(
            "distance",
            f"a card is only {mat.card:.0f} pixels wide",
            f"bring the camera nearer, until it is at least {limits.card:.0f} pixels wide",
        )
    if mat.tilt > limits.tilt:
        yield warning(
            "angle",
            f"the camera looks {mat.tilt:.0f} degrees from the side",
            f"raise it, or move it over the pile: {limits.tilt:.0f} degrees at most",
        )
    if mat.error > limits.bent:
        yield warning(
            "mat", "the mat is not flat", "press it flat, or tape its corners to the table"
        )


def _sharpness(seen: Conditions, limits: AdviceThresholds) -> Iterator[Finding]:
    mat = seen.mat
    if mat is not None:
        soft = mat.edge_mm > limits.edge_mm and mat.edge > limits.edge
    else:
        edge, width = seen.edge or 0.0, seen.pile_width or 0.0
        soft = edge > max(limits.scene_edge, limits.scene_edge_share * width)
    if soft:
        yield warning(
            "focus",
            "the picture is not sharp",
            "clean the lens, and turn its ring or set the camera's focus to the table",
        )


def _list(words: tuple[str, ...]) -> str:
    return " and ".join(words)
