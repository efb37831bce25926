"""Migrating older project files, one version at a time, after verifying each row's old checksum."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

from adstudio.core.cast import person_id
from adstudio.core.document import Act
from adstudio.store import policies
from adstudio.store.json_rewriting import Edits, edited, items_of, objects_in, rewrite
from adstudio.store.layout import (
    TABLES,
    VERSION,
    damaged,
    digest,
    write_fillers,
    write_plan,
    write_row,
    write_snapshot,
    write_state,
)
from adstudio.store.legacy_texts import origin, provenance
from adstudio.system.scalars import CodecError, fraction_in

MAX_VARIANTS, MAX_START = 1000, 10**9
"""What is beyond these in a plan is damage, and not taken over."""


def migrate(path: Path, connection: sqlite3.Connection, version: int) -> None:
    """Migrate an older file to the current version, inside the caller's transaction.

    Raises:
        BadInputError: for damage that the migration would hide.
    """
    while version < VERSION:
        _MIGRATIONS[version](path, connection)
        version += 1
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _from_1(path: Path, connection: sqlite3.Connection) -> None:
    """Version 2 records when a step was made."""
    rows = connection.execute("SELECT seq, act, step, sum FROM journal ORDER BY seq").fetchall()
    base = connection.execute("SELECT chain FROM snapshot ORDER BY seq LIMIT 1").fetchone()
    state = connection.execute("SELECT saved, last, last_sum, sum FROM state").fetchone()
    if base is None or state is None or digest("state", *state[:3]) != state[3]:
        raise damaged(path, "the checksum of its state is wrong")
    connection.execute("DROP TABLE journal")
    connection.execute(TABLES[2]["journal"])
    old = new = saved_sum = base[0]
    for seq, act, step, total in rows:
        if digest("journal", old, seq, act, step) != total:
            raise damaged(path, f"the checksum of change {seq} is wrong")
        old, new = total, write_row(connection, new, seq, act=act, step=step, at=None)
        if seq == state[0]:
            saved_sum = new
    if old != state[2]:
        raise damaged(path, "its last changes are missing")
    write_state(connection, state[0], state[1], new)
    sums = dict(connection.execute("SELECT seq, sum FROM journal").fetchall())
    for seq, chain, script, total in connection.execute("SELECT seq, chain, script, sum FROM snapshot").fetchall():
        if digest("snapshot", seq, chain, script) != total:
            raise damaged(path, "the checksum of its script is wrong")
        write_snapshot(connection, seq, sums.get(seq, chain), script)
    # The plan's sum belonged to the old chain; being derived, it can be computed again.
    write_plan(connection, state[0], saved_sum, None)


def _from_2(path: Path, connection: sqlite3.Connection) -> None:
    """Version 3 adds openings and linked eventualities."""
    edits = Edits(
        lambda eventuality: eventuality.setdefault("joined", False),
        lambda script: script.setdefault("openings", []),
    )
    rewrite(path, connection, edits)


def _from_3(path: Path, connection: sqlite3.Connection) -> None:
    """Version 4 adds the screenplay of a film, and the confidence and source of eventualities."""

    def eventuality(found: dict[str, Any]) -> None:
        found.setdefault("confidence", None)
        found.setdefault("source", "")

    def script(found: dict[str, Any]) -> None:
        for film in objects_in([found.get("film")]):
            film.setdefault("screenplay", "")

    def step(found: dict[str, Any]) -> None:
        for film in items_of(found) if found.get("type") == "set film" else ():
            film.setdefault("screenplay", "")

    rewrite(path, connection, Edits(eventuality, script, step))


def _from_4(path: Path, connection: sqlite3.Connection) -> None:
    """Version 5 adds people and prompts, eventualities rated by a person, and the sharing policy (offline)."""

    def script(found: dict[str, Any]) -> None:
        found.setdefault("people", [])
        found.setdefault("prompts", [])

    rewrite(path, connection, Edits(lambda eventuality: eventuality.setdefault("weighed", False), script))
    for table in ("policy", "identity"):
        connection.execute(TABLES[5][table])
    policies.write(connection, policies.new_identity())


def _from_5(path: Path, connection: sqlite3.Connection) -> None:
    """Version 6 marks eventualities that a person worked on in ways that no other field records.

    A machine's unpinned lines count as such if a wording has a duration or the wordings are not in order from full to
    short, which no draft produces.
    """
    edits = Edits(lambda eventuality: eventuality.setdefault("worked", _looks_worked(eventuality)))
    rewrite(path, connection, edits)


def _from_6(path: Path, connection: sqlite3.Connection) -> None:
    """Version 7 has typed provenance, step origins and withdrawals instead of texts."""

    def eventuality(found: dict[str, Any]) -> None:
        if isinstance(source := found.pop("source", None), str):
            found["provenance"] = provenance(source)

    def step(found: dict[str, Any]) -> None:
        if found.get("type") == "several" and isinstance(label := found.get("label"), str):
            found["label"], found["origin"] = ("", origin("")[1]) if label == _WITHDRAWN else origin(label)

    rewrite(path, connection, Edits(eventuality, step=step), _act_to_7)


def _from_7(_path: Path, connection: sqlite3.Connection) -> None:
    """Version 8 has codes of the users who gave permissions; whose the earlier ones are is not known."""
    rows = connection.execute("SELECT seq, at, policy, sum, x'' FROM policy").fetchall()
    connection.execute("DROP TABLE policy")
    connection.execute(TABLES[8]["policy"])
    connection.executemany("INSERT INTO policy VALUES (?, ?, ?, ?, ?)", rows)


def _from_8(path: Path, connection: sqlite3.Connection) -> None:
    """Version 9 has sources with paths and fingerprints, of which only typed names were known, or nothing at all."""

    def films(found: Iterable[dict[str, Any]]) -> None:
        for film in found:
            names = [film.get("subtitles"), *(each.get("path") for each in objects_in([film.get("media")]))]
            for key in ("subtitles", "screenplay"):
                film[key] = _source_named(film.get(key))
            # Which prepared lines a film was drafted from was not recorded: these names are usual.
            lines = dict.fromkeys(
                str(Path(name).with_name(lines))
                for name in names
                if isinstance(name, str) and name
                for lines in (f"{Path(name).stem}.json", "candidates.json")
            )
            film.setdefault("other_sources", [_source_named(name) for name in lines])

    def people(found: object) -> None:
        for person in objects_in(found):
            person.setdefault("picture", None)

    def script(found: dict[str, Any]) -> None:
        films(objects_in([found.get("film")]))
        people(found.get("people"))

    def step(found: dict[str, Any]) -> None:
        if found.get("type") == "set film":
            films(items_of(found))
        elif found.get("type") == "set people":
            people(found.get("old"))
            people(found.get("new"))

    rewrite(path, connection, Edits(lambda _eventuality: None, script, step))


def _from_9(path: Path, connection: sqlite3.Connection) -> None:
    """Version 10 limits how far before and after its action a line may be spoken, and records how lines were approved.

    Earlier projects have no limit; accepted lines were approved as the plan of the last save speaks them.
    """
    spoken: dict[object, dict[str, Any]] = {}
    edited(_sound_plan(connection), lambda plan: spoken.update(_approvals(plan)))

    def eventuality(found: dict[str, Any]) -> None:
        found.setdefault("approval", spoken.get(found.get("id")) if found.get("accepted") is True else None)

    def settings(found: Iterable[dict[str, Any]]) -> None:
        for each in found:
            for key in ("delta_early", "delta_late", "near", "reach"):
                each.setdefault(key, None)

    def script(found: dict[str, Any]) -> None:
        settings(objects_in([found.get("settings")]))

    def step(found: dict[str, Any]) -> None:
        settings(items_of(found) if found.get("type") == "set settings" else ())

    rewrite(path, connection, Edits(eventuality, script, step))


def _from_10(path: Path, connection: sqlite3.Connection) -> None:
    """Version 11 has the number of a video's sound track, where somebody chose one."""

    def films(found: Iterable[dict[str, Any]]) -> None:
        for film in found:
            for media in objects_in([film.get("media")]):
                media.setdefault("sound_track", None)

    def script(found: dict[str, Any]) -> None:
        films(objects_in([found.get("film")]))

    def step(found: dict[str, Any]) -> None:
        films(items_of(found) if found.get("type") == "set film" else ())

    rewrite(path, connection, Edits(lambda _eventuality: None, script, step))


def _from_11(path: Path, connection: sqlite3.Connection) -> None:
    """Version 12 keeps the report of a draft, and tells of wordings whether the full one was rewritten since."""
    connection.execute(TABLES[12]["report"])

    def eventuality(found: dict[str, Any]) -> None:
        for variant in objects_in(found.get("variants")):
            variant.setdefault("stale", False)

    rewrite(path, connection, Edits(eventuality))


def _from_12(path: Path, connection: sqlite3.Connection) -> None:
    """Version 13 has a voice, pronunciations, takes with their sounds, extended lines and lengths of spoken lines."""
    for table in ("sound", "lengths"):
        connection.execute(TABLES[13][table])
    write_fillers(connection, "sound")

    def eventuality(found: dict[str, Any]) -> None:
        for key, value in (("voice", None), ("duck", None), ("extended", False)):
            found.setdefault(key, value)
        for approval in objects_in([found.get("approval")]):
            approval.setdefault("duration", None)
        for variant in objects_in(found.get("variants")):
            variant.setdefault("takes", [])
            variant.setdefault("take", None)

    def script(found: dict[str, Any]) -> None:
        found.setdefault("voice", {"engine": "", "voice": "", "pitch": 0, "volume": 0})
        found.setdefault("lexicon", [])

    rewrite(path, connection, Edits(eventuality, script))


def _from_13(_path: Path, connection: sqlite3.Connection) -> None:
    """Version 14 keeps named versions of the script."""
    connection.execute(TABLES[14]["version"])
    write_fillers(connection, "version")


def _from_14(path: Path, connection: sqlite3.Connection) -> None:
    """Version 15 has wordings that say several eventualities as one, and plans that speak them."""

    def plan(found: dict[str, Any]) -> None:
        for delivery in objects_in(found.get("deliveries")):
            delivery.setdefault("members", [])

    rewrite(path, connection, Edits(script=lambda script: script.setdefault("fusions", []), plan=plan))


def _from_15(path: Path, connection: sqlite3.Connection) -> None:
    """Version 16 has a cast with more than names and faces, says how speakers are known, and has times of words."""

    def people(found: object) -> None:
        for person in objects_in(found):
            face, picture, name = person.pop("face", ""), person.pop("picture", None), person.get("name")
            person["id"] = person_id(name) if isinstance(name, str) else ""
            person["portraits"] = [{"image": face, "picture": picture, "time": None}] if face else []
            for key in ("aliases", "sources", "merged"):
                person[key] = []
            for key in ("first_seen", "first_speech", "first_named"):
                person[key] = None
            person.update(described_as="", pronouns="unknown", colour="")

    def cues(found: object) -> None:
        for cue in objects_in(found):
            cue.setdefault("speaker_source", None)
            cue.setdefault("speaker_confidence", None)

    def script(found: dict[str, Any]) -> None:
        people(found.get("people"))
        cues(found.get("cues"))
        found.setdefault("named_faces", [])
        found.setdefault("word_times", [])

    def step(found: dict[str, Any]) -> None:
        if found.get("type") == "set people":
            people(found.get("old"))
            people(found.get("new"))
        cues([item for item in items_of(found) if item.get("type") == "cue"])

    rewrite(path, connection, Edits(script=script, step=step))


def _from_16(path: Path, connection: sqlite3.Connection) -> None:
    """Version 17 may count dialogue from its first word to its last; earlier projects count all of a cue."""

    def settings(found: Iterable[dict[str, Any]]) -> None:
        for each in found:
            for gaps in objects_in([each.get("gaps")]):
                gaps.setdefault("word_edges", False)

    def script(found: dict[str, Any]) -> None:
        settings(objects_in([found.get("settings")]))

    def step(found: dict[str, Any]) -> None:
        settings(items_of(found) if found.get("type") == "set settings" else ())

    rewrite(path, connection, Edits(script=script, step=step))


def _from_17(path: Path, connection: sqlite3.Connection) -> None:
    """Version 18 tells notes that a line was drafted with from those of a person, which all earlier ones are."""

    def eventuality(found: dict[str, Any]) -> None:
        for known in objects_in([found.get("provenance")]):
            for drafted in objects_in([known.get("drafted")]):
                if drafted.get("type") == "description":
                    drafted.setdefault("note", "")

    rewrite(path, connection, Edits(eventuality))


def _sound_plan(connection: sqlite3.Connection) -> bytes:
    """The plan of the last save as JSON; empty if there is none, or it is not the plan of that script."""
    found = connection.execute(
        "SELECT seq, plan, sum, coalesce((SELECT sum FROM journal WHERE journal.seq = plan.seq),"
        " (SELECT chain FROM snapshot WHERE snapshot.seq = plan.seq)) FROM plan"
    ).fetchone()
    if found is None or found[3] is None:
        return b""
    seq, plan, total, chain = found
    return plan if digest("plan", seq, chain, plan) == total else b""


def _approvals(plan: dict[str, Any]) -> dict[object, dict[str, Any]]:
    found: dict[object, dict[str, Any]] = {}
    for each in objects_in(plan.get("deliveries")):
        variant, start = each.get("variant"), each.get("start")
        if type(variant) is int and type(start) is int and 0 <= variant <= MAX_VARIANTS and 0 <= start <= MAX_START:
            found[each.get("element")] = {"variant": variant, "start": start}
    return found


def _source_named(name: object) -> object:
    if not isinstance(name, str):
        return name
    return {"path": name, "relative_path": "", "size": 0, "fingerprint": ""} if name else None


_WITHDRAWN = "withdrawn"
"""Up to version 6 a withdrawn step was a row of the act “undo” whose step, the inverse one, had this label."""


def _act_to_7(act: str, step: bytes) -> str:
    found: list[str] = []
    edited(step, lambda plain: found.append(str(plain.get("label"))))
    return Act.WITHDRAW.value if act == Act.UNDO.value and found == [_WITHDRAWN] else act


def _looks_worked(eventuality: dict[str, Any]) -> bool:
    pins = objects_in([eventuality.get("pin")])
    if eventuality.get("origin") != "machine" or any(
        pin.get(hold) is not None for pin in pins for hold in ("start", "selected")
    ):
        return False
    variants = objects_in(eventuality.get("variants"))
    rates = [_rate(each.get("rate")) for each in variants]
    return any(each.get("duration") is not None for each in variants) or rates != sorted(rates, reverse=True)


def _rate(written: object) -> Fraction:
    try:
        return fraction_in(written)
    except CodecError:
        # Reading refuses it.
        return Fraction(0)


_MIGRATIONS: dict[int, Callable[[Path, sqlite3.Connection], None]] = {
    1: _from_1,
    2: _from_2,
    3: _from_3,
    4: _from_4,
    5: _from_5,
    6: _from_6,
    7: _from_7,
    8: _from_8,
    9: _from_9,
    10: _from_10,
    11: _from_11,
    12: _from_12,
    13: _from_13,
    14: _from_14,
    15: _from_15,
    16: _from_16,
    17: _from_17,
}
