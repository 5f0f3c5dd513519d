"""What happens to people at tables of all five decks, and what somebody at each of them asks.

A line of a scene is a move as ``seat move card …``, or ``host kind …``: a correction. A scene ends
with what happens to its seat, which asks a question of a child's or a grandmother's.
"""

from dataclasses import dataclass, field, replace
from typing import Any

DO = "What do I have to do now?"
WHY = "Why can't I play?"
MANY = "How many do I draw?"
MEANS = "What has just happened to me?"
QUESTIONS = (DO, WHY, MANY, MEANS)
NAMES = ("Mia", "Oma", "Jo")


@dataclass(frozen=True)
class Scene:
    """``event`` is the banner's, ``need`` what the referee waits for from the seat, if anything.

    ``hands`` are counts that the host sets first, by seat; ``cards`` the custom cards in the game,
    by their place among the examples. ``players`` are at the table, Mia, who deals, first.
    """

    name: str
    deck: str
    lines: tuple[str, ...]
    seat: int
    asks: str
    event: str
    opening: str = "red-7"
    hands: dict[int, int] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    cards: tuple[int, ...] = ()
    players: int = 3

    @property
    def id(self) -> str:
        """Return the id that its texts have in the data files."""
        return f"{self.deck}.{self.name}"


FOUR = "2 play wild-draw-four color=blue"
# What Oma shows: with a card of the colour that was in force, and without.
BLUFF = "2 reveal hand=red-1,blue-1,blue-2,green-1,green-2,yellow-1"
HONEST = "2 reveal hand=blue-1,blue-2,green-1,green-2,yellow-1,yellow-2"
ALL_SHOWN = ("1 reveal hand=blue-9", "3 reveal hand=blue-8")


def classic(
    name: str, lines: tuple[str, ...], seat: int, asks: str, event: str, **more: Any
) -> Scene:
    """Return a scene with the 108-card deck."""
    return Scene(name, "classic-108", lines, seat, asks, event, **more)


CLASSIC = (
    classic("turn", (), 2, DO, "turn"),
    classic("opening-draw", (), 2, MANY, "draw", opening="red-draw-two"),
    classic("opening-skip", (), 2, WHY, "skipped", opening="red-skip"),
    classic("opening-reverse", (), 2, WHY, "reversed", opening="red-reverse"),
    classic("opening-wild", (), 2, DO, "color", opening="wild"),
    classic("draw-two", ("2 play red-draw-two",), 3, MANY, "draw"),
    classic("skip", ("2 play red-skip",), 3, WHY, "skipped"),
    classic("reverse", ("2 play red-reverse",), 3, WHY, "reversed"),
    classic("reverse-turn", ("2 play red-reverse",), 1, DO, "turn"),
    classic("reverse-of-two", ("2 play red-reverse",), 1, WHY, "skipped", players=2),
    classic("wild", ("2 play wild",), 2, DO, "color"),
    classic("draw-four", (FOUR,), 3, DO, "respond"),
    classic("accepted", (FOUR, "3 accept"), 3, MANY, "draw"),
    classic("challenged", (FOUR, "3 challenge"), 2, DO, "reveal"),
    classic("bluff-found-out", (FOUR, "3 challenge", BLUFF), 2, MANY, "draw"),
    classic("challenge-won", (FOUR, "3 challenge", BLUFF), 3, DO, "challenge-won"),
    classic("challenge-lost", (FOUR, "3 challenge", HONEST), 3, MANY, "draw"),
    classic("challenge-held", (FOUR, "3 challenge", HONEST), 2, MEANS, "challenge-held"),
    classic("caught", ("2 play red-1", "3 catch accused=2"), 2, MANY, "draw", hands={2: 2}),
    classic("catching", ("2 play red-1", "3 catch accused=2"), 3, MEANS, "catch", hands={2: 2}),
    classic(
        "caught-later",
        ("2 play red-1", "3 catch accused=2", "1 catch accused=2"),
        1,
        MEANS,
        "late",
        hands={2: 2},
    ),
    classic("drawn", ("2 draw",), 2, DO, "drawn"),
    classic("does-not-match", ("2 play blue-3",), 2, WHY, "illegal"),
    classic("not-ones-turn", ("3 play red-1",), 3, WHY, "illegal"),
    classic("drawn-twice", ("2 draw", "2 draw"), 2, WHY, "illegal"),
    classic("miscounted", (FOUR, "3 challenge", "2 reveal hand=red-1"), 2, DO, "illegal"),
    classic("uno-lapsed", ("2 uno", "2 draw", "2 pass"), 2, MEANS, "uno-lapsed", hands={2: 2}),
    classic("last-card-draws", ("2 play red-draw-two",), 3, MANY, "hands", hands={2: 1}),
    classic("round-won", ("2 play red-1",), 2, MEANS, "round-won", hands={2: 1}),
    classic("hand-to-show", ("2 play red-1",), 3, DO, "hands", hands={2: 1}),
    classic("scored", ("2 play red-1", *ALL_SHOWN), 2, MEANS, "scored", hands={1: 1, 2: 1, 3: 1}),
    classic(
        "round-lost", ("2 play red-1", *ALL_SHOWN), 3, MEANS, "round-lost", hands={1: 1, 2: 1, 3: 1}
    ),
    classic(
        "game-won",
        ("2 play red-1",),
        2,
        MEANS,
        "game-won",
        hands={2: 1},
        options={"scoring": "hand"},
    ),
    classic(
        "game-lost",
        ("2 play red-1",),
        3,
        MEANS,
        "game-lost",
        hands={2: 1},
        options={"scoring": "hand"},
    ),
    classic("proved", (FOUR, "3 accept", "1 play blue-2", "2 play red-2"), 2, MEANS, "proved"),
    classic("undone", ("2 play red-1", "host undo"), 2, DO, "undone"),
    classic("turn-gone", ("2 play red-1", "host undo"), 3, MEANS, "turn-gone"),
    classic("draw-undone", ("2 draw", "host undo"), 2, DO, "undone"),
    classic("spared", ("2 play red-draw-two", "host undo"), 3, DO, "hand-set"),
    classic("restored", ("2 play red-1", "host undo", "host redo"), 2, DO, "restored"),
    classic(
        "overruled", ("2 play blue-3", "host overrule move=1 verdict=legal"), 2, MEANS, "now-legal"
    ),
    classic(
        "overruled-other-way",
        ("2 play red-1", "host overrule move=1 verdict=illegal"),
        2,
        MEANS,
        "now-illegal",
    ),
    classic("other-card", ("2 play red-1", "host replace move=1 card=red-2"), 2, MEANS, "entered"),
    classic("hand-counted", ("host hand-count seat=3 count=5",), 3, MEANS, "hand-set"),
    classic("broken-off", ("host break-off",), 3, MEANS, "broken-off"),
    classic("twin", ("2 play red-1",), 2, DO, "follow-up", options={"identical_cards": True}),
)

SEVEN_ZERO = {"seven_zero": "on"}
STACKING = {"stacking": "same"}
OUT_AT_TEN = {"scoring": "elimination", "target": 10}
# Rules that a table may agree on, with any deck.
HOUSE = (
    classic("seven", ("2 play red-7",), 2, DO, "swap", options=SEVEN_ZERO),
    classic(
        "swapped", ("2 play red-7", "2 swap with=3"), 3, DO, "hands-passed", options=SEVEN_ZERO
    ),
    classic("zero", ("2 play red-0",), 3, DO, "hands-passed", options=SEVEN_ZERO),
    classic(
        "swap-undone",
        ("2 play red-7", "2 swap with=3", "host undo"),
        2,
        DO,
        "hands-back",
        hands={3: 5},
        options=SEVEN_ZERO,
    ),
    classic(
        "zero-undone",
        ("2 play red-0", "host undo"),
        2,
        DO,
        "hands-back",
        hands={3: 5},
        options=SEVEN_ZERO,
    ),
    classic(
        "zero-of-another-undone",
        ("2 play red-0", "host undo"),
        1,
        DO,
        "hands-back",
        hands={3: 5},
        options=SEVEN_ZERO,
    ),
    classic(
        "zero-restored",
        ("2 play red-0", "host undo", "host redo"),
        3,
        DO,
        "hands-passed",
        hands={3: 5},
        options=SEVEN_ZERO,
    ),
    classic(
        "stacked",
        ("2 play red-draw-two", "3 play blue-draw-two"),
        1,
        MANY,
        "respond",
        options=STACKING,
    ),
    classic(
        "stack-taken",
        ("2 play red-draw-two", "3 play blue-draw-two", "1 accept"),
        1,
        MANY,
        "draw",
        options=STACKING,
    ),
    classic(
        "stack-to-challenge",
        ("2 play wild-draw-four color=blue", "3 play wild-draw-four color=green"),
        1,
        DO,
        "respond",
        options=STACKING,
    ),
    classic(
        "stack-not-to-challenge",
        ("2 play wild-draw-four color=blue", "3 play wild-draw-four color=green"),
        1,
        DO,
        "respond",
        options={**STACKING, "wild_draw_four": "free"},
    ),
    classic(
        "out",
        ("2 play red-1", "1 reveal hand=blue-skip", "3 reveal hand=blue-8"),
        1,
        MEANS,
        "out",
        hands={1: 1, 2: 1, 3: 1},
        options=OUT_AT_TEN,
    ),
)

TWO_TOWERS = ("2 play red-take-two-towers", "2 powers powers=U,N")
TWO_MORE = ("3 play red-9", "1 play red-8", "2 play blue-8", "3 play blue-9", "1 play blue-7")


def towers(
    name: str, lines: tuple[str, ...], seat: int, asks: str, event: str, **more: Any
) -> Scene:
    """Return a scene with the four towers."""
    return Scene(name, "power-grab", lines, seat, asks, event, **more)


TOWERS = (
    towers("tower", ("2 play red-3:U",), 2, MEANS, "power-taken"),
    towers("tower-N", ("2 play red-3:N",), 2, MEANS, "power-taken"),
    towers("tower-O", ("2 play red-3:O",), 2, MEANS, "power-taken"),
    towers("tower-!", ("2 play red-3:!",), 2, MEANS, "power-taken"),
    towers("tower-lost", ("2 play red-3:U", "3 play red-5:U"), 2, DO, "power-lost"),
    towers(
        "tower-offered",
        ("2 play red-3:U",),
        2,
        DO,
        "power-offered",
        options={"tower_claim": "must-move"},
    ),
    towers("two-towers", ("2 play red-take-two-towers",), 2, DO, "powers"),
    towers("wild-tower", ("2 play wild-take-tower",), 2, DO, "color"),
    towers("draw-one", ("2 play red-draw-one",), 3, MANY, "draw"),
    towers(
        "safe-from-draw-one",
        ("2 play red-1", "3 play red-3:U", "1 play red-2", "2 play red-draw-one"),
        3,
        DO,
        "protected",
    ),
    towers(
        "safe-from-draw-two",
        ("2 play red-1", "3 play red-3:N", "1 play red-2", "2 play red-draw-two"),
        3,
        DO,
        "protected",
    ),
    towers(
        "safe-from-draw-four",
        ("2 play red-1", "3 play red-3:O", "1 play red-2", FOUR),
        3,
        DO,
        "protected",
    ),
    towers(
        "safe-from-skip",
        ("2 play red-1", "3 play red-3:!", "1 play red-2", "2 play red-skip"),
        3,
        DO,
        "protected",
    ),
    towers(
        "all-four",
        (*TWO_TOWERS, *TWO_MORE, "2 play blue-take-two-towers", "2 powers powers=O,!"),
        2,
        DO,
        "discarded",
    ),
    towers("icons", ("2 play red-3:U", "3 play blue-5:U"), 3, WHY, "illegal"),
)


def powers(
    name: str, lines: tuple[str, ...], seat: int, asks: str, event: str, **more: Any
) -> Scene:
    """Return a scene with the powers on stands."""
    return Scene(name, "color-powers", lines, seat, asks, event, **more)


def gains(color: str) -> str:
    """Return the line with which Oma gains a power and names red."""
    return f"2 play wild-power-{color} color=red"


POWERS = (
    *(
        powers(f"gains-{color}", (gains(color),), 2, MEANS, "power-taken")
        for color in ("red", "yellow", "green")
    ),
    powers("gains-blue", (gains("blue"),), 2, MEANS, "power-taken"),
    powers("lost", (gains("red"), "3 play wild-power-red color=blue"), 2, DO, "power-lost"),
    powers("choose", ("2 play wild-choose-power color=red",), 2, DO, "powers"),
    powers("gift", (gains("red"), "2 give to=3 cards=red-1,red-2"), 3, DO, "given"),
    powers(
        "gift-to-yellow",
        (
            "2 play wild-power-yellow color=red",
            "3 play wild-power-red color=blue",
            "3 give to=2 cards=red-1",
        ),
        3,
        WHY,
        "illegal",
    ),
    powers(
        "second-card",
        (gains("blue"), "3 play red-1", "1 play red-2", "2 play red-3"),
        2,
        DO,
        "follow-up",
    ),
    powers(
        "safe",
        ("2 play red-1", "3 play wild-power-yellow color=red", "1 play red-2", "2 play red-skip"),
        3,
        DO,
        "protected",
    ),
    powers(
        "turned-up",
        (gains("green"), "3 play red-1", "1 play red-2", "2 flip blue-draw-two"),
        3,
        MANY,
        "draw",
    ),
)


def moomin(
    name: str, lines: tuple[str, ...], seat: int, asks: str, event: str, **more: Any
) -> Scene:
    """Return a scene of Wild Tales."""
    return Scene(name, "moomin", lines, seat, asks, event, **more)


TALES = "2 play wild-tales color=blue"
MOOMIN = (
    moomin("discard", (TALES,), 3, DO, "discard"),
    moomin("single-card", (TALES,), 3, MANY, "draw", hands={3: 1}),
    moomin("draw-four", (FOUR,), 3, DO, "respond"),
    moomin("out-wins", ("2 play red-1",), 2, MEANS, "game-won", hands={2: 1}),
)


def custom(
    name: str, lines: tuple[str, ...], seat: int, asks: str, event: str, card: int, **more: Any
) -> Scene:
    """Return a scene with one of the example cards of the official deck."""
    return Scene(name, "classic-112", lines, seat, asks, event, cards=(card,), **more)


LAID = "2 play wild-custom-1 color=blue"
CUSTOM = (
    Scene("hands-in", "classic-112", ("2 play wild-shuffle color=blue",), 3, DO, "redealt"),
    Scene("shuffles", "classic-112", ("2 play wild-shuffle color=blue",), 2, DO, "redealing"),
    Scene(
        "shuffles-all",
        "classic-112",
        ("2 play wild-shuffle color=blue",),
        2,
        DO,
        "redealing",
        options={"shuffle_hands": "all"},
    ),
    custom("draw-until", (LAID,), 3, DO, "report", 0),
    custom("wilds-away", (LAID,), 1, DO, "discard", 1),
    custom("cannot-play", (LAID,), 3, MANY, "draw-raised", 2),
    custom("cannot-play-draws", (LAID, "3 draw"), 3, MANY, "draw", 2),
    custom("another-turn", (LAID,), 2, DO, "turn", 3),
    custom("up-to-seven", (LAID,), 3, MANY, "draw", 4, hands={3: 4}),
    custom("down-to-seven", (LAID,), 3, DO, "discarded", 4, hands={3: 9}),
    custom("open-hands", (LAID,), 3, DO, "open-hand", 6),
    custom("own-dare", (LAID,), 2, DO, "dare", 7),
    custom("dare-to-judge", (LAID,), 3, DO, "judge", 7),
    custom("dare-failed", (LAID, "3 judge passed=no"), 2, MANY, "draw", 7),
    custom("dare-passed", (LAID, "3 judge passed=yes"), 2, DO, "discarded", 7),
    custom("ban", (LAID,), 3, DO, "ban", 8),
    custom("dare", (LAID,), 3, DO, "dare", 9),
    custom("free-text", (LAID,), 3, DO, "card-says", 10),
)
SCENES = (*CLASSIC, *HOUSE, *TOWERS, *POWERS, *MOOMIN, *CUSTOM)

# What all decks have in common happens at each table, but for what a sheet does not have.
ZEROS = ("zero", "zero-undone", "zero-of-another-undone", "zero-restored")
ELSEWHERE = {
    "classic-112": set(),
    "moomin": {
        *("opening-draw", "opening-skip", "opening-reverse", "opening-wild"),
        *("last-card-draws", "game-won", "game-lost"),
    },
    "color-powers": {"opening-wild", "wild", *ZEROS},
    "power-grab": {"opening-wild", "wild", *ZEROS},
}
# Elsewhere it is told in the words of the first deck, unless a deck has a text of its own.
EVERYWHERE = tuple(
    replace(scene, deck=deck, options=({"scoring": "winner"} | scene.options))
    for deck, without in ELSEWHERE.items()
    for scene in (*CLASSIC, *HOUSE)
    if scene.name not in without
)
