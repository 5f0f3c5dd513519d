"""Cards on a table, photographed: layouts, hands, light and noise."""
