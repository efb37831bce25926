"""When something happens on screen, and the bounds of its delivery that follow from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adstudio.core.script import Eventuality, Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing.change import bounded, by_hand, edited, line_of, usual_salience
from adstudio.editing.names import at_time, line_name
from adstudio.editing.refusal import EditRefused


def set_occurrence(script: Script, identity: str, span: Span | None) -> Step | None:
    """Say when a line's event happens (None: nothing on screen establishes it).

    A person's word is sure: a confidence that a machine had goes. A bound “not before it happens” moves along; so does
    the line's scene, where the event leaves it for another. A line that had no salience gets the usual one.
    Without an occurrence a line is spoken only where its start is pinned, with an override, which it is given then.
    """
    line = line_of(script, identity)
    if span is None:
        pin = replace(line.pin, override=line.pin.start is not None)
        bound = None if not_before(line) else line.within
        gone = replace(line, occurrence=None, confidence=None, pin=pin, within=bound)
        return edited(script, (identity,), "", lambda line: by_hand(line, gone))
    within_film = Span(bounded(script, span.start), bounded(script, span.end))
    return edited(script, (identity,), "", lambda line: _happening(script, line, within_film))


def confirm(script: Script, identities: Iterable[str]) -> Step | None:
    """Say that lines happen when a machine thought they do: they stay where they are, sure from now on.

    Lines of which nobody doubts it, and those that happen nowhere, are passed over.
    """

    def sure(line: Eventuality) -> Eventuality:
        return line if line.occurrence is None else by_hand(line, replace(line, confidence=None))

    return edited(script, identities, "Confirm when {} lines happen", sure)


def set_occurrence_start(script: Script, identity: str, t: int) -> Step | None:
    """Move the beginning of an occurrence, at most to its end; raises as `_occurrence` does."""
    occurrence = _occurrence(line_of(script, identity))
    return set_occurrence(script, identity, Span(min(bounded(script, t), occurrence.end), occurrence.end))


def set_occurrence_end(script: Script, identity: str, t: int) -> Step | None:
    """Move the end of an occurrence, at most to its beginning; raises as `_occurrence` does."""
    occurrence = _occurrence(line_of(script, identity))
    return set_occurrence(script, identity, Span(occurrence.start, max(bounded(script, t), occurrence.start)))


def move_occurrence(script: Script, identities: Iterable[str], by: int) -> Step | None:
    """Move occurrences by so many milliseconds, their lengths kept, none of them beyond the film."""
    chosen = tuple(identities)
    spans = [_occurrence(line_of(script, identity)) for identity in chosen]
    if not spans:
        return None
    earliest, latest = min(span.start for span in spans), max(span.end for span in spans)
    # Whichever way the film's ends let them go; one that already lies outside does not come back by this.
    by = max(-max(earliest, 0), min(by, max(script.film.end - latest, 0)))

    def move(line: Eventuality) -> Eventuality:
        span = _occurrence(line)
        return _happening(script, line, Span(span.start + by, span.end + by))

    return edited(script, chosen, "Move the occurrences of {} lines", move)


def not_before(line: Eventuality) -> bool:
    """Whether a line is never spoken before its event begins."""
    return line.within is not None and line.occurrence is not None and line.within.start >= line.occurrence.start


def set_not_before(script: Script, identities: Iterable[str], *, on: bool) -> Step | None:
    """Never speak lines before their events begin (they would give them away), or let them be spoken before again.

    Raises:
        EditRefused: for a line without an occurrence, or one that is bound to be over before its event begins.
    """

    def bind(line: Eventuality) -> Eventuality:
        if on is not_before(line):
            return line
        occurrence, end = _occurrence(line), script.film.end if line.within is None else line.within.end
        if not on:
            return by_hand(line, replace(line, within=None if end >= script.film.end else Span(0, end)))
        if end < occurrence.start:
            raise EditRefused(
                f"{line_name(line)} is bound to be over at {at_time(end)}, before it happens: lift that bound first."
            )
        return by_hand(line, replace(line, within=Span(occurrence.start, end)))

    label = "Speak {} lines not before they happen" if on else "Let {} lines be spoken before they happen"
    return edited(script, identities, label, bind)


def set_within(script: Script, identity: str, span: Span | None) -> Step | None:
    """Bound the stretch in which a line may be spoken, or lift the bound."""
    bounds = span and Span(bounded(script, span.start), bounded(script, span.end))
    return edited(script, (identity,), "", lambda line: by_hand(line, replace(line, within=bounds)))


def _occurrence(line: Eventuality) -> Span:
    if line.occurrence is None:
        raise EditRefused(f"{line_name(line)} happens nowhere in the film yet: say when it happens first.")
    return line.occurrence


def _happening(script: Script, line: Eventuality, span: Span) -> Eventuality:
    within = line.within
    if within is not None and line.occurrence is not None and within.start == line.occurrence.start:
        within = Span(span.start, max(span.start, within.end))
    salience = usual_salience(script) if line.salience is None else line.salience
    scene = _scene(script, line, span)
    new = replace(line, occurrence=span, salience=salience, within=within, scene=scene, confidence=None)
    return by_hand(line, new)


def _scene(script: Script, line: Eventuality, span: Span) -> str | None:
    """The scene of a line whose event moves: the one it moves into, where it was in its own before and leaves it."""
    scene = script.scene_by_id.get(line.scene or "")
    if scene is None or line.occurrence is None or not _lies_in(line.occurrence, scene.span):
        return line.scene
    if _lies_in(span, scene.span):
        return line.scene
    return next((other.id for other in script.scenes if _lies_in(span, other.span)), line.scene)


def _lies_in(occurrence: Span, scene: Span) -> bool:
    return 2 * scene.start <= occurrence.doubled_midpoint <= 2 * scene.end
