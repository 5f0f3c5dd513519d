"""Faces and backs of cards, in many prints, and what they lie on."""
