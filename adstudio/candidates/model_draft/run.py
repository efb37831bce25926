"""A film drafted by a model: its scenes side by side, in parts where they are long, and what came of each.

The film is finished, or each scene says why it is not. Nothing is raised for what goes wrong with a scene.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from adstudio.candidates.model_draft.asking import Asking, HaltedError, StoppedError
from adstudio.candidates.model_draft.asks import FilmSeen, Way
from adstudio.candidates.model_draft.checks import Checked
from adstudio.candidates.model_draft.events import Hear, Moved, SceneDraft, SceneState, Spent
from adstudio.candidates.model_draft.jobs import Job, JobStore, Totals
from adstudio.candidates.model_draft.scenes import PartDraft, PartOfScene, Studio, draft_part
from adstudio.candidates.model_draft.wire import FULL, SALIENCE, SHORTER
from adstudio.candidates.provider.model import Provider
from adstudio.candidates.stages import Clauses, Segmenter
from adstudio.core.errors import AdstudioError
from adstudio.core.script import SALIENCE_UNIT, Eventuality, Origin, Scene, Variant
from adstudio.core.timebase import Span
from adstudio.media.clips import parts

SURE = 550
"""Thousandths: about half of the spans that such models give lie right (TimeLens, arXiv 2512.14698: 53 %)."""
MENDED = 350
"""Where the model’s own time had to be mended."""


@dataclass(frozen=True)
class Outcome:
    """What came of each scene, in their order, and what the film has taken over all runs; `halted` says what ended it.

    It is empty where nothing did.
    """

    scenes: tuple[SceneDraft, ...]
    totals: Totals
    halted: str = ""


@dataclass
class _Scene:
    """A scene while its parts are drafted."""

    scene: Scene
    parts: tuple[PartOfScene, ...]
    drafts: dict[int, PartDraft] = field(default_factory=dict[int, PartDraft])
    state: SceneState = SceneState.WAITING


async def draft_film(
    film: FilmSeen,
    scenes: Sequence[Scene],
    provider: Provider,
    store: JobStore,
    way: Way,
    *,
    texts: Mapping[str, str] | None = None,
    segmenter: Segmenter | None = None,
    hear: Hear = lambda _event: None,
    stop: asyncio.Event | None = None,
) -> Outcome:
    """Draft scenes, at most `way.at_once` parts of them at a time; setting `stop` ends it, and what came is kept.

    `texts` are what a screenplay tells, by scene; the other scenes are described by the model.
    """
    name = film_name(film)
    ended = 0

    def finished(_job: Job) -> None:
        nonlocal ended
        ended += 1
        hear(Spent(store.totals(name).usage, ended))

    asking = Asking(provider, store, name, stop or asyncio.Event(), finished, again=way.again)
    studio = Studio(film, way, asking, segmenter or Clauses(), hear)
    known = {scene.id: _Scene(scene, _parts(film, scene, (texts or {}).get(scene.id, ""))) for scene in scenes}
    waiting = iter([part for each in known.values() for part in each.parts])
    made: dict[str, SceneDraft] = {}

    async def work() -> None:
        # All workers take from the one list, so that no more than their number is ever in hand.
        for part in waiting:
            scene = known[part.scene]
            scene.drafts[part.number] = await _drafted(studio, part)
            if len(scene.drafts) == len(scene.parts):
                draft = _together(scene)
                made[part.scene] = draft
                scene.drafts.clear()
                hear(Moved(part.scene, draft.state, draft.why))
                hear(draft)

    for scene in scenes:
        hear(Moved(scene.id, SceneState.WAITING))
    async with asyncio.TaskGroup() as group:
        for _ in range(max(way.at_once, 1)):
            group.create_task(work())
    return Outcome(tuple(made[scene.id] for scene in scenes), store.totals(name), asking.halted)


def film_name(film: FilmSeen) -> str:
    """What a film is called in the job store, which tells nothing of it."""
    return sha256((film.fingerprint or str(film.video.absolute())).encode("utf-8", "surrogatepass")).hexdigest()[:32]


async def _drafted(studio: Studio, part: PartOfScene) -> PartDraft:
    try:
        studio.asking.require_going_on()
        return await draft_part(studio, part)
    except StoppedError:
        return PartDraft(state=SceneState.STOPPED, why="it was stopped")
    except HaltedError as error:
        return PartDraft(state=SceneState.FAILED, why=str(error))
    except AdstudioError as error:
        return PartDraft(state=SceneState.FAILED, why=str(error))
    except (MemoryError, ImportError) as error:
        return PartDraft(state=SceneState.FAILED, why=f"a part of the program could not be used: {error}")


def _parts(film: FilmSeen, scene: Scene, text: str) -> tuple[PartOfScene, ...]:
    spans = parts(Span(scene.span.start, min(scene.span.end, max(film.end, scene.span.start))), film.cuts)
    told = [text] if len(spans) == 1 else _shared_out(text, [span.length for span in spans])
    return tuple(
        PartOfScene(scene.id, number, span, own) for number, (span, own) in enumerate(zip(spans, told, strict=True))
    )


def _shared_out(text: str, lengths: Sequence[int]) -> list[str]:
    """A screenplay's paragraphs among parts, by their share of the time."""
    paragraphs = [each for each in text.split("\n") if each.strip()]
    total, all_words = sum(lengths), sum(len(each) for each in paragraphs)
    shares: list[list[str]] = [[] for _ in lengths]
    place, seen, until = 0, 0, lengths[0]
    for paragraph in paragraphs:
        while place < len(lengths) - 1 and (2 * seen + len(paragraph)) * total > 2 * until * all_words:
            place += 1
            until += lengths[place]
        shares[place].append(paragraph)
        seen += len(paragraph)
    return ["\n".join(share) for share in shares]


def _together(scene: _Scene) -> SceneDraft:
    drafts = [scene.drafts[part.number] for part in scene.parts]
    lines = tuple(_lines(scene, drafts))
    states = [draft.state for draft in drafts]
    state = next(
        (
            each
            for each in (SceneState.STOPPED, SceneState.FAILED, SceneState.BLOCKED, SceneState.PARTIAL)
            if each in states
        ),
        SceneState.DONE,
    )
    if state in (SceneState.FAILED, SceneState.BLOCKED) and len(set(states)) > 1:
        state = SceneState.PARTIAL
    whys = dict.fromkeys(draft.why for draft in drafts if draft.why)
    notes = [note for draft in drafts for note in draft.notes]
    notes += [f"{each.wanted.id}: {note}" for draft in drafts for each in draft.elements for note in each.notes]
    description = "\n".join(draft.description for draft in drafts if draft.description)
    return SceneDraft(scene.scene.id, state, lines, "; ".join(whys), description, tuple(notes))


def _lines(scene: _Scene, drafts: Sequence[PartDraft]) -> Iterator[Eventuality]:
    number = 0
    for part, draft in zip(scene.parts, drafts, strict=True):
        if draft.state not in (SceneState.DONE, SceneState.PARTIAL):
            continue
        source = _source(draft.jobs)
        for checked in draft.elements:
            number += 1
            yield _line(f"{scene.scene.id}-e{number:02d}", scene.scene, part, checked, source)


def _line(identity: str, scene: Scene, part: PartOfScene, checked: Checked, source: str) -> Eventuality:
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
        source=source,
    )


def _source(jobs: Sequence[Job]) -> str:
    """What made a part's lines, for a person: the model, the prompts with their versions, and when."""
    if not jobs:
        return ""
    stages = list(dict.fromkeys(job.stage for job in jobs))
    at = dt.datetime.fromtimestamp(max(job.at for job in jobs), dt.UTC)
    return f"{jobs[0].model}, {', '.join(stages)}, {at:%Y-%m-%d %H:%M} UTC"
