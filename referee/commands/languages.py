"""``--lang``: in which language a command prints what the referee says."""

import argparse

from referee.texts import as_language, languages


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add the option to a command; ``args.lang`` is one of ours then."""
    parser.add_argument(
        "--lang",
        metavar="LANG",
        type=_language,
        default="en",
        help=f"language of what is said: {', '.join(languages())} (%(default)s)",
    )


def _language(tag: str) -> str:
    found = as_language(tag)
    if found is None:
        raise argparse.ArgumentTypeError(f"must be one of {', '.join(languages())}, not {tag!r}")
    return found
