"""Use cases: what people and devices can do at a table. Owns transactions and time."""
