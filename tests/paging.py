"""Lists of the API, which come in pages."""

from collections.abc import Callable, Iterator
from typing import Any


def all_items(get: Callable[[str], Any], path: str) -> Iterator[Any]:
    """Read a list to its end; ``get`` returns the JSON of a page."""
    after: int | None = 0
    while after is not None:
        page = get(f"{path}?limit=200&after={after}")
        yield from page["items"]
        after = page["next"]
