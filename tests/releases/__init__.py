"""What releases have written, which every later one of the same first number reads."""
