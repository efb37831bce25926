"""The rules about lengths and times: T1 to T6, T8 and T9."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter

from adstudio.core.narration import LengthSource
from adstudio.core.plan import Plan
from adstudio.core.quality_settings import QualitySettings
from adstudio.core.script import Eventuality, Script
from adstudio.core.timebase import Span, TimeError
from adstudio.delivery.unmet_pins import UnmetPins
from adstudio.quality.dialogue import Dialogue
from adstudio.quality.findings import (
    Estimated,
    Finding,
    Misplaced,
    Misplacement,
    Near,
    Occupied,
    Offset,
    Overlap,
    ShortGap,
    Side,
    TooFast,
    TooLong,
)
from adstudio.quality.rules import (
    ESTIMATED,
    NEAR_DIALOGUE,
    OFFSET,
    OVER_DIALOGUE,
    SHORT_GAP,
    TOO_FAST,
    TOO_LONG,
    WRONG_PLACE,
    Level,
    Rule,
)
from adstudio.quality.spoken import SpokenLine

HOUR = 3_600_000
LEAST_OVERALL = 5
"""Lines that a pace of the narration as a whole is taken from, at least."""
JUDGED = frozenset({LengthSource.TAKE, LengthSource.MEASURED, LengthSource.PREDICTED})
"""Where lengths come from that say how long a line takes, not how long it was given."""


def too_long(line: SpokenLine, settings: QualitySettings) -> Iterator[Finding]:
    """T1: the take, or the voice, takes longer than the line was planned to. A prediction is only worth a warning."""
    planned = line.end - line.start
    if planned > 0 and line.length > planned + settings.length_tolerance and line.source in JUDGED:
        level = Level.WARNING if line.source is LengthSource.PREDICTED else TOO_LONG.level
        yield Finding(TOO_LONG, level, (line.id,), line.span, TooLong(line.length, line.source, planned))


def too_fast(lines: Sequence[SpokenLine], settings: QualitySettings) -> Iterator[Finding]:
    """T2: more words a minute than permitted, the whole narration in one finding if that is what it is."""
    most = settings.most_words_per_minute
    rated = [each for each in lines if each.length > 0 and each.words >= settings.least_rated_words]
    fast = [each for each in rated if _is_faster(each.words, each.length, most)]
    if not fast:
        return
    words, length = sum(each.words for each in rated), sum(each.length for each in rated)
    if len(fast) > 1 and len(rated) >= LEAST_OVERALL and _is_faster(words, length, most):
        sources = Counter(each.source for each in rated)
        facts = TooFast(words, length, most, sources.most_common(1)[0][0], overall=True)
        yield Finding(TOO_FAST, TOO_FAST.level, tuple(each.id for each in fast), fast[0].span, facts)
        return
    for each in fast:
        facts = TooFast(each.words, each.length, most, each.source)
        yield Finding(TOO_FAST, TOO_FAST.level, (each.id,), each.span, facts)


def _is_faster(words: int, length: int, most: int) -> bool:
    return words * 60_000 > most * length


def over_dialogue(line: SpokenLine, dialogue: Dialogue) -> Iterator[Finding]:
    """T3: the line overlaps dialogue or a silence; a note where that is allowed, for line or span."""
    for what, occupation in ((Occupied.DIALOGUE, dialogue.cues), (Occupied.SILENCE, dialogue.silences)):
        cover = dialogue.covers(occupation, line.span)
        if cover is not None:
            # A silence takes precedence over an opening.
            allowed = line.allowed or (what is Occupied.DIALOGUE and cover.opened)
            facts = Overlap(cover.by, what, cover.first, allowed)
            yield Finding(OVER_DIALOGUE, _level(OVER_DIALOGUE, allowed=allowed), (line.id,), line.span, facts)


def near_dialogue(line: SpokenLine, dialogue: Dialogue, settings: QualitySettings) -> Iterator[Finding]:
    """T4: the line ends too soon before dialogue, or starts too soon after it; a note where that is allowed."""
    span = line.span
    sides = (
        (Side.AFTER, settings.collar_after, dialogue.cues.before(span)),
        (Side.BEFORE, settings.collar_before, dialogue.cues.after(span)),
    )
    for side, least, distance in sides:
        if distance is None or distance.by >= least:
            continue
        # The part of the line that should be free of narration.
        lacking = min(least - distance.by, span.length)
        start = span.start if side is Side.AFTER else span.end - lacking
        allowed = line.allowed or dialogue.opened(Span(start, start + lacking))
        facts = Near(side, distance.by, least, distance.cue, allowed)
        yield Finding(NEAR_DIALOGUE, _level(NEAR_DIALOGUE, allowed=allowed), (line.id,), span, facts)


def misplaced(
    script: Script, plan: Plan, lines: Sequence[SpokenLine], unmet: UnmetPins, *, shifted: bool
) -> Iterator[Finding]:
    """T5: lines that overlap, are out of order, doubled, without duration, outside the film, or not as locked.

    With `shifted` T8 has said why lines are after the film.
    """
    end = script.film.end
    planned = [each for each in lines if not each.extended]
    latest = None
    for each in lines:
        if each.start < 0:
            yield _misplaced(each.span, Misplaced(Misplacement.BEFORE_FILM, -each.start), each.id)
        last = each.start if each.extended else each.end
        if last > end and not shifted:
            yield _misplaced(each.span, Misplaced(Misplacement.AFTER_FILM, last - end), each.id)
        if each.extended:
            continue
        if each.end <= each.start:
            yield _misplaced(each.span, Misplaced(Misplacement.NO_DURATION), each.id)
        if latest is not None and each.start < latest.end and (by := min(latest.end, each.end) - each.start) > 0:
            yield _misplaced(each.span, Misplaced(Misplacement.OVERLAP, by), latest.id, each.id)
        latest = each if latest is None or each.end > latest.end else latest
    order = script.eventuality_index
    for first, then in pairwise(planned):
        if order[then.id] < order[first.id]:
            yield _misplaced(then.span, Misplaced(Misplacement.ORDER), first.id, then.id)
    spoken = Counter(delivery.element for delivery in plan.deliveries)
    twice = {name for name, times in spoken.items() if times > 1}
    if len(order) < len(script.eventualities):
        twice |= {name for name, times in Counter(line.id for line in script.eventualities).items() if times > 1}
    yield from _not_as_locked(script, plan, unmet, shifted=shifted)
    spans = {each.id: each.span for each in lines}
    for name in sorted(twice & spans.keys(), key=lambda name: spans[name]):
        yield _misplaced(spans[name], Misplaced(Misplacement.TWICE), name)


def _not_as_locked(script: Script, plan: Plan, unmet: UnmetPins, *, shifted: bool) -> Iterator[Finding]:
    for line in (*unmet.missing, *unmet.otherwise):
        start = line.pin.start
        if not (shifted and start is not None and start >= script.film.end):
            yield _misplaced(_place_of(line, plan), Misplaced(Misplacement.LOCKS), line.id)
    for rule in unmet.rules:
        yield _misplaced(_place_of(script.eventuality(rule.of[0]), plan), Misplaced(Misplacement.RULE), *rule.of)


def _place_of(line: Eventuality, plan: Plan) -> Span:
    """Where a line was locked, is spoken, or its action is, whichever is known first."""
    if line.pin.start is not None and line.pin.selected is not False:
        return Span(line.pin.start, line.pin.start)
    delivery = plan.by_line.get(line.id)
    return delivery.span if delivery is not None else line.occurrence or Span(0, 0)


def _misplaced(span: Span, facts: Misplaced, *lines: str) -> Finding:
    return Finding(WRONG_PLACE, WRONG_PLACE.level, lines, span, facts)


def short_gaps(
    lines: Iterable[tuple[SpokenLine, Span | None]], dialogue: Dialogue, settings: QualitySettings
) -> Iterator[Finding]:
    """T6: a gap is used that is shorter than the least; a note where the describer opened it, or allowed the lines.

    `lines` come with the gaps that they are in, in order.
    """
    for gap, group in groupby(lines, key=itemgetter(1)):
        if gap is None or gap.length >= settings.least_gap:
            continue
        inside = [line for line, _ in group]
        allowed = dialogue.overlaps_opening(gap) or all(line.allowed for line in inside)
        facts = ShortGap(gap, settings.least_gap, allowed)
        names = tuple(line.id for line in inside)
        yield Finding(SHORT_GAP, _level(SHORT_GAP, allowed=allowed), names, gap, facts)


def offset(script: Script, lines: Sequence[SpokenLine], unmet: UnmetPins) -> Iterator[Finding]:
    """T8: lines lie after the film, and all would be in it if they were an hour, or its start timecode, earlier.

    Where no room was found for lines that are locked there, the starts that they are locked at count.
    """
    elsewhere = {line.id for line in unmet.otherwise}
    places = [(each.start, max(each.start, each.end), each.id) for each in lines if each.id not in elsewhere]
    unplaced = [*unmet.missing, *unmet.otherwise]
    places += [(line.pin.start, line.pin.start, line.id) for line in unplaced if line.pin.start is not None]
    places.sort()
    last = max((end for _, end, _ in places), default=0)
    if last <= script.film.end:
        return
    first, timecode = places[0][0], _start_timecode(script)
    for by in (timecode, HOUR):
        if by and first >= by and last - by <= script.film.end:
            names = tuple(name for _, _, name in places)
            yield Finding(OFFSET, OFFSET.level, names, Span(first, first), Offset(by, by == timecode))
            return


def estimated(script: Script, lines: Sequence[SpokenLine]) -> Iterator[Finding]:
    """T9: without a voice, lines that have neither a take nor a length that was set, in one finding."""
    found = [each for each in lines if each.source is LengthSource.RATE]
    if script.voice.engine or not found:
        return
    span = Span(found[0].start, found[0].span.end)
    yield Finding(ESTIMATED, ESTIMATED.level, tuple(each.id for each in found), span, Estimated(len(lines)))


def _start_timecode(script: Script) -> int:
    """The start timecode as a time from 00:00:00:00; 0 where there is none, or it is not valid."""
    film = script.film
    try:
        return film.frame_rate.ms_of_label(film.start_timecode) if film.start_timecode else 0
    except TimeError:
        return 0


def _level(rule: Rule, *, allowed: bool) -> Level:
    return Level.NOTE if allowed else rule.level
