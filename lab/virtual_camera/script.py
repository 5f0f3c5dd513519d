"""Scripts for the virtual camera: one step per line, with its time.

``hardware.virtual_board.timeline`` describes the times. Hands take turns at the pile;
``meanwhile`` before a hand's step lets it come beside others.

Hands::

    lay red-7              # a hand lays the card on the pile
    lay red-7 brisk 1.5    # one and a half times as quickly
    lay red-7 from 90      # by a hand that comes from the left: clockwise from below
    turn-up red-7          # a hand takes it from the draw pile and lays it on the pile
    draw from 90           # a hand takes a card from the draw pile
    quick red-7 red-2 0.5  # two players: the second hand comes 0.5 s behind the first
    lift                   # the top card is taken away
    put-back               # it is taken up, looked at and put back
    nudge                  # the pile is pushed a little …
    nudge top              # … or the top card alone
    tidy                   # two hands square the pile up
    clear                  # the whole pile is taken away
    pass                   # a hand goes over the pile …
    pass blue-2            # … with a card in it
    hover 2                # a hand stays over the pile for 2 s …
    hover 2 blue-2         # … with a card that it takes away again

The light and the camera::

    glare on               # a lamp shines into the camera off the pile
    glare off              # no more
    light 0.5              # half the light
    bump                   # somebody knocks the camera: it looks a little elsewhere
    hide                   # something is in front of the lens …
    hide 5                 # … for 5 s
    freeze                 # not a picture comes …
    freeze 30              # … for 30 s
    stick 10               # the same picture comes again and again, for 10 s
    unplug                 # pull the cable …
    unplug 5               # … and plug it in again 5 s later
    plug                   # plug it in
    slow 4                 # only each fourth picture is given
    lag 300                # each picture comes 300 ms late
    drop 0.1               # 10 % of the pictures get lost
    garble 0.001           # 0.1 % of the bytes of each picture become others
    tremble 0.8            # the camera trembles by 0.8 pixels
    breathe 2              # its autofocus hunts: every 3 s a blur of up to 2 pixels
    pump 0.2               # its exposure hunts: 20 % brighter, then darker
    quality 40             # its JPEG compression is strong
    clean                  # nothing is wrong with its pictures any more
"""

from hardware.virtual_board import timeline
from lab.virtual_camera.camera import VirtualCamera
from lab.virtual_camera.steps import parse_step

Script = timeline.Script[VirtualCamera]


def parse_script(text: str) -> Script:
    """Read a script. Raises ScriptError."""
    return timeline.read_script(text, parse_step)
