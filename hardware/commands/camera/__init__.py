"""The camera commands of ``referee-table``."""
