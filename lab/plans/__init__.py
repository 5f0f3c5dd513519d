"""Plans of the sensor board: dimensions, circuit boards, printed parts, and whether they work."""
