"""Setting up a camera: the printed mat, where the piles are in the picture, and what is wrong."""
