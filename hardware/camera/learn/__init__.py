"""The table learns its cards: faces that people confirmed, and how they are recalled."""
