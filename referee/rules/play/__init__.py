"""What a move does: checks, effects, rounds, points, challenges."""
