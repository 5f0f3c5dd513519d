"""Every number that decides what the pile tracker reports, grouped by stage.

Unless a comment says otherwise, lengths are shares of a card's height, areas are shares of a card's
area, times are seconds, and pixels are those of the watched view, where a card is about 140 high.

Numbers marked "judgement" were set by hand and kept because drawn films came out right with them
(``python -m lab.measure.track``); the others name the data they were fitted on.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ViewThresholds:
    """What part of the frame is watched, and when it shows nothing."""

    # Watched border around the pile's place, in shares of its longer side: enough to see a hand
    # arrive, too little to see the neighbour's place. Judgement.
    margin: float = 0.35
    # Longer side of the view. A card's 4 mm border is then 6 wide, so a 2 mm push shows. Judgement.
    pixels: int = 320
    # Pixels by which the view's size may change before the tracker starts over. Judgement.
    size_slack: int = 12
    # Smallest usable place, in square pixels of the frame. Judgement.
    smallest_place: float = 400.0
    # Smallest usable cut-out, in pixels of the frame. Judgement.
    smallest_crop: int = 16
    # Brightness of 255 that the brightest hundredth of a usable view reaches. Judgement.
    dark: float = 24.0
    # Deviation of brightness that the noise of any sensor exceeds. Judgement.
    flat: float = 0.5
    # Brightness by which a dark table may vary between frames; a dead signal is darker. Judgement.
    dark_table: float = 6.0


@dataclass(frozen=True, slots=True)
class MotionThresholds:
    """When something moves, when the pile is still, and when the camera was knocked."""

    # Change of local contrast that counts as movement; flicker and exposure stay below. Judgement.
    contrast: float = 0.07
    # The same in deviations of the camera's noise, for dark rooms. Judgement.
    over_noise: float = 6.0
    # Age of the second frame each one is compared with, to notice slow hands. Judgement.
    lag: float = 0.09
    # Smallest moving share of the view; a fingertip is ten times as large. Judgement.
    smallest: float = 0.001
    # Time the pile has to be still before a reading counts: two frames at 30 a second. Judgement.
    still_for: float = 0.06
    # Pause between frames after which anything may have happened unseen. Judgement.
    gap: float = 1.0
    # Interval at which the picture of the still pile is renewed, to follow the light. Judgement.
    refresh: float = 0.5
    # Time after which something motionless is no hand: hands tremble. Judgement.
    static_after: float = 2.0
    # Share of the place or of the top card that a hand over the pile hides. Judgement.
    over_pile: float = 0.08
    # Farthest knock of the camera that is followed, in shares of the view's longer side. Judgement.
    farthest_knock: float = 0.4
    # Share around the place that may still differ once a knock is undone. Judgement.
    knock_differs: float = 0.08
    # Undoing a knock has to leave less than this share of the earlier differences. Judgement.
    knock_explains: float = 0.5
    # Share of the surroundings that both views have to show for that. Judgement.
    knock_overlap: float = 0.5


@dataclass(frozen=True, slots=True)
class ChangeThresholds:
    """When a spot shows another thing in two still views."""

    # Change of local contrast; smoothed noise stays below half of it. Judgement.
    structure: float = 0.14
    # Change of a colour's share; white balance stays below. Judgement.
    colour: float = 0.06
    # Change of brightness, as a logarithm, that no shadow explains. Judgement.
    level: float = 0.5
    # A change of contrast counts where brightness changed by ``level`` / ``spot`` too. Judgement.
    spot: float = 4.0
    # Distance beyond the neighbouring pixels that counts, in units of the above. Judgement.
    beyond: float = 0.6
    # Changed share up to which a place counts as untouched. Judgement.
    untouched: float = 0.012


@dataclass(frozen=True, slots=True)
class ReadingThresholds:
    """Which card is on top, and when enough frames agree."""

    # Sure readings of one card that decide; a single one may be of a moving card. Judgement.
    agree: int = 2
    # Further readings that the winner needs for each one of another card. Judgement.
    outvote: int = 2
    # Probability from which a frame that shows the same is not read again. Judgement.
    certain: float = 0.995
    # Probability below which the rotated picture is read too. Judgement.
    clear: float = 0.98
    # Readings after which an unsure card is reported: a fifth of a second. Judgement.
    tries: int = 6
    # Mean probability below which a card counts as unread. Judgement.
    least: float = 0.3
    # Seconds to retry before asking a player. Judgement.
    unread_after: float = 1.5
    # Interval of readings after the first ``tries``. Judgement.
    again: float = 0.15
    # How often an unread top is tried again, ``unread_after`` seconds each. Judgement.
    retries: int = 20
    # Readings without any card before the place may be reported empty. Judgement.
    blank_tries: int = 3
    # Distance within which readings are of the same, motionless card. Judgement.
    same_place: float = 0.06
    # Differing share up to which all of a card shows; an uncovered corner is more. Judgement.
    whole: float = 0.08
    # Differing share from which something else lies there. Judgement.
    covered: float = 0.4
    # Cards of a deck that may look the same; their probabilities are added. Judgement.
    lookalikes: int = 3
    # Weight of the newly changed share of a card against its probability. Judgement.
    news_weight: float = 0.5
    # Weight of a visible middle against its probability. Judgement.
    whole_weight: float = 0.5
    # Probability by which a rival above may be read worse than the card it covers. Judgement.
    rival_lag: float = 0.05
    # Overlapping share below which a card lies beside another. Judgement.
    beside: float = 0.1
    # Distance of middles within which two outlines are of one card. Judgement.
    same_card: float = 0.2
    # Probability that an unread top is the earlier card, from which it is taken for it. Judgement.
    resolved: float = 0.5


@dataclass(frozen=True, slots=True)
class OcclusionThresholds:
    """Which of two overlapping cards lies on the other (``python -m lab.measure.track_order``)."""

    # Difference of 255 across an edge, in any colour. Judgement.
    edge: float = 14.0
    # Distance in pixels inside the other card from which edges count: past its border. Judgement.
    inside: int = 9
    # Fewest pixels of edge to judge by. Judgement.
    least_edge: int = 12
    # Visible share of the upper card's edge. Judgement.
    upper: float = 0.6
    # Lead of the upper card's visible share over the lower card's. Judgement.
    lead: float = 0.2
    # Visible share of the lower card's edge; above, one of the two is another edge. Judgement.
    lower: float = 0.7
    # Pixels beside an outline whose colours are ignored. Judgement.
    rim: int = 4
    # Fewest uncovered pixels of a card to take its colour from. Judgement.
    least_alone: int = 60
    # Smallest overlap, as a share of the card, to compare colours in. Judgement.
    least_overlap: float = 0.15
    # Share of the uncovered part that has the card's colour; black cards have less. Judgement.
    plain: float = 0.35
    # Below this share of its colour the overlap counts as covered. Fitted on drawn films: 0.02 and
    # less of lower cards, 0.24 and more of upper ones.
    remaining: float = 0.2
    # Share from which a tint is one of the card's own. Judgement.
    own_tint: float = 0.15
    # Saturation of 255 below which a pixel has no tint. Judgement.
    vivid: int = 80
    # Brightness of 255 below which a pixel has no tint. Judgement.
    lit: int = 35
    # Pixels by which an outline may be off. Judgement.
    outline_error: int = 3


@dataclass(frozen=True, slots=True)
class StillThresholds:
    """What the still views before and after say happened."""

    # Movement below which a card has not moved: twice the error of its corners. Judgement.
    same_place: float = 0.015
    # Movement up to which a card may have been pushed. Judgement.
    near: float = 0.25
    # Movement by which an equal card below differs in place, in units of ``same_place``. Judgement.
    clearly_moved: float = 2.0
    # Error of corners; nothing is concluded this close to an edge. Judgement.
    rim: float = 0.016
    # Smallest area that proves anything. Judgement.
    least_proof: float = 0.006
    # Area on which a push would certainly show. Judgement.
    much_proof: float = 0.02
    # Divides the area where the card below is unknown: it may look alike there. Judgement.
    unknown_below: float = 3.0
    # Share of differing pixels that confirms an explanation. Judgement.
    proof: float = 0.6
    # Share below which it is refuted. Judgement.
    refuted: float = 0.35
    # Chance of being the same face from which two cards count as equal. Judgement.
    equal: float = 0.4
    # The same where table was bared: squaring up a pile lays no card. Judgement.
    equal_if_bared: float = 0.05
    # Area of table bared for that; laying a card pushes others by less. Judgement.
    bared: float = 0.06
    # Share of a pushed card's changes that noise and shadows make alone. Judgement.
    remained: float = 0.15
    # Differing share of the same face, unturned; an 8 and a 0 differ by more. Judgement.
    alike: float = 0.015
    # Differing share of a face turned round. Fitted on drawn rounds: 0.3 and more of turned cards,
    # 0.1 and less of pushed ones.
    turned: float = 0.25
    # Probability from which a top may be an earlier one. Judgement.
    earlier_named: float = 0.3
    # Differing share up to which the view is the one with an earlier top. Judgement.
    earlier_differs: float = 0.1
    # Earlier tops that may show again, pushed a little. Judgement.
    earlier_tops: int = 3
    # Farthest that image registration may correct the corners. Judgement.
    registration: float = 0.06
    # Inpainting radius, in pixels, where the empty place was never seen. Judgement.
    inpaint: int = 3
    # Earlier tops remembered. Judgement.
    history: int = 16


@dataclass(frozen=True, slots=True)
class HandThresholds:
    """What hands carried to the pile and away from it; areas are of the card's colours."""

    # Area that has to come with a hand and stay for a card to have been laid. Judgement.
    brought: float = 0.1
    # The same where the pile looks unchanged: who lays a card exactly holds it still. Judgement.
    brought_unseen: float = 0.25
    # Area below which the hand came empty. Judgement.
    nothing_brought: float = 0.03
    # Likelihood of the first reading at the threshold beyond which it would be reported without a
    # question; even at the opposite one. 5/6 makes the middle 2/3. Judgement.
    surest_open: float = 5 / 6
    # Factor by which a colour may show more on one way than on the other. Judgement.
    light_factor: float = 1.5
    # Share of a card's pixels that makes a colour one of its own. Judgement.
    own_colour: float = 0.015
    # Share of the pile hidden by a hand that may touch a card. Judgement.
    touch: float = 0.03
    # Share hidden by a hand that is over the pile. Judgement.
    over: float = 0.2
    # Seconds for which an arriving hand is assumed empty of the pile's cards. Judgement.
    grasp: float = 0.15
    # Frames over the pile that count as arriving; later ones show what it does there. Judgement.
    arriving_over: int = 2
    # The same of a leaving hand. Judgement.
    leaving_over: int = 1
    # Frames on the way that make a hand well seen. Judgement.
    seen_arriving: int = 2
    # Latest frames of a visit that are kept. Judgement.
    longest: int = 240
    # Pixels along the view's edge, over all frames, that show an arm. Judgement.
    least_arm: float = 30.0
    # Agreement of directions that makes it one arm; opposite arms give 0. Judgement.
    one_arm: float = 0.75


@dataclass(frozen=True, slots=True)
class CoveredThresholds:
    """Cards laid and covered before the pile was still, and the frames kept to find them."""

    # Interval of the frames kept while something moves. Judgement.
    keep_every: float = 0.1
    # Age up to which they are kept; laying a card takes a second or two. Judgement.
    keep_for: float = 4.0
    # Motionless area that makes a rest; rests differ by more. Judgement.
    least_still: float = 0.3
    # Rests searched for cards. Judgement.
    rests: int = 4
    # Frames of each rest that are recognised; each costs a reading. Judgement.
    frames: int = 2
    # Probability that rules out that a card is the known one. Judgement.
    possible: float = 0.001
    # Probability from which one frame is enough. Fitted on drawn hands: 0.9999 and more of cards
    # that were laid, 0.991 and 0.998 of two that were not.
    clear: float = 0.999
    # Probability from which two frames are enough. Judgement.
    likely: float = 0.9
    # Distance within which two sightings are of one card. Judgement.
    same_place: float = 0.05
    # Width around the new top in which changes are ignored. Judgement.
    rim: float = 0.045
    # Area changed around the new top if another card came. Fitted on drawn hands: 0.055 and more in
    # 7 cases with two cards, 0.024 and less in 50 of 51 with one.
    least_beyond: float = 0.02
    # Share of that area that the card explains if it lay there. Judgement.
    explains: float = 0.7
    # Pixels required in addition to ``StillThresholds.least_proof``. Judgement.
    least_pixels: int = 4
    # Vanished share below which the card still lies there. Judgement.
    still_there: float = 0.5
    # Vanished share from which it never lay there. Judgement.
    vanished: float = 0.75
    # Hidden share from which a hand may have been holding it. Judgement.
    held: float = 0.02


@dataclass(frozen=True, slots=True)
class IncomingThresholds:
    """Equal cards seen in the hand that brings them."""

    # Shortest time to take hold of a card on the pile. Judgement.
    grasp: float = 0.25
    # Probability of a card read in a hand. Judgement.
    clear: float = 0.9
    # Detour from the straight way between the two places; corners are inexact. Judgement.
    detour: float = 0.15


@dataclass(frozen=True, slots=True)
class EmptyThresholds:
    """When the pile's place shows no card."""

    # Share that may differ from the empty place seen before. Judgement.
    differs: float = 0.06
    # Contrast of the place against that of the table around it; mats have outlines. Judgement.
    busier: float = 1.6
    # Mean contrast of a table without a pattern. Judgement.
    plain: float = 0.05
    # Share of the place in colours that the table lacks. Judgement.
    foreign: float = 0.25
    # Share of the table that makes a colour one of its own. Judgement.
    common: float = 0.004


@dataclass(frozen=True, slots=True)
class DrawPileThresholds:
    """Whether a card came straight from the draw pile."""

    # Longer side of the view of its place. Judgement.
    pixels: int = 96
    # Share of the place that moves or differs when a hand arrives. Judgement.
    over: float = 0.1
    # The same while it stays: a hand that takes a card shows little but fingers. Judgement.
    still_over: float = 0.03
    # Interval of the views whose median is how the place usually looks. Judgement.
    usual_every: float = 0.4
    # Views in that median. Judgement.
    usual_of: int = 15
    # Fewest views for it. Judgement.
    usual_least: int = 5
    # Pause in which a hand may be overlooked. Judgement.
    pause: float = 0.2
    # Shortest time to pick up a card. Judgement.
    grasp: float = 0.25
    # Longest way from the draw pile to the discard pile. Judgement.
    way: float = 0.3
    # Longest time a hand stays; what stays longer is part of the place. Judgement.
    longest: float = 4.0
    # Probability that a card came from there if a hand seems to have brought it. Measured on drawn
    # hands by ``python -m lab.measure.track_drawpile``.
    from_there: float = 0.99
    # The same if no hand seems to have. Measured likewise.
    from_elsewhere: float = 0.005


@dataclass(frozen=True, slots=True)
class SightThresholds:
    """When a camera counts as blind."""

    # Seconds without pictures, or without the pile, before it is reported. Judgement.
    patience: float = 3.0
    # Seconds for which arms may hide everything that locates the pile. Judgement.
    covered: float = 30.0
    # Seconds of one identical picture; streams may repeat one for a while. Judgement.
    frozen: float = 12.0


@dataclass(frozen=True, slots=True)
class Thresholds:
    """All thresholds of the pile tracker."""

    view: ViewThresholds = ViewThresholds()
    motion: MotionThresholds = MotionThresholds()
    change: ChangeThresholds = ChangeThresholds()
    reading: ReadingThresholds = ReadingThresholds()
    occlusion: OcclusionThresholds = OcclusionThresholds()
    still: StillThresholds = StillThresholds()
    hands: HandThresholds = HandThresholds()
    covered: CoveredThresholds = CoveredThresholds()
    incoming: IncomingThresholds = IncomingThresholds()
    empty: EmptyThresholds = EmptyThresholds()
    draw_pile: DrawPileThresholds = DrawPileThresholds()
    sight: SightThresholds = SightThresholds()
