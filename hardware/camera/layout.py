"""Where things stand on a card, and how large the crops are that cards are read from."""

WIDTH, HEIGHT = 56.0, 87.0
"""Size of a card in mm."""

INDEX = (0.13, 0.1)
"""Where an index stands: shares of the card's width and height from the corner next to it."""

CARD_CROP = (96, 144)
"""Width and height of a crop of a whole card in pixels."""

CORNER_CROP = (64, 64)
"""Width and height of a crop of a card's corner in pixels."""

CORNER_MM = 24.0
"""Side of the square at a card's corner that such a crop shows, in mm."""
