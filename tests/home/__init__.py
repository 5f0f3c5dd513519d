"""HTTPS at home: the authority, names, announcing."""
