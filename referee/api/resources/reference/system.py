"""The server's health."""

import ipaddress
import re
from importlib.metadata import version
from typing import Annotated, Any

from flask import Response, current_app, request
from flask.typing import ResponseReturnValue
from prometheus_client import CONTENT_TYPE_LATEST

from referee.api.auth import auth, event_log, speaks_for_operator
from referee.api.feature_level import FEATURE_LEVEL
from referee.api.operation import Resource
from referee.api.schemas.typed import Answer
from referee.api.schemas.vocabulary import FILE
from referee.config import OFF
from referee.service.problems import Problem
from referee.store.errors import StoreUnavailable
from referee.store.health import Condition

blueprint = Resource("system", "The server: what it can do, health, readiness, metrics")
# Headers by which proxies name themselves or their clients.
_FORWARDED = re.compile(
    r"Via|Forwarded|X-Forwarded(-.*)?|X-Original-.*|X-(Real|Client|Cluster-Client)-IP|X-ProxyUser-IP"
    r"|True-Client-IP|Fastly-Client-IP|CF-.*|CDN-Loop|X-Envoy-.*|X-Amzn-Trace-Id|X-Azure-.*",
    re.IGNORECASE,
)


class ServerSchema(Answer):
    """The server, and what its API can do."""

    version: Annotated[str, "of the server"]
    feature_level: Annotated[int, "see docs/api-changes.md", {"example": 2}]


@blueprint.operation(
    "GET /api/v1", "getServer", "The server's version and feature level.", ServerSchema, rights=None
)
def server() -> ResponseReturnValue:
    """Say what the API can do: an app compares the level with the one that it needs."""
    return {"version": version("table-referee"), "feature_level": FEATURE_LEVEL}


class WellSchema(Answer):
    """All is well."""

    status: Annotated[str, {"example": "ok"}]


@blueprint.operation("GET /health", "getHealth", "The process is up.", WellSchema, rights=None)
def health() -> ResponseReturnValue:
    """Answer if the process runs."""
    return {"status": "ok"}


@blueprint.operation(
    "GET /ready",
    "getReadiness",
    "Tables are served.",
    WellSchema,
    fails=("not-ready",),
    rights=None,
)
def ready() -> ResponseReturnValue:
    """Answer if the database can be read and written, too."""
    answer: dict[str, Any] = {"status": "ok"}
    try:
        event_log().reader.ping()
    except StoreUnavailable:
        raise Problem("not-ready", "The database does not answer.") from None
    if event_log().store.condition < Condition.HEALTHY:
        raise Problem("not-ready", "The database takes nothing that is written.")
    return answer


@blueprint.operation(
    "GET /metrics",
    "getMetrics",
    "Figures for Prometheus.",
    None,
    fails=("not-authenticated", "forbidden", "not-found"),
    rights=None,
    also={
        "responses": {"200": {"content": {"text/plain": {"schema": {"type": "string", **FILE}}}}}
    },
)
def metrics() -> ResponseReturnValue:
    """Return metrics for Prometheus, to those whom the server's settings allow."""
    _may_measure(current_app.extensions["referee-settings"].guard.metrics)
    return Response(
        current_app.extensions["referee-metrics"].text(), content_type=CONTENT_TYPE_LATEST
    )


def _may_measure(allowed: str) -> None:
    if allowed == OFF:
        raise Problem("not-found", "This server serves no metrics.")
    if allowed == "operator" and not speaks_for_operator():
        if auth.get_auth() is None:
            raise Problem(
                "not-authenticated", "Send the operator's key as 'Authorization: Bearer …'."
            )
        raise Problem("forbidden", "Only the operator of this server may read its metrics.")
    if allowed == "local" and not _is_local():
        raise Problem("forbidden", "Metrics are for the server's own machine: see REFEREE_METRICS.")


def _is_local() -> bool:
    """Return whether the request comes from this machine, not through a proxy on it.

    Proxies say so in a header, ask for a public name, or, as nginx does unless it is told
    otherwise, speak HTTP/1.0.
    """
    if any(_FORWARDED.fullmatch(name) for name in request.headers.keys()):  # noqa: SIM118
        return False
    if request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0":
        return False
    host = request.host.rpartition(":")[0] if request.host[-1:] != "]" else request.host
    return all(map(_is_loopback, (request.remote_addr or "", host or request.host)))


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
