"""What does not belong to a table: decks, languages, the server itself."""
