"""What the rules and what is reckoned from them cost."""
