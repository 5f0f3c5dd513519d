"""The workshop beside the product: draws, films, trains and measures. Not in the wheel."""
