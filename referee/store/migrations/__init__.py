"""Schema migrations, applied in order when the database is opened."""
