"""What a round, a game and an observation do, and what of them is shown."""
