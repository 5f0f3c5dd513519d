"""What the server answers in a second, holds and survives."""
