"""A project file written whole: a new one, a copy, one saved under another name."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.core.plan import Plan
from adstudio.core.policy import PolicyChange
from adstudio.core.script import Script
from adstudio.store import database, layout, policies
from adstudio.store.codec import CodecError, encode
from adstudio.system.files import require_writable, write_atomically


def encoded_plan(plan: Plan | None) -> bytes | None:
    """The plan as it is kept; None where there is none, or it goes beyond a limit."""
    try:
        return encode(plan) if plan is not None else None
    except CodecError:
        # A plan can be made anew at any time; it must not keep the describer's own work from being saved.
        return None


def write_new(
    path: Path,
    script: Script,
    plan: Plan | None,
    identity: bytes,
    changes: tuple[PolicyChange, ...] = (),
    encoded: Callable[[Script], bytes] = encode,
    *,
    replacing: bool = True,
) -> None:
    """A project as it is after a save, in one go: wholly there or not at all.

    Raises:
        BadInputError: for a script or a policy beyond the limits of the format, or a file that is not to be replaced.
        OutsideFailureError: where it cannot be written, or the file of that name is open in an editor.
    """
    with contextlib.closing(database.in_memory(path)) as connection:
        layout.make(connection)
        try:
            layout.write_snapshot(connection, 0, layout.START, encoded(script))
            policies.write(connection, identity, changes)
        except CodecError as error:
            raise BadInputError(f"{path} cannot hold this script ({error})") from error
        layout.write_state(connection, 0, 0, layout.START)
        layout.write_plan(connection, 0, layout.START, encoded_plan(plan))
        require_writable(path)
        with database.nobody_else(path, replacing=replacing):
            write_atomically(path, connection.serialize(), replacing=replacing)
