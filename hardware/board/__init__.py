"""The sensor board, host side: frames, messages, connection, positions, driver."""
