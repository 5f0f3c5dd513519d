"""Power Grab (S0): four towers that protect their holders."""

from collections.abc import Mapping
from pathlib import Path

from referee.rules import actions as act
from referee.rules.cards import Card
from referee.rules.deck import Deck, Numbers, Symbol
from referee.rules.options import Options
from referee.rules.play import checks, standard_cards
from referee.rules.play import effects as fx
from referee.rules.play.moves import COMMON, PLAY_BEFORE_MATCH, choice_of_powers, play, rule_of_card
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.state import State
from referee.rules.ruleset import MoveRules, Ruleset
from referee.rules.rulings import Args

TOWERS = ("U", "N", "O", "!")
NUMBERS = Numbers(
    dict.fromkeys(range(1, 10), 2),
    per_color=18,
    icons=dict.fromkeys(TOWERS, 2),
    icon_rule="tower.take",
)
SYMBOLS = (
    standard_cards.action("draw-one", 2),
    standard_cards.action("draw-two", 2),
    standard_cards.action("skip", 2),
    standard_cards.action("reverse", 1),
    standard_cards.action("take-two-towers", 1),
    Symbol("wild-take-tower", 4, 50, "card.wild-take-tower", colored=False),
    standard_cards.WILD_DRAW_FOUR,
)

DRAWS = {**standard_cards.DRAWS, "draw-one": 1}


def take_icon(draft: Draft, seat: int, card: Card) -> None:
    """tower.take: the player takes the icon's tower, or may claim it by moving it (R22)."""
    if card.icon is None or draft.state.powers[card.icon] == seat:
        return
    if draft.state.game.options.tower_claim == "must-move":
        draft.emit(ev.PowerOffered(seat, card.icon))
    else:
        draft.take_power(seat, card.icon)


def all_four(draft: Draft, seat: int) -> None:
    """tower.all-four: discard down to one card and return the towers to the tray."""
    if any(holder != seat for holder in draft.state.powers.values()):
        return
    draft.discard_down(seat, 1)
    for tower in TOWERS:
        draft.emit(ev.PowerMoved(tower, 0, seat, "tower.all-four"))


def only_the_color(state: State, move: act.Play) -> Args | None:
    """opening.take-two-towers: the first card must match the colour or be wild (R5)."""
    if not state.opening or state.top is None:
        return None
    ruleset = state.game.ruleset
    if ruleset.deck.cards[state.top].symbol not in ruleset.matched_by_color:
        return None
    return checks.matches(state, move) and {"card": move.card, "color": state.color}


def icons_do_not_match(state: State, move: act.Play) -> Args | None:
    """match.icon: the same icon on another colour and number does not match."""
    cards = state.game.ruleset.deck.cards
    card = cards[move.card]
    if card.icon is None or state.top is None or cards[state.top].icon != card.icon:
        return None
    return checks.matches(state, move)


def points(card: Card, options: Options) -> int:
    """Return a card's points, by house rule for wild-take-tower (R12)."""
    return options.wild_tower_points if card.symbol == "wild-take-tower" else card.points


MOVES: Mapping[type, MoveRules] = {
    **COMMON,
    act.Play: MoveRules(
        (
            *PLAY_BEFORE_MATCH,
            ("opening.take-two-towers", only_the_color),
            ("match.icon", icons_do_not_match),
            ("match", checks.matches),
            ("powers.choice", checks.offered_powers),
        ),
        play,
        rule_of_card,
        "take-back",
    ),
    act.ChoosePowers: choice_of_powers("tower.take"),
}

RULESET = Ruleset(
    id="power-grab",
    name="Power Grab, 112 cards and four towers",
    deck=Deck(NUMBERS, SYMBOLS),
    folder=Path(__file__).parent,
    effects={**standard_cards.EFFECTS, "draw-one": fx.draw_and_lose(1)},
    openings={
        **standard_cards.OPENINGS,
        "draw-one": fx.open_with_draw(1),
        "take-two-towers": fx.open_with_number,
        "wild-take-tower": fx.open_with_wild,
    },
    moves=MOVES,
    powers=TOWERS,
    power_colors={"U": "red", "N": "blue", "O": "green", "!": "yellow"},
    power_rules=dict.fromkeys(TOWERS, "tower.protect"),
    protections={
        "draw-one": ("U",),
        "draw-two": ("N",),
        "wild-draw-four": ("O",),
        "skip": ("!",),
    },
    choices={"take-two-towers": 2, "wild-take-tower": 1},
    draws=DRAWS,
    last_draws=DRAWS,
    replaced=standard_cards.PUT_BACK,
    matched_by_color=frozenset({"take-two-towers"}),
    options=frozenset({"wild_tower_points", "tower_claim"}),
    points=points,
    gain=take_icon,
    collected=all_four,
)
