"""The commands of ``referee``, as those of ``referee-table`` are described.

The module of a command has ``DESCRIPTION`` and mostly an ``EPILOG``; ``add_flags``, which takes its
parser; and ``run``, which takes the arguments and returns the exit status.
"""
