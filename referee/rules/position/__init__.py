"""Where a game stands: its state, the events that change it, and what hands have shown."""
