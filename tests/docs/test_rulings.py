"""docs/rulings.md: every ruling that code, texts and tests cite can be looked up there.

``python -m tests.docs.test_rulings`` writes the page from the English rule book.
"""

import re
from pathlib import Path

from referee.rules.book.rulebook import clarifications, rulebook
from referee.rules.ruleset import rulesets

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "rulings.md"
CITED = re.compile(r"\bR([1-9]\d?)\b")
FILES = ("referee/**/*.py", "referee/**/*.toml", "tests/**/*.py", "docs/**/*.md")
HEAD = """# Rulings

Where a rule sheet is silent, contradicts itself or differs between its languages, the referee
decides as follows. Code, tests and rule books cite these rulings by number; every reader's language
has them, too (`referee rules R7 --lang sv`).

The sheets are {sheets}.

| | The case | The ruling | What the sheets say |
| --- | --- | --- | --- |
"""


def page() -> str:
    """Return the page as the English rule book has it."""
    books = [next(iter(rulebook(ruleset).values())) for ruleset in rulesets().values()]
    sheets = sorted({f"{rule.document} ({rule.sheet})" for rule in books})
    notes = sorted(clarifications().values(), key=lambda note: int(note.id[1:]))
    rows = [f"| {note.id} | {note.title} | {note.text} | {note.why} |\n" for note in notes]
    return HEAD.format(sheets=", ".join(sheets)) + "".join(rows)


def test_the_page_says_what_the_rule_book_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_ruling_that_is_cited_is_on_the_page() -> None:
    listed = set(re.findall(r"^\| R(\d+) \|", page(), re.MULTILINE))
    files = [path for pattern in FILES for path in ROOT.glob(pattern)]
    cited = {
        (number, str(path.relative_to(ROOT)))
        for path in files
        for number in CITED.findall(path.read_text(encoding="utf-8"))
    }
    assert {number for number, _ in cited} >= {"7", "18", "63"}
    assert [place for place in sorted(cited) if place[0] not in listed] == []


def test_no_file_cites_rules_that_are_not_in_the_project() -> None:
    elsewhere = re.compile(r"\b(?:RULES|RECORD)\.md")
    files = [path for pattern in FILES for path in ROOT.glob(pattern) if path != Path(__file__)]
    assert [str(p) for p in files if elsewhere.search(p.read_text(encoding="utf-8"))] == []


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
