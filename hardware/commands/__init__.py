"""The commands of ``referee-table``, a module each."""
