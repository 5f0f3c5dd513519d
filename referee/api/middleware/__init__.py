"""Middleware for every request: limits, ids, logs, headers, metrics."""

from flask import Flask, Response
from werkzeug.middleware.proxy_fix import ProxyFix

from referee.api.limits import rates
from referee.api.middleware import headers, redaction, tracing
from referee.api.middleware.metrics import Metrics
from referee.config import Guard


def set_up(app: Flask, guard: Guard, both: bool = False) -> Metrics:
    """Add the middleware to the app, and return the metrics.

    ``both``: the server speaks plain HTTP beside HTTPS.
    """
    redaction.set_up_logs(guard.log_format)
    redaction.hide(guard.operator_key)
    metrics = app.extensions["referee-metrics"] = Metrics()
    app.extensions["referee-limiter"] = rates.Limiter(guard.limits, metrics.limited)
    app.wsgi_app = headers.add_security_headers(app.wsgi_app, both)  # type: ignore[assignment, method-assign]
    if guard.proxies:
        proxies = {"x_for": guard.proxies, "x_proto": guard.proxies, "x_host": guard.proxies}
        app.wsgi_app = ProxyFix(app.wsgi_app, **proxies)  # type: ignore[method-assign]

    def before() -> None:
        tracing.begin()
        rates.count_address()

    def after(response: Response) -> Response:
        tracing.finish(app, response)
        rates.add_limit_headers(response)
        headers.answer_options(response)
        metrics.answered(response)
        return response

    app.before_request(before)
    app.after_request(after)
    headers.allow_origins(app, guard.cors_origins)
    return metrics
