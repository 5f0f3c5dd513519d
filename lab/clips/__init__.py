"""Clips of a pile of cards, filmed by a camera that is drawn: frames, and the truth about them."""
