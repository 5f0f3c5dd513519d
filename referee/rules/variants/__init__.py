"""One folder a ruleset: ``RULESET`` (data and small hooks), its rulebook, its sentences."""
