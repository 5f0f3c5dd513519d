"""The commands of ``referee``, one module each; ``add_parser`` declares its arguments."""
