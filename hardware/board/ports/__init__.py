"""Where a board's bytes come from: serial ports and the network."""
