"""The host's side of the sensor board: frames, messages, connection, positions, driver."""
