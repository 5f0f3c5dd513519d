"""Films of piles: drawn, composed, rendered, recorded."""
