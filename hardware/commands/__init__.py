"""The commands of ``referee-table``, one module each."""
