"""Webhooks over HTTP: hosts add them, receivers on this machine get what happens."""

import base64
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select
from standardwebhooks import Webhook, WebhookVerificationError

from referee.service.people.operator import purge_tables
from referee.service.webhooks.addresses import AddressPolicy
from referee.service.webhooks.attempts import MOST_RECENT
from referee.service.webhooks.messages import signed_headers
from referee.service.webhooks.subscriptions import MOST_WEBHOOKS
from referee.store.schema import webhooks
from tests.api.conftest import API, MakeApp, Seat, open_table
from tests.api.receiver import LOOPBACK, Receiver, patient, receiving
from tests.api.test_bad_input import problem
from tests.waiting import PATIENCE, until

NOBODY = "https://hooks.invalid/x"
FAST = (0.02, 0.02, 0.02)


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    """A server that may send to this machine, and soon tries again."""
    app = make_app(webhooks=LOOPBACK)
    app.extensions["referee-webhooks"].delays = FAST
    patient(app)
    return app


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


def add(host: Seat, url: str, **given: Any) -> dict[str, Any]:
    """Add a webhook."""
    return host.create("/webhooks", {"url": url, **given})


def shown(host: Seat, hook: dict[str, Any]) -> dict[str, Any]:
    return host.get(f"/webhooks/{hook['id']}").get_json()


def change(host: Seat, hook: dict[str, Any], **given: Any) -> Any:
    return host.call("PATCH", f"{API}/tables/{host.table}/webhooks/{hook['id']}", given)


def attempts(host: Seat, hook: dict[str, Any]) -> list[dict[str, Any]]:
    return host.get(f"/webhooks/{hook['id']}/deliveries").get_json()["items"]


def test_a_ruling_arrives_signed_as_a_spectator_reads_it(host: Seat, receiver: Receiver) -> None:
    hook = add(host, receiver.url, lang="sv", description="Lamp")
    assert len(base64.b64decode(hook["secret"].removeprefix("whsec_"))) == 32
    ruled = host.move(2, "play", card="blue-9")
    assert ruled["ruling"]["verdict"] == "illegal"
    (message,) = receiver.wait_for(1)
    message.verify(hook["secret"])
    with pytest.raises(WebhookVerificationError):
        message.verify("whsec_" + base64.b64encode(b"x" * 32).decode())
    spectator = host.join()
    (read,) = spectator.get(f"/events?after={ruled['id'] - 1}&limit=1&lang=sv").get_json()["items"]
    assert message.body == {
        "type": "moved",
        "timestamp": ruled["at"],
        "table_id": host.table,
        "data": read,
    }
    assert "inte" in message.body["data"]["ruling"]["text"]
    assert message.headers["content-type"] == "application/json"
    assert message.headers["host"] == receiver.url.split("/")[2]


def test_the_secret_is_shown_once(host: Seat) -> None:
    hook = add(host, NOBODY)
    text = host.get("/webhooks").text + host.get(f"/webhooks/{hook['id']}").text
    assert hook["id"] in text
    assert "whsec_" not in text
    assert "whsec_" not in change(host, hook, description="Lamp").text
    assert "whsec_" not in host.get("/record").text + host.get("/events").text


def test_an_answer_that_was_lost_is_asked_for_again(host: Seat) -> None:
    body = {"url": NOBODY}
    first = host.post("/webhooks", body, Idempotency_Key="k1")
    again = host.post("/webhooks", body, Idempotency_Key="k1")
    assert first.get_json() == again.get_json()
    problem(host.post("/webhooks", {"url": NOBODY + "y"}, Idempotency_Key="k1"), 422, "key-reused")
    path = f"/webhooks/{first.get_json()['id']}/secret"
    rotated = [host.post(path, Idempotency_Key="k2").get_json()["secret"] for _ in range(2)]
    assert rotated[0] == rotated[1] != first.get_json()["secret"]
    assert len(host.get("/webhooks").get_json()["items"]) == 1


def test_the_former_secret_signs_too_after_a_rotation(host: Seat, receiver: Receiver) -> None:
    hook = add(host, receiver.url)
    rotated = host.post(f"/webhooks/{hook['id']}/secret")
    assert rotated.status_code == 201
    host.move(2, "draw")
    (message,) = receiver.wait_for(1)
    assert len(message.headers["webhook-signature"].split(" ")) == 2
    for secret in (hook["secret"], rotated.get_json()["secret"]):
        message.verify(secret)


def test_only_chosen_kinds_come_and_from_now_on(host: Seat, receiver: Receiver) -> None:
    hook = add(host, receiver.url, kinds=["corrected", "moved"])
    assert hook["kinds"] == ["corrected", "moved"]
    host.post("/tokens", {"role": "spectator"})
    drawn = host.move(2, "draw")
    undone = host.post("/corrections", {"kind": "undo"}).get_json()
    got = receiver.wait_for(2)
    assert [message.body["type"] for message in got] == ["moved", "corrected"]
    assert receiver.events() == [drawn["id"], undone["id"]]
    until(lambda: shown(host, hook)["after"] == undone["id"])


def test_earlier_events_come_when_asked_for(host: Seat, receiver: Receiver) -> None:
    newest = host.get().get_json()["version"]
    hook = add(host, receiver.url, after=0)
    receiver.wait_for(newest)
    assert receiver.events() == list(range(1, newest + 1))
    until(lambda: shown(host, hook)["after"] == newest)
    assert change(host, hook, after=newest - 1).status_code == 200
    (*_, again) = receiver.wait_for(newest + 1)
    assert again.id == receiver.got[newest - 1].id
    problem(change(host, hook, after=newest + 1), 422, "invalid-request")


def test_a_failure_is_tried_again_in_order(host: Seat, receiver: Receiver) -> None:
    receiver.status = 500
    hook = add(host, receiver.url, kinds=["moved"])
    moves = [host.move(2, "draw")["id"], host.move(2, "pass")["id"]]
    receiver.wait_for(2)
    failing = shown(host, hook)["failing"]
    assert failing["attempts"] >= 1
    receiver.status = 200
    until(lambda: receiver.events()[-1] == moves[1])
    assert set(receiver.events()[:-1]) == {moves[0]}
    assert len({message.id for message in receiver.got}) == 2
    until(lambda: shown(host, hook)["after"] == moves[1])
    assert shown(host, hook)["failing"] is None
    newest, *_, oldest = attempts(host, hook)
    assert (newest["event"], newest["code"], newest["error"]) == (moves[1], 200, None)
    assert (oldest["event"], oldest["number"], oldest["code"]) == (moves[0], 1, 500)
    assert oldest["error"] == "status"


def test_it_goes_off_after_failures_and_on_again(host: Seat, receiver: Receiver) -> None:
    receiver.status = 503
    hook = add(host, receiver.url, kinds=["moved"])
    move = host.move(2, "draw")["id"]
    until(lambda: not shown(host, hook)["active"])
    assert shown(host, hook)["disabled"]["reason"] == "failures"
    assert len(receiver.got) == len(FAST) + 1
    receiver.status = 200
    assert change(host, hook, active=True).get_json()["disabled"] is None
    until(lambda: shown(host, hook)["after"] == move)
    assert receiver.events() == [move] * (len(FAST) + 2)


def test_a_failing_one_goes_on_at_once_where_it_is_told_to(
    app: Flask, host: Seat, receiver: Receiver
) -> None:
    app.extensions["referee-webhooks"].delays = (86_400,)
    receiver.status = 503
    hook = add(host, receiver.url, kinds=["moved"])
    moves = [host.move(2, "draw")["id"], host.move(2, "pass")["id"]]
    until(lambda: shown(host, hook)["failing"] is not None)
    receiver.status = 200
    assert change(host, hook, after=moves[0]).get_json()["failing"] is None
    until(lambda: shown(host, hook)["after"] == moves[1])
    assert receiver.events() == moves


def test_410_turns_it_off_at_once(host: Seat, receiver: Receiver) -> None:
    receiver.status = 410
    hook = add(host, receiver.url)
    host.move(2, "draw")
    until(lambda: not shown(host, hook)["active"])
    assert shown(host, hook)["disabled"]["reason"] == "gone"
    assert len(receiver.got) == 1


def test_no_secret_and_no_address_gets_into_the_log(
    host: Seat, receiver: Receiver, capfd: pytest.CaptureFixture[str]
) -> None:
    receiver.status = 410
    hook = add(host, receiver.url)
    host.move(2, "draw")
    until(lambda: not shown(host, hook)["active"])
    said = capfd.readouterr().err
    assert hook["id"] in said
    assert "why=gone" in said
    assert hook["secret"] not in said
    assert "hook?key" not in said


def test_redirects_are_not_followed(host: Seat, receiver: Receiver) -> None:
    with receiving() as elsewhere:
        receiver.status, receiver.headers = 307, {"Location": elsewhere.url}
        hook = add(host, receiver.url)
        host.move(2, "draw")
        until(lambda: attempts(host, hook))
        assert attempts(host, hook)[0]["error"] == "redirect"
        until(lambda: not shown(host, hook)["active"])
        assert elsewhere.got == []


def test_a_test_message_reaches_one_that_is_off_too(host: Seat, receiver: Receiver) -> None:
    hook = add(host, receiver.url)
    assert change(host, hook, active=False).get_json()["disabled"]["reason"] == "host"
    host.move(2, "draw")
    asked = host.post(f"/webhooks/{hook['id']}/test")
    assert asked.status_code == 202
    (message,) = receiver.wait_for(1)
    message.verify(hook["secret"])
    assert message.id == asked.get_json()["message"]
    assert (message.body["type"], message.body["data"]) == ("test", {})
    until(lambda: attempts(host, hook))
    (one,) = attempts(host, hook)
    assert (one["message"], one["event"], one["error"]) == (message.id, None, None)
    for _ in range(MOST_RECENT):
        last = host.post(f"/webhooks/{hook['id']}/test").get_json()["message"]
        until(lambda: attempts(host, hook)[0]["message"] == last)  # noqa: B023 - called at once
    assert len(attempts(host, hook)) == MOST_RECENT


def test_shown_hands_stay_hidden(host: Seat, receiver: Receiver) -> None:
    host.move(2, "play", card="wild-draw-four", color="green")
    add(host, receiver.url)
    host.move(3, "challenge")
    host.move(2, "reveal", hand=["red-1", "red-2", "blue-3", "blue-4", "blue-5", "blue-6"])
    *_, shown_hand = receiver.wait_for(2)
    assert shown_hand.body["data"]["move"]["hand"] == {"count": 6}
    assert b"blue-3" not in shown_hand.raw


def test_a_table_has_few_and_they_go_with_it(app: Flask, host: Seat) -> None:
    hooks = [add(host, NOBODY) for _ in range(MOST_WEBHOOKS)]
    problem(host.post("/webhooks", {"url": NOBODY}), 409, "conflict")
    assert host.delete(f"/webhooks/{hooks[0]['id']}").status_code == 204
    problem(host.get(f"/webhooks/{hooks[0]['id']}"), 404, "not-found")
    other = open_table(app.test_client())
    problem(other.get(f"/webhooks/{hooks[1]['id']}"), 404, "not-found")
    event_log = app.extensions["referee"]
    purge_tables(event_log, [host.table])
    with event_log.engine.connect() as connection:
        assert connection.execute(select(webhooks.c.id)).all() == []


@pytest.mark.parametrize(
    "url",
    [
        "ftp://lights.example/x",
        "https://",
        "https://ann:secret@lights.example/",
        "https://lights.example/#x",
        "https://lights.example/a b",
        "https://lights.example:99999/",
        "https://lights.example\\@127.0.0.1/",
        "https://lights.example:25/",
        "https://lights.example:6667/",
        "https://127.0.0.1/",
        "https://lights.example/\u00e5",
        "javascript:alert(1)",
    ],
)
def test_bad_urls_are_refused(client: Any, shared_app: MakeApp, url: str) -> None:
    host = open_table(shared_app("sqlite").test_client(), opening=None)
    body = problem(host.post("/webhooks", {"url": url}), 422, "invalid-request")
    assert body["errors"][0]["field"] == "url"
    assert host.get("/webhooks").get_json()["items"] == []


def test_bad_fields_are_named(host: Seat) -> None:
    hook = add(host, NOBODY)
    for given, field in (
        ({"kinds": ["nothing"]}, "kinds.0"),
        ({"kinds": []}, "kinds"),
        ({"lang": "xx"}, "lang"),
        ({"after": 1000}, "after"),
        ({"description": "x" * 201}, "description"),
        ({"url": "x"}, "url"),
    ):
        for answer in (
            host.post("/webhooks", {"url": NOBODY, **given}),
            change(host, hook, **given),
        ):
            body = problem(answer, 422, "invalid-request")
            assert body["errors"][0]["field"] == field


def test_a_server_may_send_nothing(make_app: MakeApp) -> None:
    host = open_table(make_app(webhooks=AddressPolicy(mode="off")).test_client())
    problem(host.post("/webhooks", {"url": NOBODY}), 403, "forbidden")
    assert host.get("/webhooks").get_json() == {"items": []}


def test_signatures_are_those_of_the_standard() -> None:
    """The example of the specification's own libraries."""
    hook = {"secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "former_secret": None}
    body = b'{"test": 2432232314}'
    at = datetime.fromtimestamp(1614265330, UTC)
    headers = signed_headers(hook, "msg_p5jXN8AQM9LWM0D4loKWxJek", body, at)
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert (
        Webhook(hook["secret"]).sign(headers["webhook-id"], at, body.decode())
        == (headers["webhook-signature"])
    )


def test_a_receiver_that_does_not_answer_holds_up_nobody(host: Seat, receiver: Receiver) -> None:
    with receiving() as slow:
        answered = threading.Event()
        slow.answer = lambda _: answered.wait(PATIENCE) and None
        held = add(host, slow.url, kinds=["moved"])
        add(host, receiver.url, kinds=["moved"])
        moves = [host.move(2, "uno")["id"] for _ in range(5)]
        until(lambda: receiver.events() == moves)
        assert slow.events() == moves[:1]
        assert shown(host, held)["after"] < moves[0]
        answered.set()


def test_what_happened_while_it_was_off_is_sent_or_left_out(host: Seat, receiver: Receiver) -> None:
    hook = add(host, receiver.url, kinds=["moved"])
    change(host, hook, active=False)
    moves = [host.move(2, "uno")["id"] for _ in range(3)]
    change(host, hook, active=True, after=moves[1])
    until(lambda: receiver.events() == moves[2:])
    change(host, hook, url=receiver.url + "&again=1", after=moves[0])
    until(lambda: receiver.events() == [moves[2], *moves[1:]])
