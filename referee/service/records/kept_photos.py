"""Photos stored at their sender's request, for the table's host alone.

They are not part of the log. They are deleted by the host, or with their table. Only the picture is
kept: what a phone adds to it says where and when it was taken.
"""

import hashlib
from typing import Any

from sqlalchemy import RowMapping, delete, insert
from sqlalchemy.exc import IntegrityError

from referee.rules.message import Message
from referee.service.access import Principal
from referee.service.log.event_log import EventLog, now
from referee.service.log.preconditions import check_open
from referee.service.log.table_projection import TableProjection
from referee.service.problems import Problem
from referee.service.records.photos import CardReader, picture_alone
from referee.store.schema import photos
from referee.store.writer import Job

# Limits, since anybody who may create tables could fill the disk.
MOST_PHOTOS = 20
MOST_MB = 32
ID_DIGITS = 20
MEDIA_TYPE = "image/jpeg"
SHOWN = ("id", "at", "media_type", "size")


def keep_photo(
    log: EventLog, table: TableProjection, principal: Principal, reader: CardReader, sent: bytes
) -> str:
    """Store a photo once, and return its id. Raises Problem."""
    photo = picture_alone(reader, sent)
    photo_id = hashlib.sha256(photo).hexdigest()[:ID_DIGITS]
    row = {
        "table_id": table.id,
        "id": photo_id,
        "at": now(),
        "token_id": principal.id,
        "media_type": MEDIA_TYPE,
        "size": len(photo),
        "data": photo,
    }
    # Another process may have closed it.
    table = log.fresh(table.id)
    with table.lock:
        check_open(table, principal)
        kept = {one["id"]: one["size"] for one in log.reader.photos_of(table.id)}
        if photo_id in kept:
            return photo_id
        if len(kept) >= MOST_PHOTOS:
            raise Problem(
                "conflict",
                Message("A table keeps {most} photos at most: delete one.", most=MOST_PHOTOS),
            )
        if sum(kept.values()) + len(photo) > MOST_MB * 1_000_000:
            raise Problem(
                "conflict",
                Message("A table keeps {most} MB of photos at most: delete one.", most=MOST_MB),
            )
        try:
            log.writer.write(Job(before=[(insert(photos), row)]))
        except IntegrityError:
            # Another process was first, or the table is gone.
            find_photo(log, table, photo_id)
    return photo_id


def list_photos(log: EventLog, table: TableProjection) -> list[dict[str, Any]]:
    """Return the photos kept at a table, oldest first, without the pictures."""
    return [
        {"by": row["token_id"], **{name: row[name] for name in SHOWN}}
        for row in log.reader.photos_of(table.id)
    ]


def delete_photo(log: EventLog, table: TableProjection, photo_id: str) -> None:
    """Delete a photo, of a closed table too. Raises Problem."""
    find_photo(log, table, photo_id)
    this_one = (photos.c.table_id == table.id) & (photos.c.id == photo_id)
    log.writer.write(Job(before=[(delete(photos).where(this_one), {})]))


def find_photo(log: EventLog, table: TableProjection, photo_id: str) -> RowMapping:
    """Return a photo: ``media_type`` and ``data``. Raises Problem."""
    found = log.reader.photo(table.id, photo_id)
    if found is None:
        raise Problem("not-found", "There is no such photo at this table.")
    return found
