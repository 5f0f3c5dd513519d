"""Moves that the referee must rule illegal, each with the rule it breaks."""

from collections.abc import Callable, Iterator

from referee.demo.players.dealer import can_be_doubted, stacks
from referee.demo.players.player import Attempt, Player, Public, may_jump_in
from referee.rules import actions as act
from referee.rules.actions import Move


def illegal_move(player: Player, public: Public) -> Attempt | None:
    """Choose an illegal move for a seat; None if there is none."""
    if player.seat in player.memory.out:
        return Attempt(act.Draw(player.seat), "turn.order")
    if public["turn"] is None:
        kinds: tuple[Callable[[Player, Public], Iterator[Attempt]], ...] = (after_round, bad_reveal)
    else:
        kinds = KINDS
    attempts = [attempt for kind in kinds for attempt in kind(player, public)]
    return player.rng.choice(attempts) if attempts else None


def _needs(player: Player, public: Public) -> set[str]:
    return {n["need"] for n in public["awaiting"] if n["seat"] == player.seat}


def _any_card(player: Player) -> Iterator[str]:
    hand = player.hand()
    if hand:
        yield player.rng.choice(hand)


def after_round(player: Player, public: Public) -> Iterator[Attempt]:
    """Playing on after the round."""
    moves: list[Move] = [act.Draw(player.seat), act.Pass(player.seat), act.CallUno(player.seat)]
    moves += [act.Play(player.seat, name) for name in _any_card(player)]
    for move in moves:
        yield Attempt(move, "round.over")


def out_of_turn(player: Player, public: Public) -> Iterator[Attempt]:
    """Playing, drawing or passing on somebody else's turn, or playing twice."""
    if public["turn"] == player.seat:
        return
    more = player.memory.follow_up
    yield Attempt(act.Draw(player.seat), "turn.order")
    if more is None or more.seat != player.seat:
        for name in _any_card(player):
            if not may_jump_in(player, name, public):
                yield Attempt(act.Play(player.seat, name), "turn.order")
        if not _needs(player, public) & {"discard", "powers"}:
            yield Attempt(act.Pass(player.seat), "turn.order")


def wrong_card(player: Player, public: Public) -> Iterator[Attempt]:
    """Playing a card that does not match, or that the deck does not have."""
    if public["turn"] != player.seat:
        return
    if "respond" in _needs(player, public) and player.dealer.options.stacking != "off":
        yield from _while_hit(player, public)
        return
    if not _needs(player, public) & {"play", "drawn"}:
        for name in _any_card(player):
            yield Attempt(act.Play(player.seat, name), "round.awaiting")
        yield Attempt(act.Draw(player.seat), "round.awaiting")
        return
    yield Attempt(act.Play(player.seat, "purple-7"), "deck.unknown")
    drawn = "drawn" in _needs(player, public)
    cards = player.dealer.drawn(player.seat) if drawn else player.hand()
    bad = [n for n in cards if n in player.hand() and not player.matches(n, public)]
    if bad:
        name = player.rng.choice(bad)
        yield Attempt(act.Play(player.seat, name), _why(player, name, public))


def _while_hit(player: Player, public: Public) -> Iterator[Attempt]:
    """Answering a draw card with something else."""
    yield Attempt(act.Draw(player.seat), "house.stacking")
    yield Attempt(act.Pass(player.seat), "house.stacking")
    for name in _any_card(player):
        if not stacks(player.dealer, name, public["top"]):
            yield Attempt(act.Play(player.seat, name), "house.stacking")


def bad_swap(player: Player, public: Public) -> Iterator[Attempt]:
    """Swapping hands with oneself, with nobody, or without a 7."""
    needs = _needs(player, public)
    if "swap" in needs:
        for other in (player.seat, 0, player.dealer.seats + 1, *player.memory.out):
            yield Attempt(act.Swap(player.seat, other), "house.seven")
    else:
        yield Attempt(act.Swap(player.seat, player.rng.choice(player.others())), "round.awaiting")


def bad_count(player: Player, public: Public) -> Iterator[Attempt]:
    """Drawing no card, or more than the table draws or has."""
    if "play" not in _needs(player, public) or player.seat in player.memory.raised:
        return
    there = len(player.dealer.draw_pile) + len(player.dealer.discard_pile) - 1
    most = min(there, 1) if player.dealer.options.draw_until == "one" else there
    for count in (0, most + 1):
        yield Attempt(act.Draw(player.seat, count), "draw")


def _why(player: Player, name: str, public: Public) -> str:
    card, top = player.dealer.card(name), player.dealer.card(public["top"])
    if player.memory.opening and top.symbol == "take-two-towers":
        return "opening.take-two-towers"
    return "match.icon" if card.icon and card.icon == top.icon else "match"


def draw_twice(player: Player, public: Public) -> Iterator[Attempt]:
    """Drawing twice, or passing without drawing."""
    needs = _needs(player, public)
    if "drawn" in needs:
        yield Attempt(act.Draw(player.seat), "draw")
    elif "play" in needs:
        more = player.memory.follow_up
        if more is None or more.seat != player.seat:
            yield Attempt(act.Pass(player.seat), "draw")


def catch_without_cause(player: Player, public: Public) -> Iterator[Attempt]:
    """Catching oneself, or somebody who owes no call."""
    for seat in range(1, player.dealer.seats + 1):
        if seat == player.seat or seat not in player.memory.owed:
            yield Attempt(act.Catch(player.seat, seat), "uno.catch")


def unasked(player: Player, public: Public) -> Iterator[Attempt]:
    """Answering a question that nobody asked."""
    needs, seat = _needs(player, public), player.seat
    if "color" not in needs:
        yield Attempt(act.NameColor(seat, "red"), "card.wild")
    there = "wild-draw-four" in player.dealer.ruleset.deck.cards
    free = there and player.dealer.options.wild_draw_four == "free"
    if "respond" not in needs:
        yield Attempt(act.Accept(seat), "challenge")
    doubtful = can_be_doubted(player.dealer, public["top"], player.memory.flipped)
    if "respond" not in needs or not doubtful:
        yield Attempt(act.Challenge(seat), "house.free-wild" if free else "challenge")
    if "reveal" not in needs:
        yield Attempt(act.Reveal(seat, player.hand()), "round.awaiting")
    if "report" not in needs:
        yield Attempt(act.Report(seat, 1), "round.awaiting")
    if "judge" not in needs:
        yield Attempt(act.Judge(seat, True), "round.awaiting")
    if "discard" not in needs:
        yield Attempt(act.Discard(seat, count=1), "round.awaiting")
    open_to = {offer.seat for offer in player.memory.offers}
    if "powers" not in needs and seat not in open_to:
        names = tuple(player.dealer.ruleset.powers[:1]) or ("U",)
        yield Attempt(act.ChoosePowers(seat, names), "round.awaiting")


def bad_reveal(player: Player, public: Public) -> Iterator[Attempt]:
    """Showing a hand with a card too few, too many, or one that does not exist."""
    hand = player.hand()
    if "reveal" not in _needs(player, public) or not hand:
        return
    yield Attempt(act.Reveal(player.seat, hand[1:]), "hand.count")
    yield Attempt(act.Reveal(player.seat, (*hand, hand[0])), "hand.count")
    yield Attempt(act.Reveal(player.seat, (*hand[1:], "purple-7")), "deck.unknown")


def bad_choice(player: Player, public: Public) -> Iterator[Attempt]:
    """Choosing more towers than the card allows, or one that the seat holds already."""
    if "powers" not in _needs(player, public):
        return
    held = [power for power, seat in public["powers"].items() if seat == player.seat]
    most = player.dealer.ruleset.choices[player.dealer.card(public["top"]).symbol]
    too_many = tuple(public["powers"])[: most + 1]
    yield Attempt(act.ChoosePowers(player.seat, too_many), "powers.choice")
    for power in held[:1]:
        yield Attempt(act.ChoosePowers(player.seat, (power,)), "powers.choice")


def bad_discard(player: Player, public: Public) -> Iterator[Attempt]:
    """Discarding two cards for wild-tales, or a coloured card where wilds are due."""
    if "discard" not in _needs(player, public):
        return
    hand = player.hand()
    rule = player.dealer.card(public["top"]).rule
    if rule == "card.wild-tales":
        if len(hand) > 1:
            yield Attempt(act.Discard(player.seat, cards=hand[:2]), rule)
            if player.seat in player.memory.bound:
                yield Attempt(act.Pass(player.seat), rule)
        return
    colored = tuple(name for name in hand if not player.dealer.card(name).wild)
    if colored:
        yield Attempt(act.Discard(player.seat, cards=colored[:1]), rule)
    yield Attempt(act.Discard(player.seat, count=len(hand) + 1), "hand.count")


def bad_gift(player: Player, public: Public) -> Iterator[Attempt]:
    """Giving cards without the power, cards that are not red, or to a seat protected by yellow."""
    powers, seat = public["powers"], player.seat
    if "red" not in powers or "reveal" in _needs(player, public):
        return
    cards = [(name, player.dealer.card(name).color == "red") for name in player.hand()]
    reds = tuple(name for name, red in cards if red)
    rest = tuple(name for name, red in cards if not red)
    shows = {need["seat"] for need in public["awaiting"] if need["need"] == "reveal"}
    receivers = [other for other in player.others() if other not in shows]
    if not receivers:
        return
    to = player.rng.choice(receivers)
    if powers["red"] != seat:
        if reds:
            yield Attempt(act.Give(seat, to, reds), "power.red")
        return
    if rest:
        yield Attempt(act.Give(seat, to, rest[:1]), "power.red")
    if reds:
        yield Attempt(act.Give(seat, seat, reds), "power.red")
        must_stay = shows or "respond" in _needs(player, public)
        if not rest and must_stay and powers["yellow"] != to:
            yield Attempt(act.Give(seat, to, reds), "round.awaiting")
        if powers["yellow"] in receivers:
            yield Attempt(act.Give(seat, powers["yellow"], reds), "power.yellow")


def bad_flip(player: Player, public: Public) -> Iterator[Attempt]:
    """Flipping without the power."""
    name = player.dealer.next_card()
    if name is None or "green" not in public["powers"]:
        return
    if public["turn"] != player.seat:
        yield Attempt(act.Flip(player.seat, name), "turn.order")
    elif "play" in _needs(player, public) and public["powers"]["green"] != player.seat:
        yield Attempt(act.Flip(player.seat, name), "power.green")


KINDS: tuple[Callable[[Player, Public], Iterator[Attempt]], ...] = (
    out_of_turn,
    wrong_card,
    draw_twice,
    catch_without_cause,
    unasked,
    bad_reveal,
    bad_choice,
    bad_discard,
    bad_gift,
    bad_flip,
    bad_swap,
    bad_count,
)
