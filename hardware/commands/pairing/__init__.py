"""Commands by which this computer comes to a table, and comes back to the next one."""
