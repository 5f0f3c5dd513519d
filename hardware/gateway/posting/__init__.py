"""What waits on the disk until the server has it."""
