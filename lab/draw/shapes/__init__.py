"""Strokes, digits and symbols, and the sheet that they are drawn on."""
