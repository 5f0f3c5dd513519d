"""People across evenings: groups that keep what their members played, where a host wants it."""
