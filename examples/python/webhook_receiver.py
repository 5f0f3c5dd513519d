"""Receive a table's webhooks, verify them, and print what is announced.

WEBHOOK_SECRET=whsec_… flask --app webhook_receiver run --port 8080
"""

import os
from collections import deque
from typing import Any

from flask import Flask, request
from standardwebhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])
# A message may come twice: when our answer was lost, for instance.
seen: deque[str] = deque(maxlen=1000)


@app.post("/hook")
def receive() -> tuple[str, int]:
    """Answer at once; whatever takes longer belongs into a queue."""
    try:
        # The body as it came: JSON that was read and written again has another signature.
        message = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 401
    if request.headers["webhook-id"] not in seen:
        seen.append(request.headers["webhook-id"])
        show(message)
    return "", 204


def show(message: dict[str, Any]) -> None:
    """Print a ruling that goes against a move, and what is announced."""
    event = message["data"]
    if event.get("ruling", {}).get("verdict") == "illegal":
        print(f"{event['ruling']['text']} ({event['ruling']['source']})", flush=True)
    for sentence in event.get("announcements", []):
        print(sentence, flush=True)
