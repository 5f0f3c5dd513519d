"""Say how to install packages that only some commands need."""


def needs(extra: str, *missing: str | None) -> str:
    """Return which packages something needs, as the rest of a sentence.

    ``missing``: those that are not installed, where they are known. ``hardware.backends`` says the
    same.
    """
    named = f" ({', '.join(filter(None, missing))})" if any(missing) else ""
    return f"needs the {extra} packages{named}: pip install '.[{extra}]' in the project's folder"
