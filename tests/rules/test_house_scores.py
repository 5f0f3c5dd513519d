"""House rules that end a game or count otherwise, and options that make no sense together."""

import pytest

from referee.rules.engine import new_game, open_round
from referee.rules.play.rounds import RoundResult, break_off, count_round
from referee.rules.records.seating import SeatChange, change_seats
from referee.rules.rulings import RuleError
from tests.rules.builder import Table

FOUR = ["Ann", "Bo", "Cy", "Di"]


# Scores


def end_round(table: Table, winner: int, **hands: str) -> Table:
    """Let a seat go out; the others show one card each."""
    number = int(table.state.top[-1]) if table.state.top else 0
    table.given(
        hands=[1 if s in table.state.order else 0 for s in range(1, len(table.state.hands) + 1)]
    )
    table.given(turn=winner, awaiting=((winner, "play"),)).play(winner, f"red-{number - 1}")
    for seat, card in hands.items():
        rule = "house.teams" if table.state.game.options.teams else None
        table.legal(int(seat[1:]), "reveal", rule=rule, hand=[card])
    return table


def test_who_reaches_the_target_is_out() -> None:
    table = Table("classic-112", seats=4, hand_size=1, scoring="elimination", target=20)
    end_round(table, 2, s1="red-1", s3="red-skip", s4="red-2").has(
        winner=None, scores=[1, 0, 20, 2]
    )
    table.illegal(3, "uno", "turn.order").open("red-7", dealer=2).has(hands=[1, 1, 0, 1], turn=4)
    with pytest.raises(RuleError):
        Table("classic-112").open("red-7", dealer=9)
    end_round(table, 4, s1="red-skip", s2="blue-skip").has(winner=4, scores=[21, 20, 20, 2])


def test_an_out_seat_does_not_deal() -> None:
    table = Table("classic-112", seats=4, hand_size=1, scoring="elimination", target=20, dealer=2)
    end_round(table, 4, s1="red-1", s2="red-2", s3="red-skip")
    with pytest.raises(RuleError) as caught:
        table.open("red-7", dealer=3)
    assert caught.value.rule == "setup.dealer"


def test_a_round_broken_off_after_it_was_scored_takes_nobody_out() -> None:
    table = Table("classic-112", seats=4, hand_size=1, scoring="elimination", target=20, rounds=2)
    end_round(table, 2, s1="red-1", s3="red-skip", s4="red-2")
    table.state, _ = break_off(table.state, (0, 0, 0, 0))
    table.has(scores=[0, 0, 0, 0]).open("red-7").has(hands=[1, 1, 1, 1])
    end_round(table, 2, s1="red-1", s3="red-2", s4="red-3").has(winner=None)
    table.open("red-7", dealer=2)
    end_round(table, 3, s1="red-1", s2="red-2", s4="red-3").has(
        winner=[1, 2, 3], scores=[2, 2, 2, 6]
    )


def test_who_is_out_does_not_come_back() -> None:
    table = Table("classic-112", seats=4, hand_size=1, scoring="elimination", target=20)
    end_round(table, 2, s1="red-1", s3="red-skip", s4="red-2")
    for change in (SeatChange(order=(1, 2, 3, 4)), SeatChange(join={3: 20})):
        with pytest.raises(RuleError) as caught:
            change_seats(table.state, change)
        assert caught.value.rule == "house.elimination"
    assert change_seats(table.state, SeatChange(join={5: 2}))[0].order == (1, 2, 4, 5)


def test_nobody_joins_teams() -> None:
    table = Table("classic-108", seats=4, hand_size=1, teams=[[1, 3], [2, 4]])
    end_round(table, 2, s1="red-9", s3="blue-8", s4="red-skip")
    with pytest.raises(RuleError) as caught:
        change_seats(table.state, SeatChange(join={5: 0}))
    assert caught.value.rule == "house.teams"


def test_teams_score_and_win_together() -> None:
    table = Table("classic-108", seats=4, hand_size=1, teams=[[1, 3], [2, 4]], target=17)
    end_round(table, 2, s1="red-9", s3="blue-8", s4="red-skip")
    table.has(scores=[0, 17, 0, 0], team_scores=[0, 17], winner=[2, 4])
    hand = Table("classic-112", seats=4, scoring="hand", teams=[[1, 3], [2, 4]])
    hand.given(hands=[1, 1, 1, 1]).play(2, "red-5").has(winner=[2, 4])


def test_a_team_that_ties_shares_the_game() -> None:
    table = Table(
        "classic-108", seats=4, hand_size=1, teams=[[1, 3], [2, 4]], scoring="low", target=9
    )
    end_round(table, 2, s1="red-9", s3="red-1", s4="blue-9")
    table.has(scores=[9, 0, 1, 9], winner=[2, 4], team_scores=[10, 9])


def test_the_game_ends_after_its_rounds() -> None:
    table = Table("classic-108", seats=2, hand_size=1, rounds=2)
    end_round(table, 2, s1="red-9").has(winner=None, scores=[0, 9])
    table.open("red-7", dealer=2)
    end_round(table, 1, s2="blue-9").has(winner=[1, 2], scores=[9, 9])


def test_the_target_comes_before_the_last_round() -> None:
    assert new_game("classic-108", {"rounds": 2}, FOUR).game.options.target is None
    table = Table("classic-108", seats=2, hand_size=1, rounds=3, target=9)
    end_round(table, 2, s1="red-9").has(winner=2)


def result(table: Table, out: int, **hands: int | None) -> Table:
    """Enter a round by its result."""
    given = {int(seat[1:]): points for seat, points in hands.items()}
    table.state, _ = count_round(table.state, 0, RoundResult(out, given))
    return table


def between(seats: int, **options: object) -> Table:
    """Return a table before its first round."""
    table = Table("classic-108", seats=seats, **options)
    names = [f"Player {seat}" for seat in range(1, seats + 1)]
    table.state = new_game("classic-108", options, names)
    return table


def test_a_result_that_takes_all_but_one_out_ends_the_game() -> None:
    table = between(3, scoring="elimination", target=50)
    result(table, 1, s2=50, s3=60).has(winner=1, scores=[0, 50, 60])


def test_the_lowest_total_wins_where_all_that_are_left_are_taken() -> None:
    table = between(3, scoring="elimination", target=50)
    result(table, 1, s2=40, s3=40).has(winner=None)
    result(table, 2, s1=45, s3=5).has(winner=None, scores=[45, 40, 45])
    result(table, 2, s1=5, s3=5).has(winner=2, scores=[50, 40, 50])


def test_rounds_end_in_a_tie_of_those_still_in() -> None:
    table = between(3, scoring="elimination", target=50, rounds=2)
    result(table, 1, s2=10, s3=60).has(winner=None, scores=[0, 10, 60])
    result(table, 2, s1=10).has(winner=[1, 2])


def test_teams_tie_after_their_rounds() -> None:
    table = between(4, teams=[[1, 3], [2, 4]], rounds=2)
    result(table, 1, s2=10, s3=30, s4=5).has(team_scores=[15, 0], winner=None)
    result(table, 4, s1=10, s2=40, s3=5).has(
        team_scores=[15, 15], winner=[1, 2, 3, 4], scores=[15, 0, 0, 15]
    )


# Combinations


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"hand_size": 20, "teams": None}, None),
        ({"rounds": 2, "scoring": "hand"}, "options.rounds"),
        ({"teams": [[1, 2], [3, 4]], "scoring": "elimination"}, "options.teams"),
        ({"teams": [[1], [2], [3], [4]]}, "options.teams"),
        ({"teams": [[1, 2, 3], [4]]}, "options.teams"),
        ({"teams": [[1, 2, 3, 4]]}, "options.teams"),
        ({"teams": [[1, 2], [3, 5]]}, "options.teams"),
        ({"teams": [[1, 2], [3, 3]]}, "options.teams"),
        ({"teams": []}, "options.teams"),
        ({"seven_zero": "on", "hand_size": 1}, None),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, object], field: str | None) -> None:
    if field is None:
        assert new_game("classic-108", options, FOUR).game.options.hand_size
        return
    with pytest.raises(RuleError) as caught:
        new_game("classic-108", options, FOUR)
    assert (caught.value.rule, caught.value.field) == ("house.options", field)


def test_the_last_card_turned_up_is_followed_by_the_reshuffle() -> None:
    table = Table("moomin", ["red-skip", "blue-6"], seats=10, hand_size=11)
    table.has(draw_pile=1, discard_pile=1).legal(2, "draw").has(draw_pile=0, discard_pile=1)
    # With a single card on the pile there is nothing to shuffle.
    full = Table("classic-112", "blue-6", seats=6, hand_size=18)
    full.has(draw_pile=0, discard_pile=1).legal(2, "draw").has(turn=3)


def test_hands_of_twenty_fit_five_players_and_no_sixth() -> None:
    five = [str(n) for n in range(5)]
    assert new_game("classic-108", {"hand_size": 20}, five).game.options.hand_size == 20
    with pytest.raises(RuleError, match="more than the deck has"):
        new_game("classic-108", {"hand_size": 20}, [*five, "6"])
    opened, _ = open_round(new_game("classic-108", {"hand_size": 20}, five), 1, ["red-1"])
    assert (opened.hands, opened.draw_pile) == ((20,) * 5, 7)


def test_more_cards_than_the_deck_has_are_refused() -> None:
    names = [str(seat) for seat in range(10)]
    with pytest.raises(RuleError) as caught:
        new_game("classic-108", {"hand_size": 11}, names)
    assert (caught.value.rule, caught.value.field) == ("house.options", "options.hand_size")
    assert new_game("classic-108", {"hand_size": 10}, names).game.options.hand_size == 10


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"stacking": "up"}, "options.stacking"),
        ({"hand_size": 21}, "options.hand_size"),
        ({"uno_penalty": -1}, "options.uno_penalty"),
        ({"rounds": 0}, "options.rounds"),
        ({"teams": "12"}, "options.teams"),
        ({"teams": [["1", 2], [3, 4]]}, "options.teams"),
        ({"target": None}, "options.target"),
    ],
)
def test_a_value_that_is_none_is_refused(options: dict[str, object], field: str) -> None:
    with pytest.raises(RuleError) as caught:
        new_game("classic-108", options, FOUR)
    assert caught.value.field == field


def test_fewer_than_no_cards_are_not_drawn() -> None:
    table = Table("classic-112", draw_until="playable")
    table.illegal(2, "draw", "draw", count=-1)
