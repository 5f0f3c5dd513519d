"""Scripts for the virtual board: one step per line, with its time.

``hardware.virtual_board.timeline`` describes the times. Places are ``tray`` and ``seat N``,
powers ``U N O !`` or ``red blue green yellow``.

The table::

    U seat 3               # put the power U down at seat 3, wherever it was
    U seat 3 hand 0.8      # lift it, and put it down there 0.8 s later
    U tray                 # put it down in the tray
    U lift                 # take it into the hand
    bump U                 # knock it: off its sensor for 80 ms …
    bump U 200             # … or for 200 ms

The board::

    unplug                 # pull the cable …
    unplug 5               # … and plug it in again 5 s later
    plug                   # plug it in
    freeze                 # the board hangs …
    freeze 30              # … for 30 s
    thaw                   # it goes on
    reboot                 # it restarts with an empty memory …
    reboot watchdog        # … and reports that its watchdog did it
    brown-out              # its power fails for 300 ms, then it restarts
    brown-out 1000         # the same for 1000 ms
    supply 4000            # its supply is 4000 mV, as on a bad cable; 4700 is usual

The sensors::

    break seat 3 U         # the sensor for U at seat 3 fails: 0 V
    stick seat 3 U         # it reports U, whether that is there or not
    shift seat 3 U down 40 # it gives 40 mV less than usual; without "down" more
    mend seat 3 U          # it is good again
    break seat 3           # the cable of seat 3 comes off
    mend seat 3            # it is plugged in again, and all sensors of the seat are mended
    noise 20               # readings are off by up to 20 mV

The wire, in both directions unless ``to-host`` or ``to-board`` follows::

    corrupt 0.01           # 1 % of the bytes become others
    drop 0.01 to-host      # 1 % of the board's bytes get lost
    duplicate 0.01         # 1 % come twice
    reorder 0.01           # 1 % change places with the next
    garbage 0.001          # before every 1000th byte or so come up to 32 random ones
    delay 20               # each byte takes 20 ms …
    jitter 5               # … and up to 5 ms more
    burst 40 to-board      # 40 random bytes, once
    clean                  # no faults any more

A whole script: a tower is taken away, and put back while the cable is out for five seconds::

    at 1      U seat 2
    after 1   U lift
    after 0.5 unplug 5
    after 2   U tray          # while nobody can hear it
"""

import json
from collections.abc import Sequence

from hardware.virtual_board import timeline
from hardware.virtual_board.board import VirtualBoard
from hardware.virtual_board.steps import parse_step

ScriptLine = timeline.ScriptLine[VirtualBoard]
Script = timeline.Script[VirtualBoard]


def parse_script(text: str, powers: Sequence[str], seats: int) -> Script:
    """Read a script for a table with these powers and seats. Raises ScriptError."""
    return timeline.read_script(text, lambda words: parse_step(words, powers, seats))


def answer(board: VirtualBoard, text: str) -> str:
    """Run a line that another program sent; return ``ok`` with the answer, or ``error`` with why.

    A line is a step. With ``at`` (since the board began) or ``after`` (from now on) it runs then,
    and its errors are not reported. ``state`` returns the whole state as JSON, ``port`` the URL
    that a host opens.
    """
    words = text.partition("#")[0].split()
    if words == ["state"]:
        return f"ok {json.dumps(board.view().as_dict())}"
    if words == ["port"]:
        return f"ok {board.port.url}"
    return timeline.answer(board, text, lambda step: parse_step(step, board.powers, board.seats))
