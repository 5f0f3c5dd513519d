"""The commands of ``referee``, one module each: ``add_parser`` says what it takes and does."""
