"""Lines as they stand in textual order: new ones, deleted ones, order, salience, and what is spoken as one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adstudio.core.plan import Plan
from adstudio.core.script import SALIENCE_UNIT, Eventuality, Origin, Pin, Script, Variant
from adstudio.core.steps import Insert, Move, Replace, Step
from adstudio.core.timebase import Span
from adstudio.editing.change import (
    bounded,
    edited,
    following,
    lines_of,
    one_step,
    place_of,
    removals,
    usual_salience,
    with_rules,
    written,
)
from adstudio.editing.ids import Ids
from adstudio.editing.labels import label_of
from adstudio.editing.names import line_name
from adstudio.editing.refusal import EditRefused
from adstudio.editing.rules import without

NEW_OCCURRENCE_MS = 1000
"""How long a new line's event is taken to last until the describer says."""

MAX_SALIENCE = 10_000 * SALIENCE_UNIT
"""Salience is a finite number within ±10⁴ (DESIGN section 1)."""


def new_line(script: Script, ids: Ids, at: int, text: str = "") -> Step | None:
    """A line of the describer's own for what happens at a time, the playhead.

    It is held in, so the plan says it in the gap nearest to `at` that has room, moving or dropping others; its salience
    is the usual one, so that it competes as others do once it is freed. It stands in textual order where the fewest
    lines would have to be spoken out of the order of their times. Where no gap within Δmax can take it beside what else
    is held, the plan says so as a conflict of this pin. A line without words yet takes no time.
    """
    start = bounded(script, at)
    occurrence = Span(start, min(start + NEW_OCCURRENCE_MS, max(start, script.film.end)))
    line = Eventuality(
        id=ids.fresh(Eventuality),
        variants=(Variant(written(text)),),
        occurrence=occurrence,
        salience=usual_salience(script),
        scene=next((scene.id for scene in script.scenes if scene.span.start <= start < scene.span.end), None),
        pin=Pin(selected=True),
        origin=Origin.HUMAN,
        seen=True,
    )
    place = _place_at(script, occurrence)
    return Insert(line, script.eventualities[place].id if place < len(script.eventualities) else None)


def delete_lines(script: Script, identities: Iterable[str]) -> Step | None:
    """Take lines out of the script, with the rules that tie them; what was joined to them is joined no more."""
    lines = lines_of(script, identities)
    gone = {line.id for line in lines}
    steps = with_rules(script, without(script.rules, gone))
    steps += [Replace(line, replace(line, joined=False)) for line in _left_alone(script, gone)]
    steps += removals(script, gone)
    return one_step(f"Delete {line_name(lines[0]) if len(lines) == 1 else f'{len(lines)} lines'}", steps)


def set_salience(script: Script, identities: Iterable[str], value: int) -> Step | None:
    """Weigh lines, in millionths, within ±10⁴."""
    return edited(script, identities, "Reweight {} lines", lambda line: _weighed(line, value))


def nudge_salience(script: Script, identities: Iterable[str], by: int) -> Step | None:
    """Weigh lines more or less than now, each by so many millionths; those without a weight start at the usual one."""
    usual = usual_salience(script)

    def nudge(line: Eventuality) -> Eventuality:
        return _weighed(line, (usual if line.salience is None else line.salience) + by)

    return edited(script, identities, "Weigh {} lines more" if by > 0 else "Weigh {} lines less", nudge)


def join(script: Script, identities: Iterable[str], plan: Plan | None = None) -> Step | None:
    """Speak fragments as one cue: a single one with the line before it, several with one another.

    With a plan, lines that it leaves out may lie between them. Joining changes what is handed in, never the plan; it
    shows where the plan speaks the fragments in one gap with hardly a pause (`delivery.lines`).

    Raises:
        EditRefused: where there is no line before, or other lines lie between.
    """
    lines = lines_of(script, identities)
    order = script.eventualities
    if not lines:
        return None
    if len(lines) == 1:
        if place_of(script, lines[0].id) == 0:
            raise EditRefused("There is no line before this one that it could be joined to.")
        return edited(script, (lines[0].id,), "", _joined)
    chosen = {line.id for line in lines}
    first, last = place_of(script, lines[0].id), place_of(script, lines[-1].id)
    between = [line for line in order[first : last + 1] if line.id not in chosen]
    if any(plan is None or line.id in plan.by_element for line in between):
        raise EditRefused("Only neighbours can be joined, and other lines lie between these.")
    label = f"Join {line_name(lines[0])} and {line_name(lines[1])}" if len(lines) == 2 else f"Join {len(lines)} lines"
    return edited(script, [line.id for line in lines[1:]], label, _joined)


def unjoin(script: Script, identities: Iterable[str]) -> Step | None:
    """Hand fragments in as cues of their own again."""
    return edited(script, identities, "Part {} lines from those before", lambda line: replace(line, joined=False))


def move_lines(script: Script, identities: Iterable[str], before: str | None) -> Step | None:
    """Put lines before another one in textual order (None: at the end), which is the order of speaking.

    They keep their order among themselves. Before one of themselves they go where the next other line stands.

    Raises:
        EditRefused: for a line that is not in the script.
    """
    lines = lines_of(script, identities)
    moving = {line.id for line in lines}
    if before in moving:
        before = following(script, place_of(script, before), moving) if before else None
    elif before is not None:
        place_of(script, before)
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
    """Put a line before the one that stands before it; None for the first."""
    place = place_of(script, identity)
    return move_lines(script, (identity,), script.eventualities[place - 1].id) if place else None


def move_later(script: Script, identity: str) -> Step | None:
    """Put a line behind the one that follows it; None for the last."""
    place = place_of(script, identity)
    if place + 1 >= len(script.eventualities):
        return None
    return move_lines(script, (identity,), following(script, place + 1))


def _joined(line: Eventuality) -> Eventuality:
    return replace(line, joined=True)


def _left_alone(script: Script, gone: set[str]) -> list[Eventuality]:
    """Fragments that lose the line they were joined to: they must not fall to whatever stands before it."""
    found: list[Eventuality] = []
    headless = False
    for line in script.eventualities:
        if line.id in gone:
            headless = headless or not line.joined
        else:
            if headless and line.joined:
                found.append(line)
            headless = False
    return found


def _weighed(line: Eventuality, salience: int) -> Eventuality:
    """A line with a weight that a person gave it; a weight that it had already says nothing new."""
    value = max(-MAX_SALIENCE, min(salience, MAX_SALIENCE))
    if value == line.salience:
        return line
    return replace(line, salience=value, weighed=True, provenance=replace(line.provenance, weighed=None))


def _place_at(script: Script, occurrence: Span) -> int:
    """The place in textual order with the fewest lines on the wrong side of it; of equals, the last."""
    middles = [_doubled_time(line) for line in script.eventualities]
    mine = occurrence.doubled_midpoint
    wrong = best = sum(1 for middle in middles if middle is not None and middle < mine)
    place = 0
    for number, middle in enumerate(middles, start=1):
        if middle is not None:
            # Now it stands before the new line: wrong if it is later, no longer wrong if it is earlier.
            wrong += (middle > mine) - (middle < mine)
        if wrong <= best:
            best, place = wrong, number
    return place


def _doubled_time(line: Eventuality) -> int | None:
    """When a line belongs, doubled: where it is pinned, else when it happens."""
    if line.pin.start is not None:
        return 2 * line.pin.start
    return None if line.occurrence is None else line.occurrence.doubled_midpoint
