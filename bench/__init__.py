"""Benchmarks. Nothing in the tests depends on them."""
