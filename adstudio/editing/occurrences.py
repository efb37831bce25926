"""When something happens on screen, and limits on its delivery."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adstudio.core.script import Eventuality, Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing.change import EditRefused, clamped, edit_lines, line_of, marked_as_worked, median_salience
from adstudio.editing.names import line_name


def set_occurrence(script: Script, identity: str, span: Span | None) -> Step | None:
    """Set when a line's event happens (None: nothing on screen establishes it).

    This clears a machine's confidence, moves a no-spoilers limit along, changes the line's scene if the event moves to
    another, and gives an unrated line the median salience. A line without an occurrence can be spoken only at a pinned
    start with an override, so an existing pin gets one.
    """
    line = line_of(script, identity)
    if span is None:
        pin = replace(line.pin, override=line.pin.start is not None)
        bound = None if is_spoiler_free(line) else line.within
        gone = replace(line, occurrence=None, confidence=None, pin=pin, within=bound)
        return edit_lines(script, (identity,), "", lambda line: marked_as_worked(line, gone))
    within_film = Span(clamped(script, span.start), clamped(script, span.end))
    return edit_lines(script, (identity,), "", lambda line: _with_occurrence(script, line, within_film))


def confirm_occurrences(script: Script, identities: Iterable[str]) -> Step | None:
    """Confirm the times of occurrences that a machine estimated; lines without one are skipped."""

    def sure(line: Eventuality) -> Eventuality:
        return line if line.occurrence is None else marked_as_worked(line, replace(line, confidence=None))

    return edit_lines(script, identities, "Confirm times of {} lines", sure)


def set_occurrence_start(script: Script, identity: str, t: int) -> Step | None:
    """Move the start of an occurrence, at most to its end; refused if there is none."""
    occurrence = _occurrence(line_of(script, identity))
    return set_occurrence(script, identity, Span(min(clamped(script, t), occurrence.end), occurrence.end))


def set_occurrence_end(script: Script, identity: str, t: int) -> Step | None:
    """Move the end of an occurrence, at most to its start; refused if there is none."""
    occurrence = _occurrence(line_of(script, identity))
    return set_occurrence(script, identity, Span(occurrence.start, max(clamped(script, t), occurrence.start)))


def move_occurrence(script: Script, identities: Iterable[str], by: int) -> Step | None:
    """Shift occurrences by so many milliseconds, as far as all of them stay in the film."""
    chosen = tuple(identities)
    spans = [_occurrence(line_of(script, identity)) for identity in chosen]
    if not spans:
        return None
    earliest, latest = min(span.start for span in spans), max(span.end for span in spans)
    # As far as the film's ends allow; one that already lies outside is not pulled back in.
    by = max(-max(earliest, 0), min(by, max(script.film.end - latest, 0)))

    def move(line: Eventuality) -> Eventuality:
        span = _occurrence(line)
        return _with_occurrence(script, line, Span(span.start + by, span.end + by))

    return edit_lines(script, chosen, "Move actions of {} lines", move)


def is_spoiler_free(line: Eventuality) -> bool:
    """Whether a line's limits keep it from being spoken before its event starts."""
    return line.within is not None and line.occurrence is not None and line.within.start >= line.occurrence.start


def set_spoiler_free(script: Script, identities: Iterable[str], *, on: bool) -> Step | None:
    """Keep lines from being spoken before their events start, or allow it again.

    Raises:
        EditRefused: for a line without an occurrence, or one limited to end before its event starts.
    """

    def bind(line: Eventuality) -> Eventuality:
        if on is is_spoiler_free(line):
            return line
        occurrence, end = _occurrence(line), script.film.end if line.within is None else line.within.end
        if not on:
            return marked_as_worked(line, replace(line, within=None if end >= script.film.end else Span(0, end)))
        if end < occurrence.start:
            limited = f"{line_name(line)} is limited to end by {script.film.timecode(end)}"
            raise EditRefused(f"{limited}, before it happens: clear that limit first.")
        return marked_as_worked(line, replace(line, within=Span(occurrence.start, end)))

    label = "No spoilers for {} lines" if on else "Allow spoilers for {} lines"
    return edit_lines(script, identities, label, bind)


def _occurrence(line: Eventuality) -> Span:
    if line.occurrence is None:
        raise EditRefused(f"{line_name(line)} has no action time: set its action in and out first.")
    return line.occurrence


def _with_occurrence(script: Script, line: Eventuality, span: Span) -> Eventuality:
    within = line.within
    if within is not None and line.occurrence is not None and within.start == line.occurrence.start:
        within = Span(span.start, max(span.start, within.end))
    salience = median_salience(script) if line.salience is None else line.salience
    scene = _scene_at(script, line, span)
    new = replace(line, occurrence=span, salience=salience, within=within, scene=scene, confidence=None)
    return marked_as_worked(line, new)


def _scene_at(script: Script, line: Eventuality, span: Span) -> str | None:
    """A line's scene after its event moves: the one it moves into if it leaves its own, else unchanged."""
    scene = script.scene_by_id.get(line.scene or "")
    if scene is None or line.occurrence is None or not _lies_in(line.occurrence, scene.span):
        return line.scene
    if _lies_in(span, scene.span):
        return line.scene
    return next((other.id for other in script.scenes if _lies_in(span, other.span)), line.scene)


def _lies_in(occurrence: Span, scene: Span) -> bool:
    return 2 * scene.start <= occurrence.doubled_midpoint <= 2 * scene.end
