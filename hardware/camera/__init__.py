"""Reading cards from a camera: where they lie, which they are, and when a new one was laid."""
