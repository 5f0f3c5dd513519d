"""Films of piles of other making than the drawn clips: composed, rendered, recorded."""
