"""The REST API: a Flask app with one blueprint per resource and problem+json errors."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import structlog
from flask import Flask, Response, jsonify
from flask.typing import ResponseReturnValue
from flask_swagger_ui import get_swaggerui_blueprint
from sqlalchemy import Engine

from referee.api import middleware, problems
from referee.api.kept_answers import KeptAnswers
from referee.api.language import add_language_headers, check_language
from referee.api.limits.streams import StreamLimit, shares_of
from referee.api.middleware import headers
from referee.api.rendering import spectator_json
from referee.api.requests import StrictJSON
from referee.api.resources import BLUEPRINTS
from referee.config import Settings
from referee.rules.ruleset import load_variant
from referee.service.devices.frames import FrameReader
from referee.service.devices.liveness import LOOK_EVERY, report_silent_devices
from referee.service.log.event_log import EventLog
from referee.service.people.host_changes import settle_all
from referee.service.people.tickets import Tickets
from referee.service.periodic_task import PeriodicTask
from referee.service.records.imports import clear_unfinished
from referee.service.records.photos import CardReader
from referee.service.records.retention import AN_HOUR, RetentionPolicy, before, sweep
from referee.service.tournaments.log import TournamentLog
from referee.service.tournaments.results import table_played
from referee.service.tournaments.setup import sweep_tournaments
from referee.service.webhooks.addresses import OFF
from referee.service.webhooks.dispatcher import Dispatcher
from referee.service.webhooks.sender import Sender
from referee.store.database import lock_database, open_database
from referee.store.local_key import LocalKey, remove_local_key, write_local_key
from referee.store.private_files import tighten
from referee.web import blueprint as page

DOCS = "/docs"
logger = structlog.get_logger(__name__)


def create_app(
    settings: Settings,
    reader: CardReader | None = None,
    local: LocalKey | None = None,
    frames: FrameReader | None = None,
) -> Flask:
    """Create the app of a server. Raises DatabaseError.

    ``reader`` reads photos of cards, ``local`` is for commands on this machine, ``frames`` takes
    those of phones that are cameras.
    """
    for folder in settings.variants:
        load_variant(folder)
    engine = open_database(settings.database)
    app = Flask("referee", static_folder=None)
    metrics = middleware.set_up(app, settings.guard, settings.home is not None)
    app.json = StrictJSON(app)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_message
    app.url_map.strict_slashes = False
    app.extensions["referee-lock"] = lock_database(engine)
    event_log = app.extensions["referee"] = EventLog(
        engine,
        metrics.written,
        settings.prior,
        settings.takeover_seconds,
        settings.max_entries,
    )
    clear_unfinished(event_log)
    app.extensions["referee-tickets"] = Tickets(event_log)
    tournaments = app.extensions["referee-tournaments"] = TournamentLog(event_log)
    app.extensions["referee-kept-answers"] = KeptAnswers()
    event_log.played = partial(table_played, tournaments)
    streams = app.extensions["referee-streams"] = StreamLimit(
        settings.max_streams,
        shares=shares_of(settings.guard.streams),
        shed=metrics.shed,
        refused=lambda share: metrics.limited(f"streams_{share}"),
    )
    metrics.watch(event_log, streams)
    app.extensions["referee-settings"] = settings
    app.extensions["referee-card-reader"] = reader
    app.extensions["referee-frame-reader"] = frames
    for blueprint, prefix in BLUEPRINTS:
        app.register_blueprint(blueprint, url_prefix=prefix)
    _serve_description(app)
    app.register_blueprint(page)
    problems.register(app)
    app.before_request(check_language)
    app.after_request(add_language_headers)
    keep = RetentionPolicy(settings.guard.keep_finished, settings.guard.keep_idle)
    watching = PeriodicTask("presence", lambda: report_silent_devices(event_log), LOOK_EVERY)
    event_log.leases.on_lease = watching.start
    takeovers = PeriodicTask("takeovers", lambda: settle_all(event_log), LOOK_EVERY)
    event_log.takeovers.started = takeovers.start
    event_log.tasks += [watching, takeovers]
    event_log.open()
    if settings.webhooks.mode != OFF:
        dispatcher = Dispatcher(
            event_log, spectator_json, Sender(settings.webhooks), sent=metrics.sent
        )
        app.extensions["referee-webhooks"] = dispatcher
        dispatcher.open()
    if keep:
        PeriodicTask("retention", lambda: _sweep(tournaments, keep), AN_HOUR).start()
    # Only now it is known that the store is ours, and can be used.
    _make_private(engine)
    app.extensions["referee-local-key"] = _leave_key(engine, local or LocalKey())
    return app


def close_app(app: Flask) -> None:
    """Close an app's database, take the key beside it away, and let others use it."""
    event_log: EventLog = app.extensions["referee"]
    event_log.close()
    if lock := app.extensions["referee-lock"]:
        remove_local_key(Path(str(event_log.engine.url.database)))
        lock.close()


def _sweep(tournaments: TournamentLog, keep: RetentionPolicy) -> None:
    at = datetime.now(UTC)
    sweep(tournaments.events, keep, at)
    if keep.idle:
        sweep_tournaments(tournaments, before(at, keep.idle))


def _make_private(engine: Engine) -> None:
    """Take an SQLite store's files away from other users, and log it."""
    if engine.dialect.name == "sqlite" and engine.url.database:
        for done, file in tighten(Path(engine.url.database)):
            logger.warning(done, file=file)


def _leave_key(engine: Engine, local: LocalKey) -> str:
    """Leave the key beside an SQLite file; return it, "" without one."""
    database = engine.url.database
    if engine.dialect.name != "sqlite" or not database:
        return ""
    try:
        write_local_key(Path(database), local)
    except OSError as error:
        logger.warning("no key for commands on this machine", reason=error.strerror)
        return ""
    return local.key


def _serve_description(app: Flask) -> None:
    # Imported by whoever asks first: to describe all takes longer than to start.
    def openapi_json() -> ResponseReturnValue:
        from referee.api.description import description

        return jsonify(description())

    def openapi_yaml() -> ResponseReturnValue:
        from referee.api.description import description_in_yaml

        return Response(description_in_yaml(), mimetype="application/yaml")

    def asyncapi_json() -> ResponseReturnValue:
        from referee.api.asyncapi import describe_streams
        from referee.api.description import description

        return jsonify(describe_streams(description()))

    app.add_url_rule("/openapi.json", view_func=openapi_json)
    app.add_url_rule("/openapi.yaml", view_func=openapi_yaml)
    app.add_url_rule("/asyncapi.json", view_func=asyncapi_json)
    # validatorUrl would need the network; oauth2RedirectUrl would put the request's Host header
    # into the page.
    config = {"app_name": "Referee", "validatorUrl": None, "oauth2RedirectUrl": None}
    pages = get_swaggerui_blueprint(DOCS, "/openapi.json", config=config)
    pages.after_request(headers.allow_inline_scripts)
    app.register_blueprint(pages)
