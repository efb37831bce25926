"""The answers to the ask keys: where am I, why, what changed, what cannot hold. Each in a sentence, and in detail."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from adstudio.core.script import Scene
from adstudio.core.timebase import Span
from adstudio.delivery.spoken_counts import spoken_counts
from adstudio.editing.approval import approved_counted
from adstudio.planning.film.plan_changes import sentence
from adstudio.ui.panels.plan_changes import rows_of
from adstudio.ui.panels.problems import conflicts_of
from adstudio.ui.session.free_time import gap_used
from adstudio.ui.session.reason_texts import gap_texts, reason_text
from adstudio.ui.session.selection import Kind
from adstudio.ui.session.session import Session
from adstudio.ui.table.line_facts import State, lines_of, seen_word
from adstudio.ui.widgets.formatting import (
    as_sentence,
    counted,
    described_in_lines,
    duration,
    quoted,
    quoted_line,
    timecode,
)

MOST_LISTED = 12
NO_CHANGES = "No action has changed the plan yet."
STATE_PHRASES = {
    State.CONFLICT: "in conflict",
    State.OVERRIDE: "allowed to overlap",
    State.HELD: "spoken while the picture is held",
}
"""What a line is, where the word for its state alone makes no sentence."""
NO_CONFLICTS = "Every lock holds."
NOTHING_SELECTED = "Select a line or a gap first."


class AskedAnswer(NamedTuple):
    """A sentence, and what a second press adds to it; empty where there is no more to say."""

    short: str
    detail: str = ""


def where(session: Session, panel: str = "", seen: str = "") -> AskedAnswer:
    """The playhead, its scene and gap, what is selected; in detail the panel, who is `seen`, the line, the marks."""
    script, cursor = session.script, session.cursor
    at, film, selection = cursor.playhead, script.film, cursor.selection
    parts = [f"At {timecode(film, at)}", *_scene_at(session), _gap_or_dialogue(session)]
    detail = [f"In the panel {panel}"] if panel else []
    detail += [f"Seen in this shot: {seen}"] if seen else []
    line = cursor.line
    if line is not None:
        rows = lines_of(session)
        row = rows.of(line.id)
        item = f"item {script.eventuality_index[line.id] + 1} of {len(script.eventualities)}"
        place = f"line {row.number} of {max(rows.numbers.values())}" if row.number else item
        several = len(selection.ids)
        parts.append(
            f"{place}, {quoted_line(row.text)}" if several == 1 else f"{several} lines selected, the last is {place}"
        )
        spoken = [f"spoken at {timecode(film, row.delivery.start)}"] if row.delivery is not None else []
        seen = seen_word(line)
        state = STATE_PHRASES.get(row.state, row.state.value.lower())
        detail.append(", ".join(filter(None, [f"The line is {state}", *spoken, seen.lower()])))
        detail.append(f"Its text: {row.text}")
    elif selection.kind is not Kind.NOTHING:
        parts.append(f"{selection.kind.value} selected" if len(selection.ids) < 2 else f"{len(selection.ids)} selected")
    else:
        parts.append("nothing selected")
    gap = session.current_plan.gap_at(at)
    if gap is not None:
        detail.append(
            f"The gap is from {timecode(film, gap.start)} to {timecode(film, gap.end)}, "
            f"{gap_used(session.rooms, gap, ', ')}"
        )
    for name, mark in zip(("In", "Out"), cursor.marks, strict=True):
        detail += [] if mark is None else [f"{name} point marked at {timecode(film, mark)}"]
    counts = spoken_counts(script, session.plan, session.gaps)
    detail.append(f"{described_in_lines(counts)}; the film ends at {timecode(film, film.end)}")
    return AskedAnswer(f"{', '.join(parts)}.", _sentences(detail))


def why(session: Session) -> AskedAnswer:
    """Why the selected line is in or out, or what more time in the selected gap would bring; in detail both."""
    line, gap = session.cursor.line, session.cursor.selection.gap
    if line is not None:
        text = reason_text(session, line.id)
        row = lines_of(session).of(line.id)
        more = "" if row.gap is None else gap_texts(session, row.gap, "of its gap")[1]
        state = "" if text.short.startswith(row.state.value) else f"{row.state.value}: "
        return AskedAnswer(f"{state}{text.short}", f"{state}{text.full} {more}".rstrip())
    if gap is not None:
        return AskedAnswer(*gap_texts(session, gap, "of this gap"))
    return AskedAnswer(NOTHING_SELECTED)


def changed(session: Session) -> AskedAnswer:
    """What the last act did to the plan; in detail every line that it changed."""
    plan = session.current_plan
    label, changes = plan.last_act.label(session.script, plan.plan), plan.changes
    if not label and not changes:
        return AskedAnswer(NO_CHANGES)
    rows = rows_of(changes, session.script, plan.plan, plan.last_act.before)
    return AskedAnswer(
        f"{label or 'Since opening'}: {sentence(changes) or 'the plan is the same'}.",
        _listed([row.what for row in rows]),
    )


def conflicts(session: Session) -> AskedAnswer:
    """The locks that cannot hold together; in detail each of them, and what can be done."""
    found = [each.what for each in conflicts_of(session)]
    departures = session.current_plan.departures
    departed, accepted = len(departures), sum(each.accepted for each in departures)
    said = approved_counted(accepted, departed - accepted)
    rest = f"{said} changed; Problems lists {'it' if departed == 1 else 'them'}."
    if not found:
        return AskedAnswer(NO_CONFLICTS, rest if departed else "")
    head = found[0] if len(found) == 1 else f"{counted(len(found), 'conflict')}; the first: {found[0]}"
    return AskedAnswer(head, _listed([*found, *([rest] if departed else [])]))


def _scene_at(session: Session) -> list[str]:
    scenes = session.script.scenes
    place = bisect_right(scenes, session.cursor.playhead, key=lambda scene: scene.span.start) - 1
    return [scene_words(scenes, place)] if place >= 0 else []


def scene_words(scenes: Sequence[Scene], place: int) -> str:
    """Which scene it is: `scene 3 of 12 “The harbour”`."""
    title = scenes[place].title
    return f"scene {place + 1} of {len(scenes)}" + (f" {quoted(title)}" if title else "")


def _gap_or_dialogue(session: Session) -> str:
    at = session.cursor.playhead
    gap = session.current_plan.gap_at(at)
    if gap is not None:
        return f"in a gap, {duration(gap.end - at)} to its end"
    cue = next((each for each in session.script.cues if each.start <= at < each.end), None)
    speaker = f" of {cue.speaker}" if cue is not None and cue.speaker else ""
    following = next((each for each in session.gaps if each.start > at), None)
    until = f", {duration(following.start - at)} to the next gap" if following is not None else ""
    return f"during dialogue{speaker}{until}" if cue is not None else f"in no gap{until}"


def spoken_at(session: Session, at: int) -> tuple[str, int] | None:
    """The line spoken at a time, else the one nearest to it, and how far away that is (later: positive), or None."""
    deliveries = session.plan.deliveries

    def away(span: Span) -> int:
        return span.start - at if span.start > at else min(0, span.end - at)

    nearest = min(deliveries, key=lambda each: abs(away(each.span)), default=None)
    return None if nearest is None else (nearest.line, away(nearest.span))


def _sentences(parts: list[str]) -> str:
    return " ".join(as_sentence(part) for part in parts)


def _listed(whats: list[str]) -> str:
    """Each thing as a sentence; the first ones of many."""
    more = len(whats) - MOST_LISTED
    return _sentences([*whats[:MOST_LISTED], *([f"And {more} more"] if more > 0 else [])])
