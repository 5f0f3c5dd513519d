"""A referee for real UNO tables: rules, record, service and REST API."""
