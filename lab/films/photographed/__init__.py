"""Films composed of photographed cards, tables and hands."""
