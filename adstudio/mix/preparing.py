"""A request made ready: its lines, its film and their gains, found in the first pass."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from adstudio.core.progress import OnProgress, Progress, Stage
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.gaps.gaps import gaps_of
from adstudio.media.sound_tracks import about_tracks
from adstudio.mix.duck import envelope
from adstudio.mix.film_sound import FilmSound, film_sound
from adstudio.mix.layout import PER_MS, Layout
from adstudio.mix.levels import Levels
from adstudio.mix.lines import MixLine
from adstudio.mix.mixing import OnFraction, Parts, measure
from adstudio.mix.request import (
    MIXES,
    MixNote,
    MixNoteKind,
    MixReport,
    MixRequest,
    MixStoppedError,
    RenderedLine,
    Stop,
)

CLOSE = 0.2
"""LU within which a mix is to be of its target."""
LONGER = 100
"""Milliseconds by which a line that lasts longer than planned is worth knowing."""


@dataclass(frozen=True)
class Outcome:
    """What went out: loudness in LUFS and true peak in dBTP (None where nothing sounds), and how far it was limited."""

    layout: Layout
    loudness: float | None
    true_peak: float | None
    limited: float


@dataclass(frozen=True)
class Prepared:
    """What is mixed at which gains, and what is worth knowing of it."""

    request: MixRequest
    parts: Parts
    levels: Levels
    notes: tuple[MixNote, ...]

    @property
    def length(self) -> int:
        """Milliseconds of the programme."""
        return self.request.script.film.end

    def missing(self, outcome: Outcome) -> float:
        """By how many LU a mix is below the target; 0 where there is none."""
        target = self.request.settings.target_loudness
        return 0.0 if target is None or outcome.loudness is None else target / 10 - outcome.loudness

    def turned_up(self, decibels: float) -> Prepared:
        """The same at another gain of film and narration."""
        levels = self.levels
        spoken = None if levels.narration_loudness is None else levels.narration_loudness + decibels
        return replace(self, levels=replace(levels, mix=levels.mix + decibels, narration_loudness=spoken))

    def report(self, files: Iterable[Path], outcome: Outcome, lines: tuple[RenderedLine, ...] = ()) -> MixReport:
        """What came of it; `lines` where they lie in files of their own."""
        notes = self.notes
        if outcome.limited:
            # At least a tenth: what was limited a little was limited.
            notes = (*notes, MixNote(MixNoteKind.LIMITED, amount=max(round(outcome.limited * 10), 1)))
        missing = self.missing(outcome)
        if self.request.kind in MIXES and abs(missing) > CLOSE:
            notes = (*notes, MixNote(MixNoteKind.TARGET_MISSED, amount=round(missing * 10)))
        return MixReport(
            kind=self.request.kind,
            files=tuple(files),
            length=self.length,
            channels=outcome.layout.channels,
            loudness=outcome.loudness,
            true_peak=outcome.true_peak,
            programme_loudness=self.levels.programme_loudness,
            narration_loudness=self.levels.narration_loudness,
            lines=lines or rendered_lines(self.parts.lines, self.length),
            notes=notes,
        )


def prepare(request: MixRequest, progress: OnProgress, stop: Stop, sound: FilmSound | None = None) -> Prepared:
    """The first pass of a request, with the film's sound or with another.

    Raises:
        MixStoppedError: once `stop` says so.
        BadInputError: if the film cannot be read.
    """
    end = request.script.film.end
    sound = sound or film_sound(request.video, request.track)
    dialogue = dialogue_of(request.script)
    lines, notes = mixable(request.lines, dialogue, end)
    duck = envelope(lines, dialogue, request.settings, end)
    parts = Parts(sound, lines, duck, end * PER_MS, request.settings.click_guard)
    measured = measure(parts, followed(Stage.MEASURING_SOUND, progress, stop))
    levels = measured.levels(request.settings)
    return Prepared(request, parts, levels, (*_sound_notes(request, sound, levels), *notes))


def dialogue_of(script: Script) -> tuple[Span, ...]:
    """What must not be dipped: dialogue, without margins, and without what the describer opened for narration."""
    bare = replace(script.settings, gaps=replace(script.settings.gaps, margin_before=0, margin_after=0))
    return gaps_of(script.with_changes(silences=(), settings=bare)).occupied


def mixable(
    lines: Sequence[MixLine], dialogue: Sequence[Span], end: int
) -> tuple[tuple[MixLine, ...], tuple[MixNote, ...]]:
    """Those lines that sound in a film of this length (ms), in order, and what is worth knowing of them."""
    ordered = sorted((line for line in lines if not line.extended), key=lambda line: line.start)
    inside = tuple(line for line in ordered if line.start < end)
    names = {
        MixNoteKind.EXTENDED_LEFT_OUT: [line.id for line in lines if line.extended],
        MixNoteKind.LINES_BEYOND: [line.id for line in ordered if line.start >= end],
        MixNoteKind.LINES_CUT: [line.id for line in inside if line.span.end > end],
        MixNoteKind.LINES_OVERLAP: _overlapping(inside),
        MixNoteKind.OVER_DIALOGUE: [line.id for line in inside if not line.override and _over(line.span, dialogue)],
    }
    notes = [MixNote(kind, tuple(ids)) for kind, ids in names.items() if ids]
    longer = {line.id: line.length - line.planned for line in inside if line.planned is not None}
    longer = {name: ms for name, ms in longer.items() if ms >= LONGER}
    if longer:
        notes.append(MixNote(MixNoteKind.LONGER_THAN_PLANNED, tuple(longer), ms=max(longer.values())))
    return inside, tuple(notes if inside else [MixNote(MixNoteKind.NO_LINES), *notes])


def _overlapping(lines: Sequence[MixLine]) -> list[str]:
    found: list[str] = []
    reached = 0
    for line in lines:
        if line.start < reached:
            found.append(line.id)
        reached = max(reached, line.span.end)
    return found


def _over(span: Span, dialogue: Sequence[Span]) -> bool:
    """Whether a span overlaps, and not only touches, one of others, which are in order and disjoint."""
    place = bisect_right(dialogue, span.start, key=lambda each: each.end)
    return place < len(dialogue) and dialogue[place].start < span.end


def rendered_lines(lines: Sequence[MixLine], end: int) -> tuple[RenderedLine, ...]:
    """Where lines lie in a programme of this length (ms)."""
    return tuple(RenderedLine(line.id, line.number, line.start, min(line.span.end, end) - line.start) for line in lines)


def followed(stage: Stage, progress: OnProgress, stop: Stop) -> OnFraction:
    """Reports how far a pass is, and stops it when that is wanted."""

    def report(fraction: float) -> None:
        if stop():
            raise MixStoppedError("cancelled: nothing was written")
        progress(Progress(stage, fraction))

    return report


def _sound_notes(request: MixRequest, sound: FilmSound, levels: Levels) -> list[MixNote]:
    if request.video is None:
        return [MixNote(MixNoteKind.NO_FILM)]
    if sound.used is None:
        return [MixNote(MixNoteKind.NO_SOUND)]
    notes: list[MixNote] = []
    if about_tracks(sound.tracks, request.track):
        others = [track.name for track in sound.tracks if track is not sound.used]
        notes.append(MixNote(MixNoteKind.TRACK, names=(sound.used.name, *others)))
    if sound.is_mapped:
        notes.append(MixNote(MixNoteKind.LAYOUT, names=(sound.source, sound.layout.name)))
    if levels.programme_loudness is None:
        notes.append(MixNote(MixNoteKind.SILENT))
    return notes
