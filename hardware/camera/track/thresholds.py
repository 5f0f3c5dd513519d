"""Every number that decides what the pile tracker reports, grouped by stage.

Unless a comment says otherwise, lengths are shares of a card's height, areas are shares of a card's
area, times are seconds, and pixels are those of the watched view, where a card is about 140 high.

Numbers that name no data were chosen by judgement, and kept because drawn films came out right with
them (``python -m lab.measure track``).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ViewThresholds:
    """The watched part of the frame, and when it counts as blank."""

    # Watched border around the pile's place, in shares of its longer side: enough to see a hand
    # arrive, too little to see the neighbour's place.
    margin: float = 0.35
    # How far is watched from the place's middle at least, in card heights: nearly as far as on the
    # mat. A card of which a quarter lies in a place marked too tightly reaches no further.
    reach: float = 1.0
    # Longer side of the view. A card's 4 mm border is then 6 wide, so a 2 mm push shows.
    pixels: int = 320
    # Pixels by which the view's size may change before the tracker starts over.
    size_slack: int = 12
    smallest_place: float = 400.0  # Smallest usable place, in square pixels of the frame.
    smallest_crop: int = 16  # Smallest usable cut-out, in pixels of the frame.
    dark: float = 24.0  # Brightness of 255 that the brightest hundredth of a usable view reaches.
    flat: float = 0.5  # Deviation of brightness that the noise of any sensor exceeds.
    # Brightness by which a dark table may vary between frames; a dead signal is darker.
    dark_table: float = 6.0


@dataclass(frozen=True, slots=True)
class SteadyThresholds:
    """Registering frames of a camera that trembles."""

    # Distance between the place by the last registration and that by the follower, in shares of
    # the frame's longer side, from which the follower is right: twice what followers ignore.
    farthest: float = 0.005
    tremble_over: float = 2.0  # Time over which trembling is measured.
    least_frames: int = 5  # Fewest frames to measure it in.


@dataclass(frozen=True, slots=True)
class MotionThresholds:
    """When something moves, when the pile is still, and when the camera was knocked."""

    # Change of local contrast that counts as movement; flicker and exposure stay below.
    contrast: float = 0.07
    over_noise: float = 6.0  # The same in deviations of the camera's noise, for dark rooms.
    lag: float = 0.09  # Age of the second frame each one is compared with, to notice slow hands.
    smallest: float = 0.001  # Smallest moving share of the view; a fingertip is ten times as large.
    # Time the pile has to be still before a reading counts: two frames at 30 a second.
    still_for: float = 0.06
    # Pause between frames after which anything may have happened unseen: laying two cards takes
    # longer, and one is told from the still views before and after.
    gap: float = 2.0
    # Pause between frames from which a pixel to either side is no movement. Composed films at two
    # to four pictures a second, of a camera that trembles by a pixel, never came to rest without.
    sparse: float = 0.15
    # Interval at which the picture of the still pile is renewed, to follow the light, and at
    # which what hides it without a movement is read.
    refresh: float = 0.5
    # Time after which something motionless is no hand. Hands rest on a card for seconds.
    static_after: float = 6.0
    # Time after which motionless surroundings that look different for the most part are another
    # view, as of a phone that was turned, if all the picture does; and that share of them. By
    # judgement: arms hide a third of them.
    replaced_after: float = 1.0
    replaced: float = 0.5
    # Share of a card along its edge where a hand that touches it lies.
    touch: float = 0.01
    # Share of the place or of the top card that a hand over the pile hides.
    over_pile: float = 0.08
    # Farthest knock of the camera that is followed, in shares of the view's longer side.
    farthest_knock: float = 0.4
    # Share around the place that may still differ once a knock is undone.
    knock_differs: float = 0.08
    # Undoing a knock has to leave less than this share of the earlier differences.
    knock_explains: float = 0.5
    knock_overlap: float = 0.5  # Share of the surroundings that both views have to show for that.


@dataclass(frozen=True, slots=True)
class ChangeThresholds:
    """When a spot counts as changed between two still views."""

    structure: float = 0.14  # Change of local contrast; smoothed noise stays below half of it.
    colour: float = 0.06  # Change of a colour's share; white balance stays below.
    level: float = 0.5  # Change of brightness, as a logarithm, that no shadow explains.
    # A change of contrast counts where brightness changed by ``level`` / ``spot`` too.
    spot: float = 4.0
    # Distance beyond the neighbouring pixels that counts, in units of the above.
    beyond: float = 0.6
    untouched: float = 0.012  # Changed share up to which a place counts as untouched.


@dataclass(frozen=True, slots=True)
class ReadingThresholds:
    """Choosing the top card, and when enough frames agree."""

    agree: int = 2  # Sure readings of one card that decide; a single one may be of a moving card.
    outvote: int = 2  # Further readings that the winner needs for each one of another card.
    certain: float = 0.995  # Probability from which a frame that shows the same is not read again.
    clear: float = 0.98  # Probability below which the rotated picture is read too.
    tries: int = 6  # Readings after which an unsure card is reported: a fifth of a second.
    least: float = 0.3  # Mean probability below which a card counts as unread.
    unread_after: float = 1.5  # Seconds to retry before asking a player.
    again: float = 0.15  # Interval of readings after the first ``tries``.
    retries: int = 20  # How often an unread top is tried again, ``unread_after`` seconds each.
    blank_tries: int = 3  # Readings without any card before the place may be reported empty.
    same_place: float = 0.06  # Distance within which readings are of the same, motionless card.
    # Differing share up to which all of a card shows; an uncovered corner is more.
    whole: float = 0.08
    covered: float = 0.4  # Differing share from which something else lies there.
    lookalikes: int = 3  # Cards of a deck that may look the same; their probabilities are added.
    news_weight: float = 0.5  # Weight of the newly changed share of a card against its probability.
    whole_weight: float = 0.5  # Weight of a visible middle against its probability.
    # Probability by which a rival above may be read worse than the card it covers.
    rival_lag: float = 0.05
    beside: float = 0.1  # Overlapping share below which a card lies beside another.
    # Share of a card in the pile's place from which it is the pile's though its middle lies beyond:
    # of a card that is held beside a place of usual size less is seen over it. By judgement.
    inside: float = 0.25
    same_card: float = 0.2  # Distance of middles within which two outlines are of one card.
    # Probability that an unread top is the earlier card, from which it is taken for it.
    resolved: float = 0.5


@dataclass(frozen=True, slots=True)
class OcclusionThresholds:
    """Judging which of two overlapping cards is on top (``python -m lab.measure order``)."""

    edge: float = 14.0  # Difference of 255 across an edge, in any colour.
    # Distance in pixels inside the other card from which edges count: past its border.
    inside: int = 9
    least_edge: int = 12  # Fewest pixels of edge to judge by.
    upper: float = 0.6  # Visible share of the upper card's edge.
    lead: float = 0.2  # Lead of the upper card's visible share over the lower card's.
    # Visible share of the lower card's edge; above, one of the two is another edge.
    lower: float = 0.7
    rim: int = 4  # Pixels beside an outline whose colours are ignored.
    least_alone: int = 60  # Fewest uncovered pixels of a card to take its colour from.
    least_overlap: float = 0.15  # Smallest overlap, as a share of the card, to compare colours in.
    # Share of the uncovered part that has the card's colour; black cards have less.
    plain: float = 0.35
    # Below this share of its colour the overlap counts as covered. Fitted on drawn films: 0.02 and
    # less of lower cards, 0.24 and more of upper ones.
    remaining: float = 0.2
    own_tint: float = 0.15  # Share from which a tint is one of the card's own.
    vivid: int = 80  # Saturation of 255 below which a pixel has no tint.
    lit: int = 35  # Brightness of 255 below which a pixel has no tint.
    outline_error: int = 3  # Pixels by which an outline may be off.


@dataclass(frozen=True, slots=True)
class StillThresholds:
    """Inferring what happened from the still views before and after."""

    # Movement below which a card has not moved: twice the error of its corners.
    same_place: float = 0.015
    near: float = 0.25  # Movement up to which a card may have been pushed.
    rim: float = 0.016  # Error of corners; nothing is concluded this close to an edge.
    least_proof: float = 0.006  # Smallest area that proves anything.
    # Divides the area where the card below is unknown: it may look alike there.
    unknown_below: float = 3.0
    # Area that changed beside a top that lies as before, from which something may have been laid
    # there. In drawn films 0.8 of cards laid, up to 0.1 of disturbances.
    beside: float = 0.15
    alike: float = 0.015  # Differing share of the same face, unturned; an 8 and a 0 differ by more.
    # Differing share of a face turned round. Fitted on drawn rounds: 0.3 and more of turned cards,
    # 0.1 and less of pushed ones.
    turned: float = 0.25
    earlier_named: float = 0.3  # Probability from which a top may be an earlier one.
    registration: float = 0.06  # Farthest that image registration may correct the corners.
    # Share of a card that differs where it lay, below which it stayed there though its outline was
    # read elsewhere. By judgement: noise and soft light make up to 0.07 in films of another making.
    unmoved: float = 0.08
    history: int = 16  # Earlier tops remembered.


@dataclass(frozen=True, slots=True)
class OutcomeThresholds:
    """What is done with the probabilities of what happened."""

    # Probability from which an outcome is reported without a question. A question costs 1 and a
    # wrong ruling 50, so asking is cheaper below 1 - 1 / 50.
    certain: float = 0.98
    possible: float = 0.01  # Probability from which an outcome is looked into, and told.


@dataclass(frozen=True, slots=True)
class HandThresholds:
    """Measuring what hands carried to and from the pile; areas are of the card's colours."""

    # Factor by which a colour may show more on one way than on the other.
    light_factor: float = 1.5
    own_colour: float = 0.015  # Share of a card's pixels that makes a colour one of its own.
    touch: float = 0.03  # Share of the pile hidden by a hand that may touch a card.
    over: float = 0.2  # Share hidden by a hand that is over the pile.
    grasp: float = 0.15  # Seconds for which an arriving hand is assumed empty of the pile's cards.
    # Frames over the pile that count as arriving; later ones show what it does there.
    arriving_over: int = 2
    leaving_over: int = 1  # The same of a leaving hand.
    longest: int = 240  # Latest frames of a visit that are kept.
    # Share of the view by which what hands hide grows when another one comes: 0.03 and more in
    # rendered films, where cards that somebody holds sway by less than 0.01.
    comes: float = 0.025
    least_arm: float = 30.0  # Pixels along the view's edge, over all frames, that show an arm.
    one_arm: float = 0.75  # Agreement of directions that makes it one arm; opposite arms give 0.


@dataclass(frozen=True, slots=True)
class CoveredThresholds:
    """Cards laid and covered before the pile was still, and the frames kept to find them."""

    keep_every: float = 0.1  # Interval of the frames kept while something moves.
    keep_for: float = 4.0  # Age up to which they are kept; laying a card takes a second or two.
    least_still: float = 0.3  # Motionless area that makes a rest; rests differ by more.
    rests: int = 4  # Rests searched for cards.
    frames: int = 2  # Frames of each rest that are recognised; each costs a reading.
    possible: float = 0.001  # Probability that rules out that a card is the known one.
    # Probability from which one frame is enough. Fitted on drawn hands: 0.9999 and more of cards
    # that were laid, 0.991 and 0.998 of two that were not.
    clear: float = 0.999
    likely: float = 0.9  # Probability from which two frames are enough.
    same_place: float = 0.05  # Distance within which two sightings are of one card.
    rim: float = 0.045  # Width around the new top in which changes are ignored.
    # Area changed around the new top if another card came. Fitted on drawn hands: 0.055 and more in
    # 7 cases with two cards, 0.024 and less in 50 of 51 with one.
    least_beyond: float = 0.02
    explains: float = 0.7  # Share of that area that the card explains if it lay there.
    least_pixels: int = 4  # Pixels required in addition to ``StillThresholds.least_proof``.
    older: float = (
        0.1  # Share of what shows of it now that changed, below which it lay there before.
    )
    still_there: float = 0.5  # Vanished share below which the card still lies there.
    vanished: float = 0.75  # Vanished share from which it never lay there.
    held: float = 0.02  # Hidden share from which a hand may have been holding it.
    # Time in which a card may be laid and covered by another, neither of them seen.
    hidden_for: float = 2.0
    shown: float = 0.1  # Share of such a card that shows below the top.
    # Probability that it was laid where a hand that may have held it hid little; even where all.
    surest: float = 5 / 6
    # Time for which hands are over the pile at least to lay two cards. In drawn films 0.7 to 1.0,
    # and for four fifths of single cards less.
    twice: float = 0.7
    unseen: float = 0.5  # Probability that a card was laid if nothing of it shows any more.
    unseen_rests: int = 2  # Rests searched for such a card.


@dataclass(frozen=True, slots=True)
class HeldThresholds:
    """Cards held above the pile."""

    # Size against that of cards that lie, from which a card is nearer to the camera: 60 mm at a
    # distance of 600 mm. Rendered cards of fans have 1.10 to 1.21, outlines are off by up to 0.08.
    larger: float = 1.1
    # Share of a card that came with what reaches the view's edge, from which a hand may hold it.
    # By judgement: where it looks like what lies below, nothing has come.
    came: float = 0.25
    # Width of what reaches the view's edge beside a card, from which it is a hand. By
    # judgement: a finger has 0.18, and a strip beside an outline that was off more than 0.06.
    finger: float = 0.12
    # Time after which what looks held lies, if nothing moves anywhere. By judgement: nobody holds
    # cards that still for a minute.
    lies_after: float = 60.0


@dataclass(frozen=True, slots=True)
class EmptyThresholds:
    """When the pile's place shows no card."""

    differs: float = 0.06  # Share that may differ from the empty place seen before.
    # Contrast of the place against that of the table around it; mats have outlines.
    busier: float = 1.6
    plain: float = 0.05  # Mean contrast of a table without a pattern.
    foreign: float = 0.25  # Share of the place in colours that the table lacks.
    common: float = 0.004  # Share of the table that makes a colour one of its own.


@dataclass(frozen=True, slots=True)
class DrawPileThresholds:
    """Whether a card came straight from the draw pile."""

    pixels: int = 96  # Longer side of the view of its place.
    over: float = 0.1  # Share of the place that moves or differs when a hand arrives.
    # The same while it stays: a hand that takes a card shows little but fingers.
    still_over: float = 0.03
    usual_every: float = 0.4  # Interval of the views whose median is how the place usually looks.
    usual_of: int = 15  # Views in that median.
    usual_least: int = 5  # Fewest views for it.
    pause: float = 0.2  # Pause in which a hand may be overlooked.
    grasp: float = 0.25  # Shortest time to pick up a card.
    way: float = 0.3  # Longest way from the draw pile to the discard pile.
    longest: float = 4.0  # Longest time a hand stays; what stays longer is part of the place.
    # Probability that a card came from there if a hand seems to have brought it. Measured on drawn
    # hands by ``python -m lab.measure drawpile``.
    from_there: float = 0.99
    from_elsewhere: float = 0.005  # The same if no hand seems to have. Measured likewise.


@dataclass(frozen=True, slots=True)
class SightThresholds:
    """When a camera counts as blind."""

    patience: float = 3.0  # Seconds without pictures, or without the pile, before it is reported.
    covered: float = 30.0  # Seconds for which arms may hide everything that locates the pile.
    frozen: float = 12.0  # Seconds of one identical picture; streams may repeat one for a while.


@dataclass(frozen=True, slots=True)
class Thresholds:
    """All thresholds of the pile tracker."""

    view: ViewThresholds = ViewThresholds()
    steady: SteadyThresholds = SteadyThresholds()
    motion: MotionThresholds = MotionThresholds()
    change: ChangeThresholds = ChangeThresholds()
    reading: ReadingThresholds = ReadingThresholds()
    occlusion: OcclusionThresholds = OcclusionThresholds()
    still: StillThresholds = StillThresholds()
    outcome: OutcomeThresholds = OutcomeThresholds()
    hands: HandThresholds = HandThresholds()
    covered: CoveredThresholds = CoveredThresholds()
    held: HeldThresholds = HeldThresholds()
    empty: EmptyThresholds = EmptyThresholds()
    draw_pile: DrawPileThresholds = DrawPileThresholds()
    sight: SightThresholds = SightThresholds()
