"""Folders of labelled photos: ``index.csv`` with the columns file, source, kind and label.

``kind`` is "single" for one card, whose id is the label; anything else means several cards, with
their ids joined by ``;``. An optional column ``deck`` names the ruleset of the deck. Other columns
are ignored.
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

COLUMNS = ("file", "source", "kind", "label")
ALIASES: Mapping[str, frozenset[str]] = {
    # Blank custom cards all look the same.
    **{
        label: frozenset(f"wild-custom-{n}" for n in (1, 2, 3))
        for label in ("wild-customizable", "wild-custom-1", "wild-custom-2", "wild-custom-3")
    },
    # The printed name of the card that the rule sheet calls Shuffle Hands.
    "wild-swap-hands": frozenset({"wild-shuffle"}),
}


class IndexFileError(ValueError):
    """An index file is missing or malformed; the message says how."""


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo and the cards it shows."""

    path: Path
    source: str
    single: bool
    cards: tuple[str, ...]
    deck: str | None = None


def face_of(label: str) -> str:
    """Return one id for all cards that share the label's face."""
    return min(ALIASES.get(label, {label}))


def read_index(folder: Path) -> list[Photo]:
    """Return the photos of a folder in index order. Raises IndexFileError."""
    path = folder / "index.csv"
    try:
        with path.open(newline="", encoding="utf-8") as handle:
            rows = csv.DictReader(handle)
            missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
            if missing:
                raise IndexFileError(f"{path} lacks the columns {', '.join(missing)}")
            return list(_photos(rows, folder))
    except OSError as error:
        raise IndexFileError(f"{path} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise IndexFileError(f"{path} is not CSV in UTF-8: {error}") from None


def _photos(rows: "csv.DictReader[str]", folder: Path) -> Iterator[Photo]:
    for row in rows:
        where = f"line {rows.line_num} of {folder / 'index.csv'}"
        if any(row[name] is None for name in COLUMNS):
            raise IndexFileError(f"{where} has fewer values than columns")
        single = row["kind"] == "single"
        cards = tuple(card for card in row["label"].split(";") if card)
        if single and len(cards) != 1:
            raise IndexFileError(f"{where} is for one card, but its label names {len(cards)}")
        yield Photo(folder / row["file"], row["source"], single, cards, row.get("deck") or None)
