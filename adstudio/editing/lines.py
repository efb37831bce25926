"""Lines in textual order: adding, deleting, reordering, rating and linking them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adstudio.core.plan import Plan
from adstudio.core.script import SALIENCE_UNIT, Eventuality, Origin, Pin, Script, Variant
from adstudio.core.steps import Insert, Move, Replace, Step
from adstudio.core.timebase import Span
from adstudio.editing.change import (
    EditRefused,
    checked_text,
    clamped,
    edit_lines,
    id_after,
    lines_of,
    median_salience,
    one_step,
    position_of,
    removal_steps,
    rules_steps,
)
from adstudio.editing.ids import Ids
from adstudio.editing.labels import label_of
from adstudio.editing.names import line_name
from adstudio.editing.rules import without_lines

NEW_OCCURRENCE_MS = 1000
"""The assumed length of a new line's occurrence."""

MAX_SALIENCE = 10_000 * SALIENCE_UNIT
"""Salience is a finite number within ±10⁴ (DESIGN section 1)."""


def new_line(script: Script, ids: Ids, at: int, text: str = "") -> Step | None:
    """Add a line of the describer's own for what happens at time `at`, the playhead.

    It is pinned in, so the plan speaks it in the nearest gap with room, moving or dropping others; if there is none
    within Δmax, the plan reports a conflict. It gets the median salience, so that it competes fairly once unpinned, and
    the position in textual order that puts the fewest lines out of the order of their times. An empty line takes no
    time.
    """
    start = clamped(script, at)
    occurrence = Span(start, min(start + NEW_OCCURRENCE_MS, max(start, script.film.end)))
    line = Eventuality(
        id=ids.fresh(Eventuality),
        variants=(Variant(checked_text(text)),),
        occurrence=occurrence,
        salience=median_salience(script),
        scene=next((scene.id for scene in script.scenes if scene.span.start <= start < scene.span.end), None),
        pin=Pin(selected=True),
        origin=Origin.HUMAN,
        seen=True,
    )
    place = _insertion_place(script, occurrence)
    return Insert(line, script.eventualities[place].id if place < len(script.eventualities) else None)


def delete_lines(script: Script, identities: Iterable[str]) -> Step | None:
    """Delete lines and the rules on them; lines that were linked with them become unlinked."""
    lines = lines_of(script, identities)
    gone = {line.id for line in lines}
    steps = rules_steps(script, without_lines(script.rules, gone))
    steps += [Replace(line, replace(line, joined=False)) for line in _orphaned(script, gone)]
    steps += removal_steps(script, gone)
    return one_step(f"Delete {line_name(lines[0]) if len(lines) == 1 else f'{len(lines)} lines'}", steps)


def line_after(script: Script, identities: Iterable[str]) -> str | None:
    """The line that follows the last of these, or else the last one before them that is none of them."""
    gone = {line.id for line in lines_of(script, identities)}
    last = max((position_of(script, each) for each in gone), default=-1)
    before = (line.id for line in reversed(script.eventualities[: last + 1]) if line.id not in gone)
    return id_after(script, last, gone) or next(before, None)


def set_salience(script: Script, identities: Iterable[str], value: int) -> Step | None:
    """Set the salience of lines, in millionths, within ±10⁴."""
    return edit_lines(script, identities, "Set salience of {} lines", lambda line: _with_salience(line, value))


def nudge_salience(script: Script, identities: Iterable[str], by: int) -> Step | None:
    """Raise or lower the salience of lines by so many millionths; unrated lines start at the median."""
    median = median_salience(script)

    def nudge(line: Eventuality) -> Eventuality:
        return _with_salience(line, (median if line.salience is None else line.salience) + by)

    return edit_lines(script, identities, f"{'Raise' if by > 0 else 'Lower'} salience of {{}} lines", nudge)


def join(script: Script, identities: Iterable[str], plan: Plan | None = None) -> Step | None:
    """Link lines so that they are exported as one cue: a single one with the previous line, several with each other.

    With a plan, lines that it leaves out may lie between them. Linking affects only the export, and only where the plan
    speaks the lines in one gap with hardly a pause (`delivery.lines`).

    Raises:
        EditRefused: if there is no previous line, or other lines lie between.
    """
    lines = lines_of(script, identities)
    order = script.eventualities
    if not lines:
        return None
    if len(lines) == 1:
        if position_of(script, lines[0].id) == 0:
            raise EditRefused("There is no previous line to link with.")
        return edit_lines(script, (lines[0].id,), "", _linked)
    chosen = {line.id for line in lines}
    first, last = position_of(script, lines[0].id), position_of(script, lines[-1].id)
    between = [line for line in order[first : last + 1] if line.id not in chosen]
    if any(plan is None or line.id in plan.by_line for line in between):
        raise EditRefused("Only neighbouring lines can be linked, and there are others between these.")
    label = f"Link {line_name(lines[0])} and {line_name(lines[1])}" if len(lines) == 2 else f"Link {len(lines)} lines"
    return edit_lines(script, [line.id for line in lines[1:]], label, _linked)


def unjoin(script: Script, identities: Iterable[str]) -> Step | None:
    """Export lines as cues of their own again."""
    return edit_lines(script, identities, "Unlink {} lines", lambda line: replace(line, joined=False))


def move_lines(script: Script, identities: Iterable[str], before: str | None) -> Step | None:
    """Move lines before another one in textual order (None: to the end), which is the speaking order.

    They keep their relative order. If `before` is one of them, they move before the next line that is not.

    Raises:
        EditRefused: if a line is not in the script.
    """
    lines = lines_of(script, identities)
    moving = {line.id for line in lines}
    if before in moving:
        before = id_after(script, position_of(script, before), moving) if before else None
    elif before is not None:
        position_of(script, before)
    order = [line.id for line in script.eventualities]
    steps: list[Step] = []
    for line in lines:
        place = order.index(line.id)
        behind = order[place + 1] if place + 1 < len(order) else None
        if behind == before:
            continue
        marked = line if line.origin is Origin.HUMAN else replace(line, worked=True)
        steps += [Replace(line, marked)] if marked != line else []
        steps.append(Move(marked, behind, before))
        order.remove(line.id)
        order.insert(len(order) if before is None else order.index(before), line.id)
    if order == [line.id for line in script.eventualities]:
        return None
    moves = [step for step in steps if isinstance(step, Move)]
    return one_step(f"Reorder {len(lines)} lines" if len(moves) > 1 else label_of(moves[0], script), steps)


def move_earlier(script: Script, identity: str) -> Step | None:
    """Move a line before the previous one; None for the first line."""
    place = position_of(script, identity)
    return move_lines(script, (identity,), script.eventualities[place - 1].id) if place else None


def move_later(script: Script, identity: str) -> Step | None:
    """Move a line after the next one; None for the last line."""
    place = position_of(script, identity)
    if place + 1 >= len(script.eventualities):
        return None
    return move_lines(script, (identity,), id_after(script, place + 1))


def _linked(line: Eventuality) -> Eventuality:
    return replace(line, joined=True)


def _orphaned(script: Script, gone: set[str]) -> list[Eventuality]:
    """Linked lines whose link would otherwise pass to a line before the deleted ones."""
    found: list[Eventuality] = []
    lost_head = False
    for line in script.eventualities:
        if line.id in gone:
            lost_head = lost_head or not line.joined
        else:
            if lost_head and line.joined:
                found.append(line)
            lost_head = False
    return found


def _with_salience(line: Eventuality, salience: int) -> Eventuality:
    """A line with a salience set by a person; unchanged if it already has that value."""
    value = max(-MAX_SALIENCE, min(salience, MAX_SALIENCE))
    if value == line.salience:
        return line
    return replace(line, salience=value, weighed=True, provenance=replace(line.provenance, weighed=None))


def _insertion_place(script: Script, occurrence: Span) -> int:
    """The position in textual order with the fewest lines on the wrong side of it; the last of equals."""
    middles = [_doubled_time(line) for line in script.eventualities]
    mine = occurrence.doubled_midpoint
    wrong = best = sum(1 for middle in middles if middle is not None and middle < mine)
    place = 0
    for number, middle in enumerate(middles, start=1):
        if middle is not None:
            # This line now precedes the new one: wrong if it is later, right if it is earlier.
            wrong += (middle > mine) - (middle < mine)
        if wrong <= best:
            best, place = wrong, number
    return place


def _doubled_time(line: Eventuality) -> int | None:
    """A line's own time, doubled: its pinned start, else the midpoint of its occurrence."""
    if line.pin.start is not None:
        return 2 * line.pin.start
    return None if line.occurrence is None else line.occurrence.doubled_midpoint
