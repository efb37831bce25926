"""What an item is, in words: for the tool tip, the screen reader and the status line."""

from __future__ import annotations

from collections.abc import Callable

from adstudio.core.script import Eventuality, Origin
from adstudio.core.timebase import Span
from adstudio.planning.live.explain import Reason
from adstudio.ui.session.selection import Kind
from adstudio.ui.session.timing_confidence import confidence_words
from adstudio.ui.timeline.hit_testing import Item
from adstudio.ui.timeline.keyboard_navigation import span_of
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.widgets import formatting
from adstudio.ui.widgets.glyphs import Glyph

NAMES = {
    Kind.CUE: "dialogue",
    Kind.GAP: "gap",
    Kind.SILENCE: "silence",
    Kind.OPENING: "narration over dialogue",
    Kind.SCENE: "scene",
}


def name_of(rows: Rows, item: Item) -> str:
    """What an item is called: a line by its words, a gap by its length."""
    script = rows.script
    match item.kind:
        case Kind.LINE:
            return spoken_text(rows, script.eventuality(item.key))
        case Kind.CUE:
            return rows.cue_text(rows.cues.place[item.key])
        case Kind.SCENE:
            return script.scene_by_id[item.key].title or f"Scene {rows.scenes.place[item.key] + 1}"
        case _:
            span = span_of(rows, item)
            return f"{NAMES[item.kind].capitalize()} of {formatting.duration(span.length)}" if span else ""


def spoken_text(rows: Rows, line: Eventuality) -> str:
    """A line in the wording that is spoken, or in its full one."""
    delivery = rows.delivery(line.id)
    variant = 0 if delivery is None else max(0, min(delivery.variant, len(line.variants) - 1))
    return line.variants[variant].text


def sentence(rows: Rows, item: Item) -> str:
    """All that the timeline shows of an item, as one sentence."""
    span = span_of(rows, item)
    if span is None:
        return ""
    return _DESCRIBE[item.kind](rows, item.key, span, name_of(rows, item))


def _describe_line(rows: Rows, key: str, _span: Span, name: str) -> str:
    return ", ".join((f"“{name}”", *facts(rows, rows.script.eventuality(key))))


def _describe_gap(rows: Rows, key: str, span: Span, name: str) -> str:
    use = rows.uses[rows.free.place[key]]
    lines = formatting.counted(use.lines, "line")
    return f"{name}, {_times(rows, span)}, {formatting.duration(max(0, span.length - use.used))} free, {lines}"


def _describe_cue(rows: Rows, key: str, span: Span, name: str) -> str:
    cue = rows.cue(rows.cues.place[key])
    if cue.end < cue.start:
        return f"Dialogue that ends before it starts, at {formatting.timecode(rows.script.film, cue.start)}: {name}"
    return f"Dialogue: {name}, {_times(rows, span)}, {formatting.duration(span.length)}"


def _describe_scene(rows: Rows, key: str, span: Span, name: str) -> str:
    reviewed = "reviewed" if rows.script.scene_by_id[key].reviewed else "not reviewed"
    return f"{name}, {_times(rows, span)}, {reviewed}"


def _describe_region(rows: Rows, key: str, span: Span, name: str) -> str:
    note = next((each.note for each in (*rows.script.silences, *rows.script.openings) if each.id == key), "")
    return f"{name}, {_times(rows, span)}" + (f": {note}" if note else "")


_DESCRIBE: dict[Kind, Callable[[Rows, str, Span, str], str]] = {
    Kind.LINE: _describe_line,
    Kind.GAP: _describe_gap,
    Kind.CUE: _describe_cue,
    Kind.SCENE: _describe_scene,
    Kind.SILENCE: _describe_region,
    Kind.OPENING: _describe_region,
}


def _times(rows: Rows, span: Span) -> str:
    film = rows.script.film
    return f"{formatting.timecode(film, span.start)} to {formatting.timecode(film, span.end)}"


def facts(rows: Rows, line: Eventuality) -> list[str]:
    """Where a line is spoken and happens, how salient it is, and what is held of it."""
    found: list[str] = []
    delivery = rows.delivery(line.id)
    if delivery is None:
        found.append("left out")
    else:
        length = formatting.duration(delivery.end - delivery.start)
        found.append(f"spoken at {formatting.timecode(rows.script.film, delivery.start)} for {length}")
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
    """What the describer holds of a line, and how it stands."""
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


def why(rows: Rows, reason: Reason | None) -> str:
    """Why a line is in the plan or not, as far as it can be said in short."""
    if reason is None or reason.loss is None:
        return ""
    if reason.spoken:
        return f"Without it the film would lose {formatting.worth(reason.loss).lstrip('+−-')}"
    if not reason.displaces:
        return f"Locking it in would cost {formatting.worth(reason.loss).lstrip('+−-')}"
    index = rows.script.eventuality_index
    gone = [
        formatting.quoted(spoken_text(rows, rows.script.eventuality(each)))
        for each in reason.displaces
        if each in index
    ]
    others = f" and {formatting.counted(len(gone) - 2, 'other')}" if len(gone) > 2 else ""
    cost = formatting.worth(reason.loss).lstrip("+−-")
    return f"Locking it in would cost {cost}: {', '.join(gone[:2])}{others} would go"


def tip(rows: Rows, item: Item, reason: Reason | None = None) -> str:
    """A tool tip in a few lines of plain text."""
    if item.kind is not Kind.LINE:
        return sentence(rows, item)
    line = rows.script.eventuality(item.key)
    parts = [spoken_text(rows, line), " · ".join(facts(rows, line)), why(rows, reason), line.note]
    return "\n".join(part for part in parts if part)


def lane_of(item: Item) -> str:
    """The lane's name as it is said."""
    return "Narration" if item.lane is Lane.NARRATION else item.lane.value
