"""One folder per ruleset: ``RULESET`` (data and small hooks), its rulebook, its sentences."""
