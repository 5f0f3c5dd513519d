"""The phone page: static files that use the server only through its API.

The server answers every path of a screen (``files/js/screens``) with the same shell, in which the
page's own router opens the screen.
"""

from flask import Blueprint, Response, abort, jsonify, request
from flask.typing import ResponseReturnValue

from referee.web import assets
from referee.web.address import reachable_origin
from referee.web.codes import club_svg, join_code_svg

blueprint = Blueprint("web", __name__)
# First path segments of the screens.
SCREENS = ("", "new", "join", "t", "rules", "wall", "club")
WORKER_POLICY = "default-src 'none'; connect-src 'self'"


def _screen(rest: str = "") -> ResponseReturnValue:
    return _answer(assets.SHELL)


for _name in SCREENS:
    blueprint.add_url_rule(f"/{_name}", f"screen-{_name}", _screen)
    if _name:
        blueprint.add_url_rule(f"/{_name}/<path:rest>", f"screen-{_name}-below", _screen)


@blueprint.route("/page/<path:name>")
def file(name: str) -> ResponseReturnValue:
    """A script, style, icon or the manifest."""
    return _answer(name)


@blueprint.route("/worker.js")
def worker() -> ResponseReturnValue:
    """The service worker, served at the root because its path limits its scope."""
    answer = _answer(assets.WORKER)
    # A worker's requests are subject to the policy of its own script.
    answer.headers["Content-Security-Policy"] = WORKER_POLICY
    return answer


@blueprint.route("/join.svg")
def join_code() -> ResponseReturnValue:
    """A QR code for joining with ``?code=``, as SVG."""
    picture = join_code_svg(_origin() or request.host_url, request.args.get("code", ""))
    if picture is None:
        abort(404)
    return Response(picture, mimetype="image/svg+xml")


@blueprint.route("/club.svg")
def club_code() -> ResponseReturnValue:
    """A QR code of the address of the club evening ``?tournament=``, as SVG."""
    picture = club_svg(_origin() or request.host_url, request.args.get("tournament", ""))
    if picture is None:
        abort(404)
    return Response(picture, mimetype="image/svg+xml")


@blueprint.route("/origin.json")
def origin() -> ResponseReturnValue:
    """The origin at which other phones reach this server; null if they cannot."""
    return jsonify(origin=_origin())


def _origin() -> str | None:
    return reachable_origin(request.scheme, request.host, int(request.environ["SERVER_PORT"]))


def _answer(name: str) -> Response:
    asset = assets.find(name)
    if asset is None:
        abort(404)
    gzipped = asset.gzipped is not None and request.accept_encodings.quality("gzip") > 0
    answer = Response(asset.gzipped if gzipped else asset.data, mimetype=asset.mimetype)
    if gzipped:
        answer.headers["Content-Encoding"] = "gzip"
    answer.vary.add("Accept-Encoding")
    answer.headers["Cache-Control"] = "no-cache"
    answer.set_etag(asset.digest, weak=True)
    answer.make_conditional(request)
    return answer
