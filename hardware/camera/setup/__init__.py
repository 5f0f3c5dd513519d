"""Camera setup: the printed mat, where the piles are in the picture, and what to improve."""
