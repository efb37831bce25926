"""Drafts a film with a model: scenes side by side, long ones in parts.

Nothing is raised for what goes wrong with a scene: its draft says why it is not complete.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256

from adstudio.core.errors import AdstudioError
from adstudio.core.provenance import Provenance
from adstudio.core.script import SALIENCE_UNIT, Eventuality, Origin, Scene, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.model.checks import Checked
from adstudio.drafting.model.client import LOOK_S, Asking, HaltedError, LimitError, StoppedError, model_work
from adstudio.drafting.model.estimate import estimate
from adstudio.drafting.model.events import Delayed, Hear, Moved, SceneDraft, SceneState, Spent
from adstudio.drafting.model.request_store import NOTHING, Job, JobStore, Totals
from adstudio.drafting.model.requests import FilmSeen, ModelOptions
from adstudio.drafting.model.response_schema import FULL, SALIENCE, SHORTER
from adstudio.drafting.model.scenes import (
    PartDraft,
    PartOfScene,
    Studio,
    TooMuchError,
    Written,
    draft_part,
)
from adstudio.drafting.text.language.sentence_ends import split
from adstudio.drafting.text.stages import Segmenter
from adstudio.llm.messages import Usage
from adstudio.llm.provider import Provider
from adstudio.media.clips import parts

SURE = 550
"""Thousandths: about half of the spans that such models give are right (TimeLens, arXiv 2512.14698: 53 %)."""
MENDED = 350
"""If the model’s own time had to be corrected."""
SHORTEST_PART_MS = 10_000
"""A part that is too long for a model is halved until it is shorter than twice this."""
AHEAD, LEAST_AHEAD = 4, 2
"""Parts whose clips are made ahead: one to this many that the server bears, and at least so many."""
EVEN = SALIENCE_UNIT // 2
"""The salience of a line that nobody weighed."""


@dataclass(frozen=True)
class Outcome:
    """The drafts of all scenes, in order, and the film's totals over all runs; `halted` says what ended the run, if so.

    `usage` and `requests` are this run's own; `reused` counts answers of earlier runs that were used, by model; `asked`
    are the scenes (ids) about which requests were sent in this run.
    """

    scenes: tuple[SceneDraft, ...]
    totals: Totals
    halted: str = ""
    usage: Usage = NOTHING
    requests: int = 0
    reused: Mapping[str, int] = field(default_factory=dict[str, int])
    asked: frozenset[str] = frozenset()


Drafting = Callable[[Studio, PartOfScene], Awaitable[PartDraft]]
"""How a part of a scene is drafted."""
_BROKEN_OFF = (SceneState.STOPPED, SceneState.LIMITED)
Begins = Callable[[], Awaitable[None]]
"""Begins a scene, if it has not begun; returns once it may continue."""
_Drafts = list[tuple[PartOfScene, PartDraft]]
"""The drafts of a part, or of its halves."""


@dataclass
class _Scene:
    """A scene while its parts are drafted."""

    scene: Scene
    parts: tuple[PartOfScene, ...]
    drafts: dict[int, _Drafts] = field(default_factory=dict[int, _Drafts])


async def draft_film(
    film: FilmSeen,
    scenes: Sequence[Scene],
    provider: Provider,
    store: JobStore,
    way: ModelOptions,
    *,
    texts: Mapping[str, str] | None = None,
    descriptions: Mapping[str, str] | None = None,
    segmenter: Segmenter | None = None,
    hear: Hear = lambda _event: None,
    stop: asyncio.Event | None = None,
    drafting: Drafting = draft_part,
) -> Outcome:
    """Draft scenes, as many parts at a time as the provider bears; setting `stop` ends it, and what came is kept.

    `texts` are the screenplay's, by scene, and `descriptions` what the describer has written or edited; all other
    scenes are described by the model. `drafting` is how a part is drafted, `draft_part` or `direct.write_part`.
    """
    name = film_name(film)
    ended = 0
    answered: set[str] = set()
    delays: dict[str, Counter[str]] = {}

    def delayed(scene: str, why: str) -> None:
        delays.setdefault(scene, Counter())[why.rstrip(".")] += 1
        hear(Delayed(scene, why))

    def finished(job: Job) -> None:
        nonlocal ended
        ended += 1
        answered.add(job.scene)
        hear(Spent(asking.usage, ended))

    asking = Asking(
        provider,
        store,
        name,
        stop or asyncio.Event(),
        finished,
        most_micro_usd=way.most_micro_usd,
        anew=way.anew,
        delayed=delayed,
    )
    studio = Studio(film, way, asking, segmenter or Segmenter(), hear)
    screenplay_texts, written = texts or {}, descriptions or {}
    known = {
        scene.id: _Scene(scene, _parts(film, scene, screenplay_texts.get(scene.id, ""), written.get(scene.id, "")))
        for scene in scenes
    }
    before = store.answered(name, anew=way.anew)
    # Near a cost limit, scenes that have begun are finished first.
    waiting = [part for each in sorted(known, key=lambda scene: scene not in before) for part in known[each].parts]
    drafts: dict[str, SceneDraft] = {}

    async def work(part: PartOfScene) -> None:
        scene = known[part.scene]
        begins = partial(asking.begin, part.scene, _thought(studio, scene, drafting), before.get(part.scene))
        scene.drafts[part.number] = await _drafted(studio, part, drafting, begins)
        if len(scene.drafts) == len(scene.parts):
            draft = _together(scene, delays.get(part.scene, Counter()))
            asking.end(part.scene, whole=draft.state is SceneState.DONE)
            drafts[part.scene] = draft
            scene.drafts.clear()
            if draft.state is SceneState.DONE:
                store.note_whole(name, part.scene)
            hear(Moved(part.scene, draft.state, draft.why))
            hear(draft)

    for scene in scenes:
        if way.anew:
            store.anew_since(name, scene.id, begins=True)
        hear(Moved(scene.id, SceneState.WAITING))
    under_way: set[asyncio.Task[None]] = set()
    async with asyncio.TaskGroup() as group:
        for part in waiting:
            while len(under_way) >= _in_progress(way, provider):
                await asyncio.wait(under_way, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
            under_way.add(task := group.create_task(work(part)))
            task.add_done_callback(under_way.discard)
    if _is_over(asking, drafts.values()):
        # This also ends an interrupted run that this one has completed in another way.
        store.end_anew(name, known)
    reused = Counter(job.model for job in asking.reused.values())
    return Outcome(
        tuple(drafts[scene.id] for scene in scenes),
        store.totals(name),
        asking.halted,
        asking.usage,
        asking.requests,
        reused,
        frozenset(answered),
    )


def _in_progress(way: ModelOptions, provider: Provider) -> int:
    """How many parts may be in progress: those that the server bears, and some ahead, so that clips are ready for it.

    With few ahead, requests about scenes that have begun do not wait long behind new ones.
    """
    bears = provider.concurrency
    return max(min(way.at_once, bears + max(bears // AHEAD, LEAST_AHEAD)), 1)


def _is_over(asking: Asking, drafts: Iterable[SceneDraft]) -> bool:
    """Whether a run has ended: the same run again would request nothing that is missing.

    One that had nothing to request has ended too, whatever is missing.
    """
    if asking.stop.is_set() or asking.halted:
        return False
    lost = asking.failed and any(draft.state is not SceneState.DONE for draft in drafts)
    return not lost or not asking.requests


def film_name(film: FilmSeen) -> str:
    """A film's name in the request store, which reveals nothing of it."""
    return sha256((film.fingerprint or str(film.video.absolute())).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _thought(studio: Studio, scene: _Scene, drafting: Drafting) -> int:
    """What a scene is estimated to cost; 0 if no price is known, or no limit is set."""
    way, able = studio.way, studio.asking.provider.capabilities
    if way.most_micro_usd is None:
        return 0
    text = "\n".join(part.text or part.description for part in scene.parts).strip()
    texts = {scene.scene.id: text} if text else {}
    found = estimate(
        studio.film,
        [scene.scene],
        able,
        way.elements_at_once,
        described=texts,
        texts=texts,
        direct=drafting is not draft_part,
        thinking=way.thinking,
    )
    return found.usage.micro_usd or 0


async def _drafted(studio: Studio, part: PartOfScene, drafting: Drafting, begins: Begins) -> _Drafts:
    try:
        await begins()
        return [(part, await _draft_part(studio, part, drafting))]
    except TooMuchError as error:
        short = part.span.length < 2 * SHORTEST_PART_MS
        if not short or (studio.way.again and not part.again):
            half = parts(part.span, studio.film.cuts, -(-part.span.length // 2))
            smaller = [replace(part, again=True)] if short else _shares(part, half, studio.film.language)
            drafts = [each for less in smaller for each in await _drafted(studio, less, drafting, begins)]
            if not short:
                drafts[0][1].notes.insert(0, f"it was asked for in {len(smaller)} parts: {str(error).rstrip('.')}")
            return drafts
        return [(part, PartDraft(state=SceneState.FAILED, why=str(error)))]
    except StoppedError:
        return [(part, PartDraft(state=SceneState.STOPPED))]
    except (HaltedError, AdstudioError) as error:
        state = SceneState.LIMITED if isinstance(error, LimitError) else SceneState.FAILED
        return [(part, PartDraft(state=state, why=str(error)))]
    except (MemoryError, ImportError) as error:
        why = f"a part of the program could not be used: {error}"
        return [(part, PartDraft(state=SceneState.FAILED, why=why))]


async def _draft_part(studio: Studio, part: PartOfScene, drafting: Drafting) -> PartDraft:
    draft = await drafting(studio, part)
    if not studio.way.again or draft.state not in (SceneState.PARTIAL, SceneState.BLOCKED):
        # Complete parts need no more requests, whatever was cut short on the way.
        return draft
    return await drafting(studio, replace(part, again=True))


def _parts(film: FilmSeen, scene: Scene, text: str, description: str) -> tuple[PartOfScene, ...]:
    span = Span(scene.span.start, min(scene.span.end, max(film.end, scene.span.start)))
    whole = PartOfScene(scene.id, 0, span, text, "" if text else description)
    shares = _shares(whole, parts(span, film.cuts), film.language)
    return tuple(replace(each, number=number) for number, each in enumerate(shares))


def _shares(whole: PartOfScene, spans: Sequence[Span], language: str) -> list[PartOfScene]:
    """A part of a scene and its text, divided into several."""
    if len(spans) == 1:
        return [replace(whole, span=spans[0])]
    lengths = [span.length for span in spans]
    texts, descriptions = (_shared_out(each, lengths, language) for each in (whole.text, whole.description))
    return [
        replace(whole, span=span, text=text, description=description)
        for span, text, description in zip(spans, texts, descriptions, strict=True)
    ]


def _shared_out(text: str, lengths: Sequence[int], language: str = "en") -> list[str]:
    """A text's sentences, divided among parts by their share of the time."""
    sentences = split(text, language)
    total, all_letters = sum(lengths), sum(len(each) for each in sentences)
    shares: list[list[str]] = [[] for _ in lengths]
    place, seen, until = 0, 0, lengths[0]
    for sentence in sentences:
        # A sentence goes where its middle falls.
        while place < len(lengths) - 1 and (2 * seen + len(sentence)) * total > 2 * until * all_letters:
            place += 1
            until += lengths[place]
        shares[place].append(sentence)
        seen += len(sentence)
    return ["\n".join(share) for share in shares]


def _together(scene: _Scene, delays: Mapping[str, int]) -> SceneDraft:
    pairs = [pair for part in scene.parts for pair in scene.drafts[part.number]]
    drafts = [draft for _, draft in pairs]
    lines = tuple(_lines(scene.scene, pairs))
    states = [draft.state for draft in drafts]
    state = next(
        (each for each in (*_BROKEN_OFF, SceneState.FAILED, SceneState.BLOCKED, SceneState.PARTIAL) if each in states),
        SceneState.DONE,
    )
    if state in (SceneState.LIMITED, SceneState.FAILED, SceneState.BLOCKED) and len(set(states)) > 1:
        state = SceneState.PARTIAL
    whys = dict.fromkeys(draft.why for draft in drafts if draft.why)
    notes = [f"it was tried again{f' {often} times' * (often > 1)}: {why}" for why, often in delays.items()]
    notes += [note for draft in drafts for note in draft.notes]
    notes += [f"{each.wanted.id}: {note}" for draft in drafts for each in draft.elements for note in each.notes]
    description = "\n".join(draft.description for draft in drafts if draft.description)
    return SceneDraft(scene.scene.id, state, lines, "; ".join(whys), description, tuple(notes))


def _lines(scene: Scene, pairs: _Drafts) -> Iterator[Eventuality]:
    number = 0
    for part, draft in pairs:
        if draft.state not in (SceneState.DONE, SceneState.PARTIAL):
            continue
        for checked in draft.elements:
            number += 1
            provenance = Provenance(model_work(draft.wrote(checked.wanted.id)))
            yield _line(f"{scene.id}-e{number:02d}", scene, part, checked, provenance)
        for written in draft.written:
            number += 1
            provenance = Provenance(model_work(draft.jobs))
            yield _as_written(f"{scene.id}-e{number:02d}", scene, part, written, provenance)


def _line(identity: str, scene: Scene, part: PartOfScene, checked: Checked, provenance: Provenance) -> Eventuality:
    occurrence = salience = None
    confidence = 0
    if checked.start is not None and checked.end is not None and checked.salience is not None:
        occurrence = Span(part.span.start + checked.start, part.span.start + checked.end)
        salience = checked.salience * SALIENCE_UNIT // SALIENCE
        confidence = MENDED if checked.mended else SURE
    shorter = (Variant(checked.good[key], rate) for key, rate in SHORTER.items() if key in checked.good)
    return Eventuality(
        identity,
        (Variant(checked.good[FULL]), *shorter),
        occurrence,
        salience,
        scene=scene.id,
        origin=Origin.MACHINE,
        extract=checked.wanted.extract,
        confidence=confidence,
        provenance=provenance,
    )


def _as_written(
    identity: str, scene: Scene, part: PartOfScene, written: Written, provenance: Provenance
) -> Eventuality:
    span = Span(part.span.start + written.start, part.span.start + written.end)
    return Eventuality(
        identity,
        (Variant(written.text, duration=span.length),),
        span,
        EVEN,
        scene=scene.id,
        origin=Origin.MACHINE,
        confidence=SURE,
        provenance=provenance,
    )
