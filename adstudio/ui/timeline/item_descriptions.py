"""What an item is, in words: for the tool tip, the screen reader and the status line."""

from __future__ import annotations

from adstudio.core.script import Eventuality, Origin
from adstudio.core.timebase import Span
from adstudio.planning.drift import is_far
from adstudio.ui.session.selection import Kind
from adstudio.ui.session.timing_confidence import confidence_words
from adstudio.ui.timeline.items import Item, span_of
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.widgets import formatting
from adstudio.ui.widgets.glyphs import Glyph

NAMES = {Kind.GAP: "Gap", Kind.SILENCE: "Silence", Kind.OPENING: "Narration over dialogue"}


def name_of(rows: Rows, item: Item) -> str:
    """What an item is called: a line by its words, a gap by its length."""
    script = rows.script
    match item.kind:
        case Kind.LINE:
            return rows.spoken_text(script.eventuality(item.key))
        case Kind.CUE:
            return rows.cue_text(rows.cues.place[item.key])
        case Kind.SCENE:
            return script.scene_by_id[item.key].title or f"Scene {rows.scenes.place[item.key] + 1}"
        case _:
            span = span_of(rows, item)
            return f"{NAMES[item.kind]} of {formatting.duration(span.length)}" if span else ""


def sentence(rows: Rows, item: Item) -> str:
    """All that the timeline shows of an item, as one sentence."""
    span = span_of(rows, item)
    if span is None:
        return ""
    name = name_of(rows, item)
    match item.kind:
        case Kind.LINE:
            return f"“{name}”, {details(rows, item)}"
        case Kind.CUE:
            cue = rows.cue(rows.cues.place[item.key])
            if cue.end < cue.start:
                at = formatting.timecode(rows.script.film, cue.start)
                return f"Dialogue that ends before it starts, at {at}: {name}"
            return f"Dialogue: {name}, {details(rows, item)}"
        case _:
            return f"{name}, {details(rows, item)}"


def details(rows: Rows, item: Item) -> str:
    """What the timeline shows of an item beside its name."""
    script, span = rows.script, span_of(rows, item)
    if span is None:
        return ""
    match item.kind:
        case Kind.LINE:
            return ", ".join(facts(rows, script.eventuality(item.key)))
        case Kind.GAP:
            use = rows.uses[rows.free.place[item.key]]
            free = formatting.free(rows.left_in(rows.free.place[item.key]))
            more = f", {free} free, {formatting.counted(use.lines, 'line')}"
        case Kind.CUE:
            more = f", {formatting.duration(span.length)}"
        case Kind.SCENE:
            more = ", reviewed" if item.key in rows.reviewed else ", not reviewed"
        case _:
            note = next((each.note for each in (*script.silences, *script.openings) if each.id == item.key), "")
            more = f": {note}" if note else ""
    return f"{_times(rows, span)}{more}"


def _times(rows: Rows, span: Span) -> str:
    film = rows.script.film
    return f"{formatting.timecode(film, span.start)} to {formatting.timecode(film, span.end)}"


def facts(rows: Rows, line: Eventuality) -> list[str]:
    """When a line is spoken, when its action is, how salient it is, and what is locked."""
    found: list[str] = []
    delivery = rows.delivery(line.id)
    if delivery is None:
        found.append(Glyph.HELD.value if line.holds_picture else "left out")
    else:
        length = formatting.duration(delivery.end - delivery.start)
        found.append(f"spoken at {formatting.timecode(rows.script.film, delivery.start)} for {length}")
        by = rows.drift(line.id)
        if by is not None:
            far = ", far from its action" if is_far(rows.script.settings, by) else ""
            found.append(f"{formatting.drift_words(by)}{far}")
        if delivery.variant > 0:
            found.append(f"wording {delivery.variant + 1} of {len(line.variants)}")
    if line.occurrence is not None:
        found.append(f"action {_times(rows, line.occurrence)}")
    if confidence_words(line):
        found.append(confidence_words(line))
    if line.salience is not None:
        found.append(f"salience {formatting.salience(line.salience)}")
    return [*found, *states(rows, line)]


def states(rows: Rows, line: Eventuality) -> list[str]:
    """What the describer locked of a line, and its state."""
    pin = line.pin
    flags = (
        (line.id in rows.suspended or line.id in rows.in_conflict, "in conflict"),
        (pin.selected is False, "locked out"),
        (pin.start is not None, "locked to its time"),
        (pin.start is None and pin.selected is True, "locked in"),
        (pin.variant is not None, "wording locked"),
        (pin.override, "may overlap"),
        (line.id in rows.joined, Glyph.BREATH.value),
        (line.accepted, "accepted"),
        (line.origin is Origin.HUMAN, "written by hand"),
        (line.id in rows.script.rules.mentioned, "tied by a rule"),
        (line.within is not None, "with limits"),
    )
    return [text for holds, text in flags if holds]


def tip(rows: Rows, item: Item, why: str = "") -> str:
    """A tool tip in a few lines of plain text; `why` is why a line is in the plan or not."""
    if item.kind is not Kind.LINE:
        return sentence(rows, item)
    line = rows.script.eventuality(item.key)
    parts = [rows.spoken_text(line), " · ".join(facts(rows, line)), why, line.note]
    return "\n".join(part for part in parts if part)
