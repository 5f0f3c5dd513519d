"""A session beside the table in one file: what devices saw and said, and what was answered."""
