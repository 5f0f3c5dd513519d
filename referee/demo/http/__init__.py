"""What players and devices do over HTTP, and what is checked of the answers."""
