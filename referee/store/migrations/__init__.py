"""Changes of the database from version to version, applied in order when it is opened."""
