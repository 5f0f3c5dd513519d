"""The discard pile as a camera sees it, and what that means for the game."""
