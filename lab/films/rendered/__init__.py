"""A small renderer of films of piles; it shares no code with the drawn films."""
