"""What a saved project still holds of people and pictures that were deleted: in earlier steps and scripts.

Undo needs them until the project is closed. When it is opened again nothing does, and whoever deleted everything of a
person does not expect a picture of them in the file.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
from base64 import b64encode
from pathlib import Path

from adstudio.core.script import Script
from adstudio.store import database, layout
from adstudio.store.codec import encode
from adstudio.store.content import Content

_PERSON = re.compile(rb'"(person-[0-9a-f]+(?:-[0-9]+)?)"')
_PICTURE = re.compile(rb'"image":"([^"]*)"')


def has_deleted_people(connection: sqlite3.Connection, found: Content) -> bool:
    """Whether a file without unsaved steps has rows with people or pictures of people that are no longer there."""
    if found.tail is not None or found.saved_seq != found.last_seq:
        return False
    people, pictures = _people_of(found.saved), _pictures_of(found.saved)
    rows = connection.execute("SELECT script FROM snapshot UNION ALL SELECT step FROM journal WHERE seq > 0")
    return any(
        not people.issuperset(_PERSON.findall(row)) or not pictures.issuperset(_PICTURE.findall(row)) for (row,) in rows
    )


def without_history(path: Path, connection: sqlite3.Connection, found: Content) -> bytes:
    """The content of a file without unsaved steps, with the saved script alone in place of what led to it.

    Raises:
        CodecError: where that exceeds a limit.
    """
    with contextlib.closing(database.in_memory(path)) as copy:
        layout.create_empty_tables(copy, layout.VERSION)
        for name in layout.TABLES[layout.VERSION]:
            which = {"snapshot": "seq < 0", "journal": "seq < 0"}.get(name, "true")  # the fillers alone
            rows = connection.execute(f"SELECT * FROM {name} WHERE {which}")  # noqa: S608 - a table of our own
            marks = ", ".join("?" * len(rows.description))
            copy.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608
        layout.write_snapshot(copy, found.saved_seq, found.saved_sum, encode(found.saved))
        return copy.serialize()


def _people_of(script: Script) -> set[bytes]:
    entries = (entry for person in script.people for entry in (person, *(each.entry for each in person.merged)))
    named = (face.person for face in script.named_faces if face.person is not None)
    return {identity.encode() for identity in (*(entry.id for entry in entries), *named)}


def _pictures_of(script: Script) -> set[bytes]:
    return {b64encode(portrait.image) for person in script.people for portrait in person.all_portraits}
