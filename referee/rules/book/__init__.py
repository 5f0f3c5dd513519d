"""The rule book that readers see, and the search in it."""
