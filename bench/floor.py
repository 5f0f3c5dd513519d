"""The floor of the HTTP comparison: the least that a durable service on this stack does.

It parses a small JSON body with Flask, validates it with marshmallow, commits one SQLite
transaction and answers 201. ``FLOOR_DATABASE`` names the file.
"""

import os
import sqlite3
import threading
from typing import Any

from flask import Flask, jsonify, request
from flask.typing import ResponseReturnValue
from marshmallow import Schema, ValidationError, fields, validate


class MoveSchema(Schema):
    """The shape of a move."""

    seat = fields.Integer(required=True, strict=True, validate=validate.Range(1, 10))
    move = fields.String(required=True, validate=validate.Length(1, 20))
    card = fields.String(validate=validate.Length(1, 40))


def create_app(database: str) -> Flask:
    """Return the app on a new database."""
    app = Flask(__name__)
    schema = MoveSchema()
    # One connection under a lock: waiting for SQLite's own lock takes far longer.
    lock = threading.Lock()
    connection = sqlite3.connect(database, check_same_thread=False, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(
        "CREATE TABLE moves (id INTEGER PRIMARY KEY, seat INT, move TEXT, card TEXT)"
    )

    @app.post("/moves")
    def make_move() -> ResponseReturnValue:
        try:
            move: dict[str, Any] = schema.load(request.get_json())
        except ValidationError as error:
            return jsonify(error.messages), 422
        row = (move["seat"], move["move"], move.get("card"))
        with lock:
            connection.execute("BEGIN")
            added = connection.execute("INSERT INTO moves (seat, move, card) VALUES (?, ?, ?)", row)
            connection.execute("COMMIT")
        return jsonify({"id": added.lastrowid, **move}), 201

    return app


if "FLOOR_DATABASE" in os.environ:
    app = create_app(os.environ["FLOOR_DATABASE"])
