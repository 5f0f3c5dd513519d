"""A folder of labelled photos: ``index.csv`` with the columns file, source, kind and label.

``kind`` is "single" for one card, whose id is the label, or anything else for several, whose ids
are joined by ``;``. A column ``deck`` may name the ruleset of the deck on the photo. Other columns
are let alone.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COLUMNS = ("file", "source", "kind", "label")


class IndexFileError(ValueError):
    """An index that cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class Photo:
    """A labelled photo."""

    path: Path
    source: str
    single: bool
    cards: tuple[str, ...]
    deck: str | None = None


def read_index(folder: Path) -> list[Photo]:
    """The photos of a folder, in the order of its index. Raises IndexFileError."""
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
        raise IndexFileError(f"{path} is no CSV in UTF-8: {error}") from None


def _photos(rows: "csv.DictReader[str]", folder: Path) -> Iterator[Photo]:
    for row in rows:
        where = f"line {rows.line_num} of {folder / 'index.csv'}"
        if any(row[name] is None for name in COLUMNS):
            raise IndexFileError(f"{where} has fewer values than there are columns")
        single = row["kind"] == "single"
        cards = tuple(card for card in row["label"].split(";") if card)
        if single and len(cards) != 1:
            raise IndexFileError(f"{where} is of one card, and its label names {len(cards)}")
        deck = row.get("deck") or None
        yield Photo(folder / row["file"], row["source"], single, cards, deck)
