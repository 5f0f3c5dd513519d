"""The phone page: files that a browser runs, and that speak to the server through its API only.

A path of the page is a screen of it (``files/js/screens``): the server answers each with the same
shell, and the page's own router does the rest.
"""

from flask import Blueprint, Response, abort, jsonify, request
from flask.typing import ResponseReturnValue

from referee.web import assets
from referee.web.address import reachable_origin
from referee.web.codes import join_code_svg

blueprint = Blueprint("web", __name__)
# Everything below one of these is a screen.
SCREENS = ("", "new", "join", "t", "rules", "wall")
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
    """The service worker; it is asked for at the root, for its scope is where it lies."""
    answer = _answer(assets.WORKER)
    # A worker may fetch only what its own script's policy lets it.
    answer.headers["Content-Security-Policy"] = WORKER_POLICY
    return answer


@blueprint.route("/join.svg")
def join_code() -> ResponseReturnValue:
    """A QR code for whoever wants to join with ``?code=``, as a picture."""
    picture = join_code_svg(_origin() or request.host_url, request.args.get("code", ""))
    if picture is None:
        abort(404)
    return Response(picture, mimetype="image/svg+xml")


@blueprint.route("/origin.json")
def origin() -> ResponseReturnValue:
    """Where other phones reach this server; null if they cannot."""
    return jsonify(origin=_origin())


def _origin() -> str | None:
    return reachable_origin(request.scheme, request.host, int(request.environ["SERVER_PORT"]))


def _answer(name: str) -> Response:
    """A file, packed if the browser can unpack it; it is asked for anew only when it changed."""
    asset = assets.find(name)
    if asset is None:
        abort(404)
    packed = asset.packed is not None and request.accept_encodings.quality("gzip") > 0
    answer = Response(asset.packed if packed else asset.data, mimetype=asset.mimetype)
    if packed:
        answer.headers["Content-Encoding"] = "gzip"
    answer.vary.add("Accept-Encoding")
    answer.headers["Cache-Control"] = "no-cache"
    answer.set_etag(asset.digest, weak=True)
    answer.make_conditional(request)
    return answer
