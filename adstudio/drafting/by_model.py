"""A draft gone over by a model: its scenes and their texts, and the model's lines put in; human work stays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from adstudio.candidates.model_draft.asks import FilmSeen, Way
from adstudio.candidates.model_draft.division import scenes_by_cuts
from adstudio.candidates.model_draft.events import Event, SceneDraft
from adstudio.candidates.model_draft.jobs import JobStore
from adstudio.candidates.model_draft.run import Outcome, draft_film
from adstudio.candidates.provider.model import Provider
from adstudio.candidates.stages import Segmenter
from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import Eventuality, People, Person, Script
from adstudio.drafting.draft import Draft, Sources, draft
from adstudio.drafting.texts import Told
from adstudio.editing.ids import Ids
from adstudio.editing.redraft import redraft_scene
from adstudio.gaps.gaps import gaps_of
from adstudio.media.once import Tell
from adstudio.planning.film import plan_film


def _unheard(_what: str, _share: float) -> None:
    pass


def draft_by_model(
    sources: Sources,
    project: Path,
    opened: Callable[[], Provider],
    store: Path,
    way: Way,
    told: Told = _unheard,
    *,
    people: People = (),
    segmenter: Segmenter | None = None,
) -> tuple[Draft, Outcome]:
    """A film drafted by a model and planned; where a scene brought nothing it stays as it is drafted without one.

    A screenplay's scenes are told by the screenplay, a description's by the description, the others by the model.
    The model is told of `people`, who are kept in the project. `opened` makes the provider, in the loop that it is used
    in. `told` may raise KeyboardInterrupt to stop the work; what had come by then is kept in `store`.

    Raises:
        BadInputError: as `draft` does, and without a video, or with candidates, which leave a model nothing to do.
        OutsideFailureError: as `draft` does, and where the store cannot be used.
    """
    if sources.video is None:
        raise BadInputError("a model needs the film’s pictures: give the video")
    if sources.candidates is not None:
        raise BadInputError("candidates are lines already: give them without a model, or the model without them")
    # Rules are suggested by lines; those of the draft without a model would hold on to its lines.
    made = draft(replace(sources, suggested_rules=False), project, told)
    script = made.script.changed(people=people)
    film = film_seen(script, lambda share: told("looking for cuts", share))
    script = script if sources.text is not None else cut_into_scenes(script, film.cuts)
    told_by = texts_of(script) if sources.text is not None else {}
    ended = 0

    def hear(event: Event) -> None:
        nonlocal ended
        ended += isinstance(event, SceneDraft)
        told("drafting by the model", ended / max(len(script.scenes), 1))

    async def run() -> Outcome:
        provider = opened()
        try:
            with JobStore(store) as jobs:
                return await draft_film(
                    film,
                    script.scenes,
                    provider,
                    jobs,
                    way,
                    texts=told_by if sources.screenplay is not None else None,
                    descriptions=told_by if sources.screenplay is None else None,
                    segmenter=segmenter,
                    hear=hear,
                )
        finally:
            await provider.aclose()

    outcome = asyncio.run(run())
    script = with_drafts(script, outcome.scenes)
    told("finding the gaps", -1.0)
    gaps = gaps_of(script)
    told("planning", -1.0)
    plan = plan_film(script, gaps.gaps)
    odd = tuple((str(sources.video), each) for each in oddities_of(outcome.scenes))
    return replace(made, script=script, gaps=gaps, plan=plan, oddities=(*made.oddities, *odd), suggested=()), outcome


def film_seen(script: Script, tell: Tell | None = None) -> FilmSeen:
    """What a model is told of a script's film; its cuts are looked for where they are not kept, and `tell` hears of it.

    Its people are shown as small pictures of their faces, whatever the project keeps.

    Raises:
        BadInputError: where the project has no video, or it cannot be read, or a face is no picture.
        OutsideFailureError: where it may not be read.
    """
    from adstudio.media.faces import face_of
    from adstudio.media.shots import film_shots

    film = script.film
    if film.media is None:
        raise BadInputError("a model needs the film’s pictures, and this project has no video: give it one")
    people = tuple(Person(each.name, face_of(each.face, each.name) if each.face else b"") for each in script.people)
    video = Path(film.media.path)
    cuts = film_shots(video, fingerprint=film.media.fingerprint, tell=tell).cuts
    return FilmSeen(video, film.end, film.media.fingerprint, script.cues, cuts, people, film.language)


def cut_into_scenes(script: Script, cuts: Iterable[int]) -> Script:
    """The script with scenes by its cuts, where the film is all one scene or has none; its lines go along."""
    if len(script.scenes) > 1:
        return script
    scenes = scenes_by_cuts(script.film.end, sorted(cuts), script.cues)

    def within(line: Eventuality) -> str:
        at = line.occurrence.start if line.occurrence is not None else 0
        return next((scene.id for scene in reversed(scenes) if scene.span.start <= at), scenes[0].id)

    lines = tuple(replace(line, scene=within(line)) for line in script.eventualities)
    return script.changed(scenes=scenes, eventualities=lines) if scenes else script


def texts_of(script: Script) -> dict[str, str]:
    """What a screenplay or a description tells of each scene, from the lines that were drafted of it."""
    texts: dict[str, list[str]] = {}
    for line in script.eventualities:
        if line.scene is not None and line.extract:
            texts.setdefault(line.scene, []).append(line.extract)
    return {scene: " ".join(pieces) for scene, pieces in texts.items()}


def with_drafts(script: Script, drafts: Iterable[SceneDraft]) -> Script:
    """The script with a model's lines in place of the machine's; a scene of which nothing came keeps what it had."""
    ids = Ids(script)
    for each in drafts:
        step = redraft_scene(script, ids, each.scene, each.lines) if each.lines else None
        if step is not None:
            script = step.apply(script)
    return script


def oddities_of(drafts: Iterable[SceneDraft]) -> tuple[Oddity, ...]:
    """Why scenes are not whole, for a person."""
    return tuple(Oddity(f"scene {each.scene}: {each.why}") for each in drafts if each.why)
