"""`referee-table doctor`: checks of the server, the ports and the camera."""
