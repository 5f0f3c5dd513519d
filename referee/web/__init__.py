"""The phone page: static files that use the server only through its API.

The server answers every path of a screen (``files/js/screens``) with the same shell, in which the
page's own router opens the screen.
"""

import re
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, current_app, jsonify, request
from flask.typing import ResponseReturnValue

from referee.web import assets
from referee.web.address import at_port, is_at_home, name_of, own_address, reachable_origin
from referee.web.codes import by_trust, camera_svg, club_svg, join_code_svg

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.config import Home

blueprint = Blueprint("web", __name__)
# In a request's environment: further addresses that its page may connect to.
CONNECT_KEY = "referee.connect"
HOST = re.compile(r"[A-Za-z0-9.:\[\]-]+")
# First path segments of the screens.
SCREENS = ("", "new", "join", "t", "rules", "wall", "club", "people", "trust")
# Below the version of all files; what an older shell names is today's file, asked for anew.
VERSIONED = re.compile(r"([0-9a-f]{16})/(.+)")
YEAR_S = 31_536_000
WORKER_POLICY = "default-src 'none'; connect-src 'self'"


def _screen(rest: str = "") -> ResponseReturnValue:
    answer = _answer(assets.SHELL)
    home = _home()
    if home is not None and request.path == "/trust" and HOST.fullmatch(request.host):
        # It finds out whether this phone trusts the house's certificate.
        request.environ[CONNECT_KEY] = f" {_secure(home)}health"
    return answer


for _name in SCREENS:
    blueprint.add_url_rule(f"/{_name}", f"screen-{_name}", _screen)
    if _name:
        blueprint.add_url_rule(f"/{_name}/<path:rest>", f"screen-{_name}-below", _screen)


@blueprint.route("/page/<path:name>")
def file(name: str) -> ResponseReturnValue:
    """A script, style, icon or the manifest; below the version of all files it never changes."""
    versioned = VERSIONED.fullmatch(name)
    answer = _answer(versioned[2] if versioned else name)
    if versioned and versioned[1] == assets.version():
        answer.headers["Cache-Control"] = f"public, max-age={YEAR_S}, immutable"
    return answer


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
    picture = join_code_svg(
        _origin() or request.host_url, request.args.get("code", ""), _for_guests()
    )
    if picture is None:
        abort(404)
    return Response(picture, mimetype="image/svg+xml")


@blueprint.route("/club.svg")
def club_code() -> ResponseReturnValue:
    """A QR code of the address of the club evening ``?tournament=``, as SVG."""
    picture = club_svg(
        _origin() or request.host_url, request.args.get("tournament", ""), _for_guests()
    )
    if picture is None:
        abort(404)
    return Response(picture, mimetype="image/svg+xml")


@blueprint.route("/camera.svg", methods=["POST"])
def camera_code() -> ResponseReturnValue:
    """A QR code that makes a phone the camera of a table: ``{"table", "token"}``, as SVG.

    It is a POST because addresses are logged, and a token is a secret.
    """
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        abort(400)
    table, token = (str(body.get(name, "")) for name in ("table", "token"))
    picture = camera_svg(_origin() or request.host_url, table, token, _for_guests())
    if picture is None:
        abort(400)
    return Response(picture, mimetype="image/svg+xml")


@blueprint.route("/origin.json")
def origin() -> ResponseReturnValue:
    """The origin at which other phones reach this server; null if they cannot.

    At home also where HTTPS is (``secure``), and the fingerprint of the house's certificate, if
    phones have to trust it first; and whether computers find it by mDNS (``announced``).
    """
    home = _home()
    return jsonify(
        origin=_origin(),
        secure=home and _secure(home),
        fingerprint=(home and home.fingerprint) or None,
        announced=home is not None and home.is_announced(),
    )


@blueprint.route("/house.crt")
def house_certificate() -> ResponseReturnValue:
    """The certificate of the house's authority, for phones to trust."""
    home = _home()
    if home is None or home.authority is None:
        abort(404)
    answer = Response(home.authority, mimetype="application/x-x509-ca-cert")
    answer.headers["Content-Disposition"] = 'attachment; filename="referee-at-home.crt"'
    return answer


def _home() -> "Home | None":
    home: Home | None = current_app.extensions["referee-settings"].home
    return home


def _origin() -> str | None:
    home = _home()
    if home is None:
        return reachable_origin(request.scheme, request.host, int(request.environ["SERVER_PORT"]))
    if home.authority is None:
        return _secure(home)
    # Guests do not trust the house yet: a code leads them where no browser warns them.
    plain = at_port("http", name_of(request.host), home.port)
    return reachable_origin("http", plain.split("//")[1].rstrip("/"), home.port)


def _secure(home: "Home") -> str:
    """Return where HTTPS is for whoever asks: an address that the certificate is for."""
    name = name_of(request.host)
    if home.authority is None:
        name = home.name
    elif not (is_at_home(name) or name.endswith(".local") or name == "localhost"):
        own = own_address()
        name = own if own and is_at_home(own) else home.name
    return at_port("https", name, home.secure_port)


def _for_guests() -> "Callable[[str], str]":
    """Return what makes an address of the page one for a code that guests scan."""
    home = _home()
    return str if home is None or home.authority is None else by_trust


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
