"""What can go wrong in a demo game."""


class DemoError(Exception):
    """The demo cannot go on, or the referee was wrong; the message is one readable sentence."""
