"""Recordings of a session: device data, observations, and the server's answers in one file."""
