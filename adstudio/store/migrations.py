"""Older project files brought to the present version, a version at a time, each row proven by its old sum first."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from adstudio.core.document import Act
from adstudio.store import policies
from adstudio.store.layout import TABLES, VERSION, damaged, digest, write_plan, write_row, write_snapshot, write_state
from adstudio.store.legacy_texts import origin, provenance
from adstudio.system.scalars import CodecError, fraction_in

Edit = Callable[[dict[str, Any]], None]
"""Brings the JSON of a script or of a step, in place, to the next version."""


def migrate(path: Path, connection: sqlite3.Connection, version: int) -> None:
    """Bring an older file to the present version, inside the caller's transaction.

    Raises:
        BadInputError: for damage that the migration would hide.
    """
    while version < VERSION:
        _MIGRATIONS[version](path, connection)
        version += 1
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _from_1(path: Path, connection: sqlite3.Connection) -> None:
    """Version 2 knows when a step was made."""
    rows = connection.execute("SELECT seq, act, step, sum FROM journal ORDER BY seq").fetchall()
    base = connection.execute("SELECT chain FROM snapshot ORDER BY seq LIMIT 1").fetchone()
    state = connection.execute("SELECT saved, last, last_sum, sum FROM state").fetchone()
    if base is None or state is None or digest("state", *state[:3]) != state[3]:
        raise damaged(path, "its state does not add up")
    connection.execute("DROP TABLE journal")
    connection.execute(TABLES[2]["journal"])
    old = new = saved_sum = base[0]
    for seq, act, step, total in rows:
        if digest("journal", old, seq, act, step) != total:
            raise damaged(path, f"change {seq} does not add up")
        old, new = total, write_row(connection, new, seq, act=act, step=step, at=None)
        if seq == state[0]:
            saved_sum = new
    if old != state[2]:
        raise damaged(path, "its last changes are missing")
    write_state(connection, state[0], state[1], new)
    sums = dict(connection.execute("SELECT seq, sum FROM journal").fetchall())
    for seq, chain, script, total in connection.execute("SELECT seq, chain, script, sum FROM snapshot").fetchall():
        if digest("snapshot", seq, chain, script) != total:
            raise damaged(path, "its script does not add up")
        write_snapshot(connection, seq, sums.get(seq, chain), script)
    # The plan is derived and its sum belonged to the old chain; it is made anew.
    write_plan(connection, state[0], saved_sum, None)


def _from_2(path: Path, connection: sqlite3.Connection) -> None:
    """Version 3 has openings, and eventualities that are joined to the line before them."""
    _rewrite(path, connection, _script_to_3, _step_to_3)


def _from_3(path: Path, connection: sqlite3.Connection) -> None:
    """Version 4 has films with a screenplay, and eventualities with a confidence and a source."""
    _rewrite(path, connection, _script_to_4, _step_to_4)


def _from_4(path: Path, connection: sqlite3.Connection) -> None:
    """Version 5 has scripts with people and prompts, and eventualities that a person may have weighed.

    It says what the project allows to be sent: nothing yet.
    """
    _rewrite(path, connection, _script_to_5, _step_to_5)
    for table in ("policy", "identity"):
        connection.execute(TABLES[5][table])
    policies.write(connection, policies.new_identity())


def _from_5(path: Path, connection: sqlite3.Connection) -> None:
    """Version 6 has eventualities of which a person has changed what nothing else tells of.

    Of those drafted by a machine that is so where a wording has a duration, or the wordings stand in another order than
    from full to short: no draft made them so, unless its lines are held, which tells enough.
    """
    _rewrite(path, connection, _script_to_6, _step_to_6)


def _from_6(path: Path, connection: sqlite3.Connection) -> None:
    """Version 7 says in values where a line comes from, who made a step, and that one was withdrawn."""
    _rewrite(path, connection, _script_to_7, _step_to_7, _act_to_7)


def _rewrite(
    path: Path,
    connection: sqlite3.Connection,
    script_edit: Edit,
    step_edit: Edit,
    act_of: Callable[[str, bytes], str] = lambda act, _step: act,
) -> None:
    """Edit every script and step where only their JSON differs between two versions, and acts by their old steps.

    Unsaved steps that do not add up keep their old sums, so that reading finds them as it would have before.
    """
    rows = connection.execute("SELECT seq, act, step, at, sum FROM journal ORDER BY seq").fetchall()
    snapshots = connection.execute("SELECT seq, chain, script, sum FROM snapshot ORDER BY seq").fetchall()
    state = connection.execute("SELECT saved, last, last_sum, sum FROM state").fetchone()
    plan = connection.execute("SELECT seq, plan, sum FROM plan").fetchone()
    if not snapshots or state is None or digest("state", *state[:3]) != state[3]:
        raise damaged(path, "its state does not add up")
    old = new = snapshots[0][1]
    chains: dict[bytes, bytes] = {old: new}
    saved_sum = old if state[0] == snapshots[0][0] else b""
    connection.execute("DELETE FROM journal")
    for place, (seq, act, step, at, total) in enumerate(rows):
        if digest("journal", old, seq, act, step, at) != total:
            if seq <= state[0]:
                raise damaged(path, f"change {seq} does not add up")
            connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?)", rows[place:])
            break
        new = write_row(connection, new, seq, act=act_of(act, step), step=_edited(step, step_edit), at=at)
        old = total
        chains[old] = new
        saved_sum = old if seq == state[0] else saved_sum
    for seq, chain, script, total in snapshots:
        if digest("snapshot", seq, chain, script) == total:
            write_snapshot(connection, seq, chains.get(chain) or chain, _edited(script, script_edit))
        elif seq <= state[0]:
            raise damaged(path, "its script does not add up")
    write_state(connection, state[0], state[1], chains.get(state[2]) or state[2])
    if plan is not None and saved_sum in chains and digest("plan", state[0], saved_sum, plan[1]) == plan[2]:
        write_plan(connection, state[0], chains[saved_sum], plan[1])


def _edited(data: bytes, edit: Edit) -> bytes:
    """JSON with something edited in it; what is no object is left as it is, for reading to refuse."""
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


def _script_to_3(script: dict[str, Any]) -> None:
    script.setdefault("openings", [])
    for eventuality in _objects(script.get("eventualities")):
        eventuality.setdefault("joined", False)


def _step_to_3(step: dict[str, Any]) -> None:
    for item in (item for each in _steps(step) for item in _items(each)):
        if item.get("type") == "eventuality":
            item.setdefault("joined", False)


def _script_to_4(script: dict[str, Any]) -> None:
    for film in _objects([script.get("film")]):
        film.setdefault("screenplay", "")
    for eventuality in _objects(script.get("eventualities")):
        _eventuality_to_4(eventuality)


def _step_to_4(step: dict[str, Any]) -> None:
    for each in _steps(step):
        for item in _items(each):
            if item.get("type") == "eventuality":
                _eventuality_to_4(item)
            elif each.get("type") == "set film":
                item.setdefault("screenplay", "")


def _script_to_5(script: dict[str, Any]) -> None:
    script.setdefault("people", [])
    script.setdefault("prompts", [])
    for eventuality in _objects(script.get("eventualities")):
        eventuality.setdefault("weighed", False)


def _step_to_5(step: dict[str, Any]) -> None:
    for item in (item for each in _steps(step) for item in _items(each)):
        if item.get("type") == "eventuality":
            item.setdefault("weighed", False)


def _script_to_6(script: dict[str, Any]) -> None:
    for eventuality in _objects(script.get("eventualities")):
        eventuality.setdefault("worked", _looks_worked(eventuality))


def _step_to_6(step: dict[str, Any]) -> None:
    for item in (item for each in _steps(step) for item in _items(each)):
        if item.get("type") == "eventuality":
            item.setdefault("worked", _looks_worked(item))


def _script_to_7(script: dict[str, Any]) -> None:
    for eventuality in _objects(script.get("eventualities")):
        _eventuality_to_7(eventuality)


def _step_to_7(step: dict[str, Any]) -> None:
    for each in _steps(step):
        if each.get("type") == "several" and isinstance(label := each.get("label"), str):
            each["label"], each["origin"] = ("", origin("")[1]) if label == _WITHDRAWN else origin(label)
        for item in _items(each):
            if item.get("type") == "eventuality":
                _eventuality_to_7(item)


def _eventuality_to_7(eventuality: dict[str, Any]) -> None:
    if isinstance(source := eventuality.pop("source", None), str):
        eventuality["provenance"] = provenance(source)


_WITHDRAWN = "withdrawn"
"""Up to version 6 a withdrawn step was a row of the act “undo” whose step, the inverse one, had this label."""


def _act_to_7(act: str, step: bytes) -> str:
    found: list[str] = []
    _edited(step, lambda plain: found.append(str(plain.get("label"))))
    return Act.WITHDRAW.value if act == Act.UNDO.value and found == [_WITHDRAWN] else act


def _looks_worked(eventuality: dict[str, Any]) -> bool:
    pins = _objects([eventuality.get("pin")])
    if eventuality.get("origin") != "machine" or any(
        pin.get(hold) is not None for pin in pins for hold in ("start", "selected")
    ):
        return False
    variants = _objects(eventuality.get("variants"))
    rates = [_rate(each.get("rate")) for each in variants]
    return any(each.get("duration") is not None for each in variants) or rates != sorted(rates, reverse=True)


def _rate(written: object) -> Fraction:
    try:
        return fraction_in(written)
    except CodecError:
        # Reading refuses it.
        return Fraction(0)


def _eventuality_to_4(eventuality: dict[str, Any]) -> None:
    eventuality.setdefault("confidence", None)
    eventuality.setdefault("source", "")


def _steps(step: dict[str, Any]) -> list[dict[str, Any]]:
    """A step and all that lie in it."""
    found = [step]
    for each in found:
        found += _objects(each.get("steps"))
    return found


def _items(step: dict[str, Any]) -> list[dict[str, Any]]:
    """What a step holds of items, old and new, itself alone."""
    return _objects([step.get(key) for key in ("item", "old", "new")])


def _objects(values: object) -> list[dict[str, Any]]:
    found = cast("list[object]", values) if isinstance(values, list) else []
    return [cast("dict[str, Any]", each) for each in found if isinstance(each, dict)]


_MIGRATIONS: dict[int, Callable[[Path, sqlite3.Connection], None]] = {
    1: _from_1,
    2: _from_2,
    3: _from_3,
    4: _from_4,
    5: _from_5,
    6: _from_6,
}
