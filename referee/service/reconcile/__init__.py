"""What players enter and what cameras see, brought together into moves."""
