"""The paper's prompted baseline: the model itself writes the lines, with their times, from the clip, dialogue and gaps.

Per scene, as a whole film does not fit into a model (the paper prompts it with an excerpt). The model is given 180
words a minute and the gaps of at least a second, and chooses which to use. What it writes is used as it is: nothing is
shortened, moved or requested again; only what is not a line at all is left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from adstudio.core.timebase import Span
from adstudio.drafting.candidates_file.element import tidy
from adstudio.drafting.candidates_file.findings import shown as quoted
from adstudio.drafting.model.answers import Following, read_whole
from adstudio.drafting.model.checks import no_line
from adstudio.drafting.model.clip_making import clip_of
from adstudio.drafting.model.context import block
from adstudio.drafting.model.events import Found, Moved, SceneState
from adstudio.drafting.model.request_store import JobState
from adstudio.drafting.model.requests import FilmSeen, ModelOptions, naming_rule, shown, task_of
from adstudio.drafting.model.response_schema import LONGEST, TENTH_MS, closed
from adstudio.drafting.model.scenes import PartDraft, PartOfScene, Studio, Written, require_short
from adstudio.llm.messages import Request, Text

LEAST_GAP_MS = 1_000
"""The model is not told of shorter gaps, as in the paper."""
LINE_TOKENS = 120
"""A line of about twenty words with its times; twice as many are allowed."""
LINE_EVERY_MS = 1_500
"""At most one line in this time, on average: an answer with more is degenerate."""
LEAST_LINES = 4


def writing(
    film: FilmSeen, span: Span, clip: bytes, way: ModelOptions, most_images: int, *, bound: bool = True
) -> Request:
    """The request for the lines of a span; `bound`: the server enforces the JSON schema."""
    gaps = gaps_in(film.gaps, span)
    task = (
        block("GAPS, in seconds from the beginning of the clip", gaps)
        if gaps
        else "There is no gap in this clip: somebody speaks all the time."
    )
    form = "" if bound else f"\n\nThe form, for each line: {json.dumps({'lines': [_FORM]})}"
    asked = Text(f"{way.prompts.direct.text}{naming_rule(film, span)}{form}")
    parts = (*shown(film, span, clip, most_images), Text(task), asked)
    tokens = 2 * LINE_TOKENS * most_lines(span.length) + 500
    return task_of(film, span, way, parts, tokens=tokens, schema=lines_schema(span.length))


def gaps_in(gaps: Sequence[Span], span: Span) -> list[str]:
    """The gaps of a span, one per line: seconds from its start, rounded inwards."""
    found: list[str] = []
    for gap in gaps:
        common = gap.overlap(span)
        if common is None or common.length < LEAST_GAP_MS:
            continue
        start, end = -(-(common.start - span.start) // TENTH_MS), (common.end - span.start) // TENTH_MS
        found.append(f"{start / 10:.1f}–{end / 10:.1f}")
    return found


def most_lines(length: int) -> int:
    """How many lines a span of `length` ms may have."""
    return max(length // LINE_EVERY_MS, LEAST_LINES)


def lines_schema(length: int) -> dict[str, Any]:
    """The JSON schema for a clip of `length` ms: a list of no more lines than fit, with times within it."""
    time = {"type": "integer", "minimum": 0, "maximum": -(-length // TENTH_MS)}
    line = closed({"start": time, "end": time, "text": {"type": "string", "minLength": 1, "maxLength": LONGEST}})
    return closed({"lines": {"type": "array", "items": line, "minItems": 0, "maxItems": most_lines(length)}})


def read_lines(found: Sequence[Mapping[str, Any]], length: int) -> tuple[tuple[Written, ...], tuple[str, ...]]:
    """The lines of an answer in chronological order, and what was left out or changed.

    A time within the clip's last tenth of a second is its end. A line without valid times or words is left out.
    """
    lines: list[Written] = []
    notes: list[str] = []
    for place, each in enumerate(found, 1):
        read = _line(each, length)
        if isinstance(read, str):
            notes.append(f"line {place} {read}: left out")
        else:
            lines.append(read)
    if len(lines) > most_lines(length):
        notes.append(f"there are {len(lines)} lines; those behind the first {most_lines(length)} are left out")
        lines = lines[: most_lines(length)]
    ordered = sorted(lines, key=lambda line: (line.start, line.end))
    if ordered != lines:
        notes.append("the lines were not in the order of time: put in order")
    return tuple(ordered), tuple(notes)


async def write_part(studio: Studio, part: PartOfScene) -> PartDraft:
    """Let the model write the lines of a part of a scene.

    Raises:
        StoppedError, HaltedError, TooMuchError, BadInputError, OutsideFailureError: as `draft_part` does.
    """
    draft = PartDraft()
    studio.hear(Moved(part.scene, SceneState.SHOWING))
    clip = await clip_of(studio.film, part.span, studio.way.clips, studio.asking, studio.making)
    images = studio.asking.provider.capabilities.images
    ask = writing(studio.film, part.span, clip.read(), studio.way, images, bound=studio.bound)
    studio.hear(Moved(part.scene, SceneState.DESCRIBING))
    stage = studio.way.prompts.direct.key
    job = await studio.asking.ask(ask, part.scene, stage, _Live(studio, part).hear, again=part.again)
    require_short(job)
    draft.jobs.append(job)
    if job.state is JobState.BLOCKED or (job.state is JobState.FAILED and not job.text):
        draft.state = SceneState.BLOCKED if job.state is JobState.BLOCKED else SceneState.FAILED
        draft.why = job.why or "the model wrote nothing"
        return draft
    answer = read_whole(job.text)
    found = answer.elements
    draft.written, notes = read_lines(found, part.span.length)
    draft.notes += notes
    if job.state in (JobState.TRUNCATED, JobState.FAILED):
        draft.why = f"its lines are cut short: {job.why}"
        draft.state = SceneState.PARTIAL if draft.written else SceneState.FAILED
    elif not found and not _is_empty(job.text):
        draft.state, draft.why = SceneState.FAILED, "the model did not answer in the form that was asked for"
    elif found and not draft.written:
        draft.state, draft.why = SceneState.FAILED, f"none of the model’s lines can be used: {notes[0]}"
    elif not found:
        draft.notes.append("the model has nothing said here")
    elif answer.spoilt or not answer.ended:
        # There are no ids that could be missing.
        draft.state, draft.why = SceneState.PARTIAL, "some of the model’s lines could not be read"
    if draft.state is SceneState.FAILED and job.answered:
        studio.asking.give_back(job, draft.why)
    return draft


_FORM = {"start": 0, "end": 0, "text": ""}


class _Live:
    """Reports lines as they are received."""

    def __init__(self, studio: Studio, part: PartOfScene) -> None:
        self._studio, self._part = studio, part
        self._following = Following()

    def hear(self, text: str) -> None:
        part = self._part
        for number, each in self._following.hear(text):
            read = _line(each, part.span.length)
            if isinstance(read, Written):
                start, end = part.span.start + read.start, part.span.start + read.end
                self._studio.hear(Found(part.scene, part.number, f"d{number:02d}", read.text, start, end))


def _line(given: Mapping[str, Any], length: int) -> Written | str:
    """The line, or what is wrong with it."""
    text, start, end = given.get("text"), given.get("start"), given.get("end")
    if not isinstance(text, str):
        return "is no text"
    if why := no_line(plain := tidy(text)):
        return why
    if type(start) is not int or type(end) is not int or start < 0:
        return f"has no time ({quoted(start)}–{quoted(end)})"
    first, last = start * TENTH_MS, end * TENTH_MS
    if last <= first:
        return "ends before it starts"
    if first >= length or last >= length + TENTH_MS:
        return "lies behind the end of the clip"
    return Written(first, min(last, length), plain)


def _is_empty(text: str) -> bool:
    try:
        return json.loads(text, strict=False).get("lines") == []
    except (ValueError, AttributeError, RecursionError):
        return False
