"""The page's files: security policy, size, caching and the QR code."""

import gzip
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from referee.api import create_app
from referee.config import NO_LIMITS, Guard, Settings
from referee.service.log.fold import FOLDS
from referee.texts import languages
from referee.web import SCREENS, assets
from referee.web.codes import camera_svg, join_address, join_code_svg
from tests.api.conftest import API, close

LARGEST = 180_000
PACKED = {"Accept-Encoding": "gzip"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    database = tmp_path_factory.mktemp("page") / "tables.sqlite3"
    app = create_app(Settings(str(database), guard=Guard(limits=NO_LIMITS)))
    yield app.test_client()
    close(app)


def test_every_screen_is_the_same_shell(client: FlaskClient) -> None:
    shell = client.get("/").text
    for name in SCREENS:
        for path in (f"/{name}", f"/{name}/some/more" if name else "/"):
            answer = client.get(path)
            assert (answer.status_code, answer.text) == (200, shell), path
    assert client.get("/nothing").status_code == 404


def test_the_page_runs_nothing_but_its_own_files(client: FlaskClient) -> None:
    page = client.get("/")
    policy = dict(
        part.strip().split(" ", 1) for part in page.headers["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert not re.search(r"<script(?![^>]*\bsrc=)[^>]*>|\bstyle=|\bon\w+=", page.text)
    for source in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        answer = client.get(source)
        assert answer.status_code == 200, source
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_worker_may_fetch_from_its_own_server_only(client: FlaskClient) -> None:
    answer = client.get("/worker.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers.getlist("Content-Security-Policy") == [
        "default-src 'none'; connect-src 'self'"
    ]


def test_the_worker_keeps_every_file_of_the_page(client: FlaskClient) -> None:
    listed = re.search(r"const FILES = (\[.*?\]);", client.get("/worker.js").text)
    kept = json.loads(listed[1])
    assert kept == [assets.address(name) for name in assets.names()]
    for path in kept:
        assert client.get(path).status_code == 200, path


def test_a_file_below_the_version_of_all_files_is_never_asked_for_again(
    client: FlaskClient,
) -> None:
    shell = client.get("/").text
    for path in re.findall(r'(?:src|href)="([^"]+)"', shell):
        assert path.startswith(f"/page/{assets.version()}/"), path
        assert "immutable" in client.get(path).headers["Cache-Control"]
    # A page that an older server sent goes on with today's files.
    older = client.get(f"/page/{'0' * 16}/js/app.js")
    assert older.data == client.get(assets.address("js/app.js")).data
    for answer in (older, client.get("/page/js/app.js"), client.get("/")):
        assert answer.headers["Cache-Control"] == "no-cache"


def test_the_page_listens_for_every_kind_of_entry() -> None:
    source = (assets.FOLDER / "js" / "api.js").read_text(encoding="utf-8")
    kinds = source.partition("const KINDS = [")[2].partition("]")[0]
    assert re.findall(r"[a-z-]+", kinds) == list(FOLDS)


def test_a_module_imports_only_what_is_there() -> None:
    for name in assets.names():
        if not name.startswith("js/"):
            continue
        found = assets.find(name)
        assert found is not None
        folder = (assets.FOLDER / name).parent
        for imported in re.findall(r'(?:from |import\()"(\.[^"]+)"', found.data.decode()):
            assert (folder / imported).resolve().is_file(), f"{name} imports {imported}"


def test_the_first_page_is_small(client: FlaskClient) -> None:
    """Everything a phone loads before the first screen, compressed."""
    words = f"{API}/languages/ru/page?lang=ru&without=camera,board,trust"
    paths = ["/", "/worker.js", f"{API}/languages", words]
    paths += [f"/page/{name}" for name in assets.names() if assets.is_early(name)]
    sizes = {path: len(client.get(path, headers=PACKED).data) for path in paths}
    assert sum(sizes.values()) <= LARGEST, sizes


def test_what_is_loaded_later_is_not_loaded_first(client: FlaskClient) -> None:
    """Modules that another one imports with ``import("…")`` are neither preloaded nor counted."""
    shell = client.get("/").text
    modules = [name for name in assets.names() if name.startswith("js/")]
    assert "js/house/choice.js" in modules
    assert not assets.is_early("js/house/choice.js")
    for name in modules:
        assert (f'"{assets.address(name)}"' in shell) == assets.is_early(name), name


def test_a_file_is_packed_for_whoever_can_unpack_it(client: FlaskClient) -> None:
    plain = client.get("/page/js/app.js")
    packed = client.get("/page/js/app.js", headers=PACKED)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert "Accept-Encoding" in packed.vary
    known = {"If-None-Match": plain.headers["ETag"], **PACKED}
    assert client.get("/page/js/app.js", headers=known).status_code == 304


def test_there_is_nothing_beside_the_files(client: FlaskClient) -> None:
    for path in ("/page/../__init__.py", "/page/nothing.js", "/page/", "/page/js"):
        assert client.get(path).status_code == 404, path


def test_a_phone_can_install_it(client: FlaskClient) -> None:
    manifest = json.loads(client.get("/page/manifest.webmanifest").text)
    assert manifest["start_url"] == manifest["scope"] == "/"
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
    for icon in manifest["icons"]:
        assert client.get(icon["src"]).mimetype == icon["type"]


@pytest.mark.parametrize("lang", languages())
def test_the_page_speaks_every_language(client: FlaskClient, lang: str) -> None:
    answer = client.get(f"{API}/languages/{lang}/page")
    body = answer.get_json()
    assert body["language"] == lang == answer.headers["Content-Language"]
    assert body["sections"]["home"]["new"]
    # Letters of colours have to differ, or they are of no use.
    assert len(set(body["sections"]["mark"].values())) == 4


def test_a_language_that_nobody_speaks(client: FlaskClient) -> None:
    answer = client.get(f"{API}/languages/xx/page", headers={"Accept-Language": "sv"})
    assert answer.status_code == 404
    assert answer.get_json()["detail"] == "Det finns inget språk 'xx'."


def test_texts_that_the_page_asks_for_are_there(client: FlaskClient) -> None:
    sections = client.get(f"{API}/languages/en/page").get_json()["sections"]
    there = {f"{section}.{name}" for section, texts in sections.items() for name in texts}
    asked = set()
    for name in assets.names():
        found = assets.find(name)
        if name.startswith("js/") and found is not None:
            asked |= set(re.findall(r'\bt\(\s*"([\w-]+\.[\w-]+)"', found.data.decode()))
            asked |= set(re.findall(r'label: "([\w-]+\.[\w-]+)"', found.data.decode()))
    assert len(asked) > 50
    assert asked - there == set()


def test_a_join_code_is_a_picture_to_scan(client: FlaskClient) -> None:
    answer = client.get("/join.svg?code=ABCD%20EF23")
    assert answer.mimetype == "image/svg+xml"
    picture = ET.fromstring(answer.data)
    assert picture.tag.endswith("svg")
    colors = {element.get(name) for element in picture.iter() for name in ("fill", "stroke")} - {
        None
    }
    assert colors == {"#fff", "#111"}
    assert join_address("http://table:8000/", "abcd-ef23") == "http://table:8000/join?code=ABCDEF23"


def test_a_camera_link_is_a_picture_that_is_asked_for_in_a_body(client: FlaskClient) -> None:
    said = {"table": "gu72mpvtv5ousibu", "token": "kPKDrR92B6yuC3mY3ZZKuCGdJB8CFkoO-lQLdj83ygA"}
    answer = client.post("/camera.svg", json=said)
    assert answer.mimetype == "image/svg+xml"
    assert ET.fromstring(answer.data).tag.endswith("svg")
    assert answer.data == camera_svg("http://localhost/", said["table"], said["token"])
    assert client.get("/camera.svg", query_string=said).status_code in (404, 405)
    for bad in ([], {}, {**said, "token": "short"}, {**said, "table": "../x"}, "text"):
        assert client.post("/camera.svg", json=bad).status_code == 400
    assert client.post("/camera.svg", data="{").status_code == 400


@pytest.mark.parametrize("code", ["", "abc", "a" * 25, "<script>", "AB&x=1", "é" * 8])
def test_what_can_be_no_code_makes_no_picture(client: FlaskClient, code: str) -> None:
    assert join_code_svg("http://table/", code) is None
    assert client.get("/join.svg", query_string={"code": code}).status_code == 404
