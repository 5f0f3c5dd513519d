"""The gateway: runs the devices beside the table and posts their observations to the server."""
