"""The workshop beside the product: what draws, films, trains and measures. Not in the wheel."""
