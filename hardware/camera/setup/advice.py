"""Advises on a camera's light, place and focus."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hardware.camera.setup.conditions import Conditions, MatConditions
from hardware.camera.setup.follow import PilePosition
from hardware.camera.setup.history import ConditionHistory
from hardware.camera.setup.unrest import Sign
from hardware.check_findings import Finding, ok, problem, warning


@dataclass(frozen=True, slots=True)
class AdviceThresholds:
    """Values from which advice is given. Brightness is from 0 to 255."""

    # A covered lens gives 0 to 5 and some noise; the darkest living room still gives 20.
    black: float = 8.0
    # Standard deviation of a uniform picture, such as "no signal"; a bare table has edges.
    even: float = 2.0
    # White paper at 100 gets a fifth of the light it should: the camera's amplified noise makes
    # red and a dark wild look alike.
    dark_white: float = 100.0
    # The same without paper in view; a black tablecloth alone must not count as dark.
    dark_picture: float = 45.0
    # Half-grey ink is at about 120 in good light. At 175 white is overexposed by 1.3 stops, and
    # yellow begins to look white.
    bright_grey: float = 175.0
    # Without a mat: overexposed share of the picture, more than cards and cups make up.
    bright_share: float = 0.25
    # Flickering lamps change brightness by 5 to 30 %, noise changes its mean by less than 1 %.
    flicker: float = 0.03
    # A card's 56 mm are read in 96 pixels, and the bar of a 6 is 2 mm high: a wider edge
    # swallows it.
    edge_mm: float = 2.1
    # An edge is 2.2 pixels wide through a sharp lens; below 3 the focus is not to blame.
    edge: float = 3.0
    # Without tags the scene's sharpest edges are measured, after denoising: 2.8 pixels when sharp,
    # 4.3 and 5 with a Gaussian blur of 1.5 and 2.
    scene_edge: float = 4.5
    # The same as a share of the pile's place: 2.1 mm of 64 mm, see above.
    scene_edge_share: float = 0.033
    # Share of the pile's place: 3 % is the size of a card's corner with its number.
    glare: float = 0.03
    # Width in pixels. At 70 the corner's number is 9 pixels high; the reader uses 96.
    card: float = 70.0
    # At 45 the centre's number is 25 pixels high, and its bar one pixel.
    card_least: float = 45.0
    # Degrees. At 60 a card looks half as high, and the pile hides its lower cards.
    tilt: float = 60.0
    # Pixels. A webcam's lens bends straight lines by up to 3; a curled sheet by more.
    bent: float = 3.5
    # Seconds. A hand passes in one or two; what stays longer is an object.
    covered_for: float = 5.0
    # Seconds. With long exposures, cameras still deliver a picture every second.
    frozen_for: float = 3.0


UNREST: Mapping[Sign, tuple[str, str, str]] = {
    "shakes": (
        "camera",
        "the camera shakes",
        "fasten it, and mount it on something that does not touch the table",
    ),
    "covered": (
        "pile",
        "hands or cards are held over the pile",
        "keep the view from the camera to the pile free",
    ),
    "slow": (
        "pictures",
        "pictures come too slowly, so cards may be missed",
        "bring the camera nearer to the Wi-Fi's router, or end what else keeps this computer busy",
    ),
    "focus-hunts": (
        "focus",
        "the camera's autofocus hunts: the picture becomes sharp and soft by turns",
        "switch autofocus off, or set the focus to the table by hand; more light helps",
    ),
    "exposure-hunts": (
        "light",
        "the camera's exposure hunts: the picture becomes bright and dark by turns",
        "switch automatic exposure off, or turn away the lamp that it adjusts to",
    ),
}
"""What the findings are about, what they say, and the advice."""


def advise(
    conditions: Conditions,
    position: PilePosition,
    history: ConditionHistory,
    *,
    live: bool = True,
) -> list[Finding]:
    """Return the findings, problems first; a single ok finding if all is well."""
    limits = AdviceThresholds()
    blind = list(_blind(conditions, history, live, limits))
    if blind:
        return blind
    findings = [
        *_light(conditions, history, limits),
        *_place(conditions, position, history, limits),
        *_sharpness(conditions, limits),
        *(unrest_finding(sign) for sign in history.unrest.signs() if live),
    ]
    if not findings:
        return [ok("camera", "the pile is clearly visible")]
    return sorted(findings, key=lambda finding: finding.level != "problem")


def unrest_finding(sign: Sign) -> Finding:
    """Return what to say of a camera that does not come to rest."""
    return warning(*UNREST[sign])


def _blind(
    seen: Conditions, history: ConditionHistory, live: bool, limits: AdviceThresholds
) -> Iterator[Finding]:
    if seen.brightness < limits.black:
        yield problem(
            "picture",
            "the picture is black",
            "take the cover off the lens and switch on a light",
            "dark",
        )
    elif seen.spread < limits.even:
        yield problem(
            "picture",
            "the picture has one uniform colour",
            "uncover the lens, or check whether the camera sends a test picture",
            "covered",
        )
    elif live and history.frozen_for > limits.frozen_for:
        yield problem(
            "picture",
            f"the picture has been frozen for {history.frozen_for:.0f} seconds",
            "unplug the camera and plug it in again, or restart its stream",
        )


def _light(
    seen: Conditions, history: ConditionHistory, limits: AdviceThresholds
) -> Iterator[Finding]:
    mat = seen.mat
    if mat is None:
        # On a dark table the cards tell.
        lightest = 0.0 if seen.lightest is None else seen.lightest
        dark = seen.brightness < limits.dark_picture and lightest < limits.dark_white
    else:
        dark = mat.white < limits.dark_white
    if mat is None or mat.grey is None:
        bright = seen.clipped > limits.bright_share
    else:
        bright = mat.grey > limits.bright_grey
    if dark:
        yield warning(
            "light", "it is too dark: noise hides the colours", "switch on another lamp", "dark"
        )
    if bright:
        yield warning(
            "light",
            "it is too bright: yellow and white look the same",
            "turn the lamp down or away, close a curtain, or lower the camera's exposure",
            "bright",
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
            "glare",
        )


def _place(
    seen: Conditions, position: PilePosition, history: ConditionHistory, limits: AdviceThresholds
) -> Iterator[Finding]:
    if position.state == "searching":
        yield problem(
            "mat",
            "no mat is visible",
            "lay a card of the deck face up in the middle of the picture, or the printed mat, "
            "or mark the pile with --pile or --window",
        )
        return
    if position.state == "moving":
        yield warning("camera", "the camera or the mat is moving", "fasten the camera", "moving")
    if seen.mat is not None:
        yield from _mat(seen.mat, history, limits)
    elif history.covered_for > limits.covered_for:
        yield warning(
            "mat",
            "the mat has been hidden for a while; the pile is assumed not to have moved",
            "uncover the squares, or put the mat back",
        )
    elif position.state == "covered":
        yield warning(
            "camera",
            "the pile's surroundings are not recognised; it is assumed not to have moved",
            "uncover the table, or mark the pile again",
        )
    if seen.mat is None and not seen.pile_inside:
        yield problem(
            "pile",
            "part of the discard pile is outside the picture",
            "turn the camera towards it, or mark the pile again",
            "outside",
        )
    if seen.mat is None and (seen.pile_width or limits.card) < limits.card_least:
        yield problem(
            "distance",
            f"the pile is {seen.pile_width:.0f} pixels wide, too small to read a card",
            f"bring the camera nearer, until it is at least {limits.card:.0f} pixels wide",
            "far",
        )


def _mat(
    mat: MatConditions, history: ConditionHistory, limits: AdviceThresholds
) -> Iterator[Finding]:
    if "discard" in mat.cut_off:
        yield problem(
            "mat",
            "part of the discard pile's place is outside the picture",
            "turn the camera towards it, or move the mat",
            "outside",
        )
    elif mat.cut_off or mat.sides:
        where = " and ".join(mat.sides) or "edge"
        yield warning(
            "mat",
            f"the mat is cut off at the {where}",
            "move the mat or the camera until all squares are in the picture",
        )
    if history.covered_for > limits.covered_for and not mat.sides:
        yield warning(
            "mat",
            f"only {mat.seen} of the mat's {mat.tags} squares are visible",
            "take cards, hands and glasses off them; the pile is still followed",
        )
    if mat.card < limits.card_least:
        yield problem(
            "distance",
            f"a card is {mat.card:.0f} pixels wide, too small to read",
            f"bring the camera nearer, until it is at least {limits.card:.0f} pixels wide",
            "far",
        )
    elif mat.card < limits.card:
        yield warning(
            "distance",
            f"a card is only {mat.card:.0f} pixels wide",
            f"bring the camera nearer, until it is at least {limits.card:.0f} pixels wide",
            "far",
        )
    if mat.tilt > limits.tilt:
        yield warning(
            "angle",
            f"the camera looks {mat.tilt:.0f} degrees from the side",
            f"raise it, or move it over the pile: {limits.tilt:.0f} degrees at most",
            "tilted",
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
            "blurred",
        )
