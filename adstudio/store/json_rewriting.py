"""Rewriting the JSON that a project file holds for a newer version, with the checksums of its rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from adstudio.store import version_rows
from adstudio.store.layout import damaged, digest, empty_journal, write_plan, write_row, write_snapshot, write_state

Edit = Callable[[dict[str, Any]], object]
"""Migrates a JSON object, in place, to the next version."""


@dataclass(frozen=True)
class Edits:
    """How a version changes the JSON of a script, of every eventuality, of every single step, and of a plan."""

    eventuality: Edit = lambda _eventuality: None
    script: Edit = lambda _script: None
    step: Edit = lambda _step: None
    plan: Edit = lambda _plan: None

    def edit_script(self, script: dict[str, Any]) -> None:
        """Edit a script and its eventualities."""
        self.script(script)
        for eventuality in objects_in(script.get("eventualities")):
            self.eventuality(eventuality)

    def edit_step(self, step: dict[str, Any]) -> None:
        """Edit a step with those nested in it, and the eventualities that they set."""
        for each in _steps(step):
            self.step(each)
            for item in items_of(each):
                if item.get("type") == "eventuality":
                    self.eventuality(item)


def rewrite(
    path: Path,
    connection: sqlite3.Connection,
    edits: Edits,
    act_of: Callable[[str, bytes], str] = lambda act, _step: act,
) -> None:
    """Migrate the JSON of every script, step and plan, those of named versions too, and acts by their old steps.

    Damaged unsaved steps keep their old sums, so that reading treats them as before.
    """
    rows = connection.execute("SELECT seq, act, step, at, sum FROM journal WHERE seq > 0 ORDER BY seq").fetchall()
    snapshots = connection.execute("SELECT seq, chain, script, sum FROM snapshot ORDER BY seq").fetchall()
    state = connection.execute("SELECT saved, last, last_sum, sum FROM state").fetchone()
    plan = connection.execute("SELECT seq, plan, sum FROM plan").fetchone()
    if not snapshots or state is None or digest("state", *state[:3]) != state[3]:
        raise damaged(path, "the checksum of its state is wrong")
    old = new = snapshots[0][1]
    chains: dict[bytes, bytes] = {old: new}
    saved_sum = old if state[0] == snapshots[0][0] else b""
    empty_journal(connection)
    for place, (seq, act, step, at, total) in enumerate(rows):
        if digest("journal", old, seq, act, step, at) != total:
            if seq <= state[0]:
                raise damaged(path, f"the checksum of change {seq} is wrong")
            connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?)", rows[place:])
            break
        new = write_row(connection, new, seq, act=act_of(act, step), step=edited(step, edits.edit_step), at=at)
        old = total
        chains[old] = new
        saved_sum = old if seq == state[0] else saved_sum
    for seq, chain, script, total in snapshots:
        if digest("snapshot", seq, chain, script) == total:
            write_snapshot(connection, seq, chains.get(chain) or chain, edited(script, edits.edit_script))
        elif seq <= state[0]:
            raise damaged(path, "the checksum of its script is wrong")
    write_state(connection, state[0], state[1], chains.get(state[2]) or state[2])
    if plan is not None and saved_sum in chains and digest("plan", state[0], saved_sum, plan[1]) == plan[2]:
        write_plan(connection, state[0], chains[saved_sum], edited(plan[1], edits.plan))
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'version'").fetchone():
        version_rows.rewrite(connection, lambda content: edited(content, partial(_edit_content, edits)))


def _edit_content(edits: Edits, content: dict[str, Any]) -> None:
    for script in objects_in([content.get("script")]):
        edits.edit_script(script)
    for plan in objects_in([content.get("plan")]):
        edits.plan(plan)


def edited(data: bytes, edit: Edit) -> bytes:
    """Edited JSON; anything but an object is left unchanged, for reading to refuse."""
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        return data
    if not isinstance(found, dict):
        return data
    edit(cast("dict[str, Any]", found))
    try:
        return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(found, separators=(",", ":")).encode()


def _steps(step: dict[str, Any]) -> list[dict[str, Any]]:
    """A step and all steps nested in it."""
    found = [step]
    for each in found:
        found += objects_in(each.get("steps"))
    return found


def items_of(step: dict[str, Any]) -> list[dict[str, Any]]:
    """The items in a step, old and new, without nested steps."""
    return objects_in([step.get(key) for key in ("item", "old", "new")])


def objects_in(values: object) -> list[dict[str, Any]]:
    """The JSON objects in what should be a list."""
    found = cast("list[object]", values) if isinstance(values, list) else []
    return [cast("dict[str, Any]", each) for each in found if isinstance(each, dict)]
