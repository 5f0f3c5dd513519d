"""Who may send how much: rates by address and token, work to play again, event streams."""
