"""Drafts one part of a scene, from its clip to checked elements: described, segmented, found, repaired.

Each step is a request through the request store, so that whatever ends a run, the next one continues there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from adstudio.core.timebase import Span
from adstudio.drafting.candidates_file.element import LONGEST_TEXT
from adstudio.drafting.model.answers import Following, read_answer
from adstudio.drafting.model.checks import (
    Checked,
    Rules,
    Wanted,
    check_all,
    rewritten,
    settled,
    unanswered,
)
from adstudio.drafting.model.client import Asking, HaltedError
from adstudio.drafting.model.clip_making import clip_of
from adstudio.drafting.model.descriptions import narrated, prose
from adstudio.drafting.model.events import Found, Hear, Moved, SceneState, Telling
from adstudio.drafting.model.request_store import Job, JobState
from adstudio.drafting.model.requests import (
    FilmSeen,
    ModelOptions,
    about_elements,
    about_wordings,
    describing,
    from_screenplay,
    repair_id,
)
from adstudio.drafting.model.response_schema import FULL, TENTH_MS
from adstudio.drafting.model.wording_faults import with_faults, without_faults
from adstudio.drafting.text.language.names import known_from, known_words, names_of
from adstudio.drafting.text.language.sentence_ends import whole_sentences
from adstudio.drafting.text.segment.sentence_kind import SentenceKind
from adstudio.drafting.text.stages import Segmenter
from adstudio.llm.messages import Request

MOST_ELEMENTS = 80
"""Elements of a part of a scene; a description with more is degenerate."""
UNBOUND = "look whether the server keeps to a schema (adstudio serve --check), or try another model"
MOST_ROUNDS = 4
"""How often missing elements are requested in vain; rounds that bring some do not count."""
REPAIRED_AT_ONCE = 20
"""Wordings repaired in one request."""


@dataclass(frozen=True)
class PartOfScene:
    """A span that is shown as one clip.

    `text` is the screenplay's, in place of a description; `description` is one that the describer has written or
    edited, which stands in for the model's own.
    """

    scene: str
    number: int
    span: Span
    text: str = ""
    description: str = ""
    again: bool = False
    """Whether what was withheld or cut short is requested again."""


class TooMuchError(Exception):
    """A part is more than the model accepts at once; the message is the server's sentence."""


@dataclass(frozen=True)
class Written:
    """A line that the model wrote itself, and when it is spoken, in ms from the start of the clip."""

    start: int
    end: int
    text: str


@dataclass
class PartDraft:
    """The draft of a part: elements, or `written` lines if the model wrote those itself.

    `why` says what is missing; `jobs` are all that contributed. Of these, `telling` described the whole part, and `by`
    made single elements, by id.
    """

    elements: tuple[Checked, ...] = ()
    written: tuple[Written, ...] = ()
    state: SceneState = SceneState.DONE
    why: str = ""
    description: str = ""
    notes: list[str] = field(default_factory=list[str])
    jobs: list[Job] = field(default_factory=list[Job])
    telling: list[Job] = field(default_factory=list[Job])
    by: dict[str, list[Job]] = field(default_factory=dict[str, list[Job]])

    def wrote(self, element: str) -> Sequence[Job]:
        """The jobs whose answers an element consists of; all of them, if it only was requested."""
        return [*self.telling, *self.by.get(element, [])] or self.jobs


@dataclass(frozen=True)
class Studio:
    """What all parts share. Clips are made one at a time (`making`): decoding one takes several cores."""

    film: FilmSeen
    way: ModelOptions
    asking: Asking
    segmenter: Segmenter
    hear: Hear
    making: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def bound(self) -> bool:
        """Whether the server enforces a JSON schema."""
        return self.asking.provider.capabilities.schema


async def draft_part(studio: Studio, part: PartOfScene) -> PartDraft:
    """Draft a part of a scene.

    Raises:
        StoppedError, HaltedError: as `Asking.ask` does.
        TooMuchError: if it has to be drafted in halves.
        BadInputError, OutsideFailureError: if the film cannot be shown, or a part of the program is missing.
    """
    draft = PartDraft()
    _say(studio, part, SceneState.SHOWING)
    clip = await clip_of(studio.film, part.span, studio.way.clips, studio.asking, studio.making)
    images = studio.asking.provider.capabilities.images
    ready = (studio.film, part.span, clip.read(), studio.way, images)
    if part.text:
        asked, text, description = from_screenplay(*ready, part.text), part.text, None
    elif part.description:
        asked, text = describing(*ready), part.description
        description = text
    else:
        asked = describing(*ready)
        text = description = await _described(studio, part, asked, draft)
    draft.description = text
    if not text:
        return draft
    _say(studio, part, SceneState.CUTTING)
    wanted = _cut(studio, text)
    if len(wanted) > MOST_ELEMENTS:
        draft.notes.append(
            f"the description has {len(wanted)} elements; those behind the first {MOST_ELEMENTS} are left"
        )
        wanted = wanted[:MOST_ELEMENTS]
    if not wanted:
        draft.state, draft.why = SceneState.FAILED, "the model wrote nothing that could be described"
        _give_back(studio, draft.jobs, draft.why)
        return draft
    _say(studio, part, SceneState.FINDING)
    rules = _rules(studio.film, part.span, text)
    found = await _found(studio, part, asked, description, wanted, rules, draft)
    _require_times(studio, found, draft)
    begins = part.number == 0
    found = with_faults(found, rules, begins=begins)
    if any(checked.bad for checked in found):
        _say(studio, part, SceneState.MENDING)
        found = await _mended(studio, part, found, rules, draft)
    draft.elements = tuple(settled(checked) for checked in without_faults(found, rules, begins=begins))
    return draft


async def _described(studio: Studio, part: PartOfScene, ask: Request, draft: PartDraft) -> str:
    _say(studio, part, SceneState.DESCRIBING)
    job = await studio.asking.ask(
        ask,
        part.scene,
        studio.way.prompts.describe.key,
        lambda text: studio.hear(Telling(part.scene, part.number, text)),
        again=part.again,
    )
    require_short(job)
    draft.jobs.append(job)
    draft.telling.append(job)
    text = prose(job.text)
    if job.state is JobState.TRUNCATED:
        text = whole_sentences(text, studio.film.language)
        draft.state, draft.why = SceneState.PARTIAL, f"the description is cut short: {job.why}"
    text, why = narrated(text, studio.film.language)
    if why:
        draft.state, draft.why = SceneState.PARTIAL, why
    if job.state in (JobState.BLOCKED, JobState.FAILED) or not text:
        draft.state = SceneState.BLOCKED if job.state is JobState.BLOCKED else SceneState.FAILED
        draft.why = job.why or draft.why or "the model wrote no description"
        _give_back(studio, [job], draft.why)
        return ""
    return text


def _give_back(studio: Studio, jobs: Sequence[Job], why: str) -> None:
    """Have the next run request again what was answered to no use."""
    for job in jobs:
        if job.answered:
            studio.asking.give_back(job, job.why or why)


def require_short(job: Job) -> None:
    """Check that a part was not too much for the model; raises TooMuchError where it was."""
    if job.state is JobState.TOO_LONG:
        raise TooMuchError(job.why)


def _cut(studio: Studio, text: str) -> tuple[Wanted, ...]:
    film = studio.film
    speakers = [cue.speaker for cue in film.cues if cue.speaker]
    names = names_of([*speakers, *(person.name for person in film.people)], [text])
    found = studio.segmenter.elements([text], film.language, names)[0]
    fit = [each for each in found if 0 < len(each.text) <= LONGEST_TEXT and each.kind is not SentenceKind.PRODUCTION]
    return tuple(Wanted(f"e{place:02d}", each.text, each.extract) for place, each in enumerate(fit, 1))


def _rules(film: FilmSeen, span: Span, text: str) -> Rules:
    people = {*(cue.speaker for cue in film.cues if cue.speaker), *(person.name for person in film.people)}
    known = known_from(people, [text, *(cue.text for cue in film.cues)], film.language)
    cuts = tuple(cut - span.start for cut in film.cuts if span.start < cut < span.end)
    return Rules(span.length, cuts, known_words(*people), film.language, known)


async def _found(
    studio: Studio,
    part: PartOfScene,
    before: Request,
    description: str | None,
    wanted: Sequence[Wanted],
    rules: Rules,
    draft: PartDraft,
) -> list[Checked]:
    """All elements; unanswered ones are requested again in smaller batches as long as that brings some."""
    done: dict[str, Checked] = {}
    useless: list[Job] = []
    lots = _lots(wanted, studio.way.elements_at_once)
    rounds = 0
    prompts = studio.way.prompts
    stage = prompts.candidates.key if description is not None else f"{prompts.screenplay.key}, {prompts.candidates.key}"
    while lots:
        of = lots.pop(0)
        ask = about_elements(before, description, wanted, of, part.span, studio.way, bound=studio.bound)
        try:
            job = await studio.asking.ask(
                ask,
                part.scene,
                stage,
                _Live(studio, part).hear,
                keep=lambda text: bool(read_answer(text)),
                again=part.again,
            )
        except HaltedError as error:
            if not done:
                raise
            draft.state, draft.why = SceneState.PARTIAL, str(error)
            left = [*of, *(each for lot in lots for each in lot)]
            done |= {each.id: unanswered(each, f"it was not asked for any more: {error}") for each in left}
            break
        require_short(job)
        draft.jobs.append(job)
        checked, missing, notes = check_all(of, read_answer(job.text), rules)
        if not checked and job.answered:
            useless.append(job)
        done |= {each.wanted.id: each for each in checked}
        for each in checked:
            draft.by.setdefault(each.wanted.id, []).append(job)
        draft.notes += notes
        if not missing:
            continue
        why = job.why or "the model left it out"
        rounds += not checked
        failed = job.state is JobState.FAILED and job.key not in studio.asking.spoilt
        # What was received before a connection was lost is progress, and the rest is requested.
        lost = (failed and not checked) or job.state is JobState.BLOCKED
        if not lost and rounds <= MOST_ROUNDS and (checked or len(missing) > 1):
            most = len(missing) if checked else -(-len(missing) // 2)
            draft.notes.append(asked_again(len(missing), len(of), most, why))
            lots[:0] = _lots(missing, most)
            continue
        done |= {each.id: unanswered(each, f"there is no answer for it: {why}") for each in missing}
        blocked = job.state is JobState.BLOCKED
        draft.state, draft.why = SceneState.PARTIAL, "; ".join(dict.fromkeys(filter(None, [draft.why, why])))
        if lost:
            # The same clip would be withheld, or fail, again.
            left = [each for lot in lots for each in lot]
            done |= {each.id: unanswered(each, f"it was not asked for any more: {why}") for each in left}
            if not any(each.answered for each in done.values()):
                draft.state = SceneState.BLOCKED if blocked else SceneState.FAILED
            break
    # If other requests brought everything, they no longer matter.
    if any(not each.answered for each in done.values()):
        _give_back(studio, useless, UNBOUND)
    return [done[each.id] for each in wanted]


def _require_times(studio: Studio, found: Sequence[Checked], draft: PartDraft) -> None:
    """If no time that was given can be used, the answers are of no use: the next run requests them again.

    The description is as good as it was.
    """
    unusable = [each for each in found if each.unusable]
    if unusable and all(each.start is None for each in found):
        why = f"none of the times can be used ({unusable[0].unusable}): {UNBOUND}"
        _give_back(studio, [job for job in draft.jobs if job not in draft.telling], why)
        draft.state, draft.why = SceneState.PARTIAL, "; ".join(filter(None, [draft.why, why]))


async def _mended(
    studio: Studio, part: PartOfScene, found: list[Checked], rules: Rules, draft: PartDraft
) -> list[Checked]:
    """The elements with bad wordings rewritten; what cannot be repaired stays as it is."""
    elements = {each.wanted.id: each for each in found}
    for _ in range(studio.way.repairs):
        bad = [each for each in elements.values() if each.bad]
        if not bad:
            break
        changed = halted = False
        lots = _by_wordings(bad, REPAIRED_AT_ONCE)
        for lot, job in zip(lots, await _repairs(studio, part, lots), strict=True):
            if isinstance(job, HaltedError):
                draft.state, draft.why = SceneState.PARTIAL, str(job)
                halted = True
                continue
            draft.jobs.append(job)
            if job.state is JobState.FAILED and job.key not in studio.asking.spoilt:
                draft.state, draft.why = SceneState.PARTIAL, f"wordings could not be mended: {job.why}"
            texts = {str(line.get("id")): line.get("text") for line in read_answer(job.text)}
            for each in lot:
                found_texts = {bad.key: texts.get(repair_id(each.wanted.id, bad.key)) for bad in each.bad}
                new = {key: text for key, text in found_texts.items() if isinstance(text, str)}
                elements[each.wanted.id] = rewritten(each, new, rules)
                if elements[each.wanted.id].texts != each.texts:
                    changed = True
                    draft.by.setdefault(each.wanted.id, []).append(job)
        if halted or not changed:
            break
        found = with_faults(list(elements.values()), rules, begins=part.number == 0)
        elements = {each.wanted.id: each for each in found}
    return list(elements.values())


async def _repairs(studio: Studio, part: PartOfScene, lots: Sequence[Sequence[Checked]]) -> list[Job | HaltedError]:
    """The jobs that repair these wordings, sent together; in place of what is no longer sent, the reason."""

    async def one(lot: Sequence[Checked]) -> Job | HaltedError:
        ask = about_wordings(studio.film, part.span, lot, studio.way, bound=studio.bound)
        try:
            return await studio.asking.ask(ask, part.scene, studio.way.prompts.repair.key, again=part.again)
        except HaltedError as error:
            return error

    found = await asyncio.gather(*map(one, lots), return_exceptions=True)
    for each in found:
        if isinstance(each, BaseException) and not isinstance(each, HaltedError):
            raise each
    return [each for each in found if isinstance(each, Job | HaltedError)]


def asked_again(missing: int, of: int, most: int, why: str) -> str:
    """The note about unanswered elements that are requested again, at most this many at a time."""
    at_once = f", {most} at a time" if most < missing else ""
    return f"{missing} of {of} elements had no answer of use ({why.rstrip('.')}): they were asked for again{at_once}"


def _by_wordings(elements: Sequence[Checked], most: int) -> list[list[Checked]]:
    """Elements in batches of at most this many bad wordings."""
    lots: list[list[Checked]] = []
    size = most
    for each in elements:
        if size + len(each.bad) > most:
            lots.append([])
            size = 0
        lots[-1].append(each)
        size += len(each.bad)
    return lots


def _lots(wanted: Sequence[Wanted], most: int) -> list[Sequence[Wanted]]:
    """Elements in batches of nearly equal size, of at most this many."""
    count = -(-len(wanted) // max(most, 1))
    bounds = [len(wanted) * number // count for number in range(count + 1)] if count else [0]
    return [wanted[start:end] for start, end in pairwise(bounds)]


class _Live:
    """Reports each element once, as soon as it is received."""

    def __init__(self, studio: Studio, part: PartOfScene) -> None:
        self._studio, self._part = studio, part
        self._following = Following()

    def hear(self, text: str) -> None:
        for _, each in self._following.hear(text):
            start, end = (self._time(each.get(key)) for key in ("start", "end"))
            identity, line = str(each.get("id"))[:20], each.get(FULL)
            if isinstance(line, str):
                self._studio.hear(Found(self._part.scene, self._part.number, identity, line[:LONGEST_TEXT], start, end))

    def _time(self, value: object) -> int | None:
        if type(value) is not int or value < 0:
            return None
        return min(self._part.span.start + value * TENTH_MS, self._part.span.end)


def _say(studio: Studio, part: PartOfScene, state: SceneState) -> None:
    studio.hear(Moved(part.scene, state))
