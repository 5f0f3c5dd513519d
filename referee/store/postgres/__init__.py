"""PostgreSQL: its connections, and how processes that share it hear of each other."""
