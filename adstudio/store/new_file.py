"""Writing a whole project file: a new one, or one saved under another name."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.core.plan import Plan
from adstudio.core.policy import PolicyChange
from adstudio.core.script import Script
from adstudio.store import database, layout, policies, recovery, version_rows
from adstudio.store.codec import CodecError, encode
from adstudio.store.source_guard import require_not_source
from adstudio.store.version_rows import Version
from adstudio.system.files import require_writable, write_atomically


def encode_plan(plan: Plan | None) -> bytes | None:
    """The plan as stored; None if there is none, or it exceeds a limit."""
    try:
        return encode(plan) if plan is not None else None
    except CodecError:
        # A plan can be computed again at any time; it must not keep the describer's work from being saved.
        return None


def write_new(
    path: Path,
    script: Script,
    plan: Plan | None,
    identity: bytes,
    changes: tuple[PolicyChange, ...] = (),
    *,
    by_user: bool = False,
    replacing: bool = True,
    original: Path | None = None,
    report: bytes = b"",
    sounds: Iterable[bytes] = (),
    lengths: bytes = b"",
    versions: Iterable[tuple[Version, bytes]] = (),
) -> None:
    """Write a project in its saved state, atomically, with policies that were set `by_user` or are copied.

    `original` is where the project was before, for Save As; `report` is what its draft reported,
    `sounds` are the recordings of its takes, `lengths` is how long its voice has spoken, `versions` are the named
    versions of its script with their contents as stored.

    Raises:
        BadInputError: if the script or policy exceeds the limits of the format, or the file must not be replaced, as no
            source of the script may be.
        OutsideFailureError: if it cannot be written, or a file of that name is open in an editor.
    """
    with contextlib.closing(database.in_memory(path)) as connection:
        layout.create_tables(connection)
        try:
            layout.write_snapshot(connection, 0, layout.START, encode(script))
            policies.write(connection, identity, changes, by_user=by_user)
        except CodecError as error:
            raise BadInputError(f"{path} cannot hold this script ({error})") from error
        layout.write_state(connection, 0, 0, layout.START)
        layout.write_plan(connection, 0, layout.START, encode_plan(plan))
        layout.write_report(connection, report)
        layout.write_lengths(connection, lengths)
        for sound in sounds:
            layout.write_sound(connection, sound)
        for version, content in versions:
            version_rows.write(connection, version, content)
        require_writable(path)
        require_not_source(path, script=script, project=original or path)
        with recovery.exclusive_replacement(path, replacing=replacing):
            write_atomically(path, connection.serialize(), replacing=replacing)
