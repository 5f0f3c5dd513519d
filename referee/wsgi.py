"""The app for a WSGI server, ``gunicorn referee.wsgi:app``, with settings from the environment."""

from referee.api import create_app
from referee.api.middleware.redaction import redact_output
from referee.camera import card_reader
from referee.config import settings_from_env

redact_output()
settings = settings_from_env()
app = create_app(settings, card_reader(settings.faces))
