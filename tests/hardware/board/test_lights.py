import pytest

from hardware.board.session.watch import Lights
from hardware.board.wire.messages import BUZZER, FAST, LIGHTS, OFF, SLOW, Buzz, Light
from hardware.observation import Hint
from tests.hardware.board.wire import hello


def drain(lights, to=None, result=0, now=0.0):
    """All commands in turn, each answered the same."""
    sent = []
    while (command := lights.next(to or hello(), now)) is not None and len(sent) < 20:
        sent.append(command)
        lights.answered(command, result, now)
    return sent


def test_hints_become_lights_and_only_what_differs_is_sent():
    lights = Lights()
    lights.want([Hint("U", 2), Hint("!", 5)])
    assert drain(lights) == [Light(0, 2, SLOW, 0), Light(0, 5, SLOW, 3)]
    lights.want([Hint("U", 2), Hint("N", 5)])
    assert drain(lights) == [Light(0, 5, SLOW, 1)]
    lights.want([Hint("N", 5)])
    assert drain(lights) == [Light(0, 2, OFF)]
    lights.want([])
    assert drain(lights) == [Light(0, 5, OFF)]


def test_an_urgent_hint_blinks_fast_and_buzzes_once():
    lights = Lights()
    wrong = Hint("U", 2, urgent=True)
    lights.want([wrong])
    sent = drain(lights)
    assert sent[0] == Light(0, 2, FAST, 0)
    assert [type(command) for command in sent] == [Light, Buzz]
    lights.want([wrong, Hint("N", 3)])
    assert drain(lights) == [Light(0, 3, SLOW, 1)]
    lights.want([wrong, Hint("N", 3, urgent=True)])
    assert [type(command) for command in drain(lights)] == [Light, Buzz]


def test_where_two_belong_the_urgent_one_is_shown():
    lights = Lights()
    lights.want([Hint("U", 2, urgent=True), Hint("N", 2)])
    assert drain(lights)[0] == Light(0, 2, FAST, 0)
    lights.want([Hint("N", 2), Hint("U", 2, urgent=True)])
    assert drain(lights) == []


def test_after_a_new_connection_all_is_shown_again():
    lights = Lights()
    lights.want([Hint("U", 2)])
    drain(lights)
    lights.connected()
    assert drain(lights) == [Light(0, 2, SLOW, 0)]


def test_what_the_board_never_answered_is_tried_again_later():
    lights = Lights()
    lights.want([Hint("U", 2)])
    assert drain(lights, result=None, now=5.0) == [Light(0, 2, SLOW, 0)]
    assert drain(lights, now=5.9) == []
    assert drain(lights, now=6.0) == [Light(0, 2, SLOW, 0)]


@pytest.mark.parametrize("result", [1, 2])
def test_what_the_board_refuses_is_not_sent_again(result):
    lights = Lights()
    lights.want([Hint("U", 2)])
    assert drain(lights, result=result) == [Light(0, 2, SLOW, 0)]


def test_a_board_gets_only_what_it_can_do():
    lights = Lights()
    lights.want([Hint("U", 2, urgent=True), Hint("N", 9)])
    assert drain(lights, hello(features=0)) == []
    assert drain(lights, hello(features=LIGHTS, seats=4)) == [Light(0, 2, FAST, 0)]
    assert drain(lights, hello(features=BUZZER)) == [Buzz(0, 255, 120, 2000)]


def test_a_power_that_the_set_does_not_have_is_lit_without_one():
    lights = Lights()
    lights.want([Hint("red", 2)])
    assert drain(lights) == [Light(0, 2, SLOW)]
    lights.connected()
    assert drain(lights, hello(set_=2)) == [Light(0, 2, SLOW, 0)]
