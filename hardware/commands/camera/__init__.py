"""The camera's commands of ``referee-table``, a module each."""
