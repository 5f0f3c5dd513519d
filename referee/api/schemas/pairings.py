"""Secrets by which computers and hosts' browsers know each other again."""

from marshmallow import validate

# At least 128 bits, however they are written.
SECRET = validate.Regexp("^[A-Za-z0-9_-]{32,100}$")
