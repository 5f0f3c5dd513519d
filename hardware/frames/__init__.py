"""The worker that watches tables by the frames that phones send."""
