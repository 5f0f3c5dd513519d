"""What a demo shows in a terminal and as pictures."""
