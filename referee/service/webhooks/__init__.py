"""Webhooks: addresses outside that hear of a table's events, in the Standard Webhooks form."""
