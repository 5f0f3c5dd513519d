"""All numbers that decide what the watcher of the pile takes for what."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Lengths are shares of a card's height, times seconds, unless said otherwise.

    Attributes:
        margin: How far around the pile's place is watched, in shares of its longer side. A hand has
            to be seen coming before it is over the pile; more would watch the neighbour's place.
        pixels: Longer side of the watched picture. A card is then about 140 high: its white
            border, 4 mm, is 6 wide, enough to see a card moved by 2 mm.
        moving: How much the contrast of a spot changes between frames when something moves. Flicker
            and exposure leave contrast alone; fingers on any table change it by more than this.
        over_noise: The same in deviations of the camera's noise, for dark rooms.
        lag: So long ago is the second frame that each is compared with: a slow hand moves little
            from one frame to the next.
        least_moving: Which share of the watched picture has to move at least. Single spots are
            noise or insects; a fingertip is ten times as large.
        still_for: So long must the pile be still before what was read there is believed. Two frames
            at 30 a second: longer costs latency, shorter believes cards that are being let go.
        gap: After so long without a picture anything may have happened unseen.
        refresh: How often the picture of the still pile is renewed; slow changes of light are
            taken in so, and what began to move unnoticed in between is not.
        structure: How much contrast changes where something else lies. Noise after smoothing
            stays below half of it.
        colour: How much the share of a colour changes likewise; white balance below it.
        level: How much brighter or darker (as a logarithm) where even a shadow does not explain it.
        untouched: A place of which no more than this share changed is as it was.
        over_pile: A hand that hides this share of the place or of the top card is over it.
        agree: k of k of n: so many sure readings of the same card decide. A single one may be
            taken from a frame in which the card still moves.
        certain: Read as surely as this, a card is not read again in a frame that shows the same.
        clear: Read less surely than this, or in part only, a card is looked at once more, turned.
        readings: n: after so many the card is reported with what was read, sure or not. At 30
            frames a second it is a fifth of a second.
        least: A card read as likely as this, in the mean, has been read though not surely. Below,
            it is unread, and there is a picture to ask people about.
        unread_after: So long are readings tried before people are asked.
        again: How often readings are tried after the first n.
        retries: How often a top that people were asked about is tried again, each time for as long.
        same_place: A card that moved less than this has not moved: twice the error of corners.
        near: A card that moved less than this may have been pushed along.
        rim: Corners are that inexact; what is so near to an edge proves nothing.
        least_proof: On so small a share of a card's area nothing is proved.
        much_proof: On so much of it a push would show, and if it does not there was none.
        proof: Which share of the pixels where two readings differ has to speak for one of them.
        refuted: And below which it is refuted.
        equal: With this chance that the top is the same card as before, it is taken for equal.
        hardly: The same where the table shows now beside it and did not before: the pile was
            squared up, or pushed, and the same card may be read otherwise in another light.
        bared: So much of it, in areas of a card, has to show for that. It is more than is bared
            where a card that is laid pushes those below by a millimetre or two.
        remained: Where an equal card was laid, no more than this share changed of what the old top,
            below it, would have to change by having moved: noise and soft shadows leave less.
        alike: Two pictures of a top show the same face unturned if no more than this share of it
            differs. An 8 differs from a 0 by more, and the same face taken twice by less.
        turned: If more of the same face differs than this, it lies the other way round: in drawn
            rounds it was 0.3 and more of such, and 0.1 and less of cards that were pushed.
        brought: So much of a card's colours, in areas of the card, has to come with a hand and
            stay for a card to have been laid. What is blurred has few of them.
        brought_unseen: So much of them for people to be asked although the pile looks as before:
            who lays a card exactly on an equal one, to a pixel, has taken pains and held it still.
        nothing_brought: With less than this the hand came empty.
        keep_every: How often a picture is kept while something moves, to look back at.
        keep_for: How far back. Who brings a card to lay it takes a second or two.
        looked_back: In how many rests of what was kept cards are looked for after one was laid.
        static_after: Something in the way that has not moved at all for so long is no hand: hands
            tremble.
        history: How many earlier tops are remembered. More are not lifted one by one.
    """

    margin: float = 0.35
    pixels: int = 320
    moving: float = 0.07
    over_noise: float = 6.0
    lag: float = 0.09
    least_moving: float = 0.001
    still_for: float = 0.06
    gap: float = 1.0
    refresh: float = 0.5
    structure: float = 0.14
    colour: float = 0.06
    level: float = 0.5
    untouched: float = 0.012
    over_pile: float = 0.08
    agree: int = 2
    certain: float = 0.995
    clear: float = 0.98
    readings: int = 6
    least: float = 0.3
    unread_after: float = 1.5
    again: float = 0.15
    retries: int = 20
    same_place: float = 0.015
    near: float = 0.25
    rim: float = 0.016
    least_proof: float = 0.006
    much_proof: float = 0.02
    proof: float = 0.6
    refuted: float = 0.35
    equal: float = 0.4
    hardly: float = 0.05
    bared: float = 0.06
    remained: float = 0.15
    alike: float = 0.015
    turned: float = 0.25
    brought: float = 0.1
    brought_unseen: float = 0.25
    nothing_brought: float = 0.03
    keep_every: float = 0.1
    keep_for: float = 4.0
    looked_back: int = 4
    static_after: float = 2.0
    history: int = 16
