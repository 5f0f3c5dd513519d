"""Training the locator and the reader on drawn pictures. Needs the extra ``train`` (PyTorch)."""
