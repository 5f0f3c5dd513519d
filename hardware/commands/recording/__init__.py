"""Commands that record a table's devices and play that again."""
