"""The program beside the table: runs the devices and brings what they saw to the server."""
