"""What hostile clients do, in one script: ``python -m tests.strike``."""
