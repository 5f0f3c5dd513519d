"""Training of the networks on synthetic pictures. Needs the extra ``train`` (PyTorch)."""
