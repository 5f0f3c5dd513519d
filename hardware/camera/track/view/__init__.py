"""How a frame of the pile differs from those before it."""
