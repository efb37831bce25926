"""A draft gone over by a model: its scenes and their texts, and the model's lines put in; human work stays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import People, Person, Script
from adstudio.core.timebase import clock
from adstudio.drafting.draft import Draft, Sources, draft, rules_of
from adstudio.drafting.model.direct import write_part
from adstudio.drafting.model.events import Event, Hear, SceneDraft
from adstudio.drafting.model.given_texts import GivenTexts, given_texts
from adstudio.drafting.model.request_store import JobStore
from adstudio.drafting.model.requests import FilmSeen, Way
from adstudio.drafting.model.run import Outcome, draft_film
from adstudio.drafting.model.scenes import draft_part
from adstudio.drafting.model.timed_lines import as_written
from adstudio.drafting.text.film_drafting import Told, suggestions
from adstudio.drafting.text.line_pipeline import PlacingOddity
from adstudio.drafting.text.people import names_of
from adstudio.drafting.text.stages import Clauses, Segmenter
from adstudio.editing.ids import Ids
from adstudio.editing.redraft import redraft_scene
from adstudio.gaps.gaps import gaps_of
from adstudio.llm.provider import Provider
from adstudio.media.cached_data import Tell
from adstudio.planning.film.film_problem import plan_film

if TYPE_CHECKING:
    from adstudio.drafting.text.score.rules import Suggested


def _unheard(_what: str, _share: float) -> None:
    pass


@dataclass(frozen=True)
class Prepared:
    """A film drafted without a model, and what a model will be told of it: `given` texts, the stretches to speak in.

    `direct`: the model writes the lines itself, with their times.
    """

    sources: Sources
    made: Draft
    script: Script
    film: FilmSeen
    given: GivenTexts
    direct: bool = False

    @property
    def texts(self) -> Mapping[str, str]:
        """The given texts by scene (id), a screenplay's or a description's."""
        return self.given.by_scene


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
        BadInputError: as `prepare` does.
        OutsideFailureError: as `draft` does, and where the store cannot be used.
    """
    prepared = prepare(sources, project, told, people=people)
    ended = 0

    def hear(event: Event) -> None:
        nonlocal ended
        ended += isinstance(event, SceneDraft)
        told("drafting by the model", ended / max(len(prepared.script.scenes), 1))

    outcome = asked(prepared, opened, store, way, hear, segmenter=segmenter)
    return put_together(prepared, outcome, told), outcome


def prepare(
    sources: Sources, project: Path, told: Told = _unheard, *, people: People = (), direct: bool = False
) -> Prepared:
    """All that is done before a model is asked; nothing is sent.

    Raises:
        BadInputError: as `draft` does, and without a video, or with candidates, which leave a model nothing to do, or
            for `direct` with any text, of which a model that writes the lines itself is not told.
        OutsideFailureError: as `draft` does.
    """
    require_shown(sources, direct=direct)
    # Rules are suggested by lines; those of the draft without a model would hold on to its lines.
    made = draft(replace(sources, suggested_rules=False, in_scenes=True), project, told)
    script = made.script.with_changes(people=people)
    film = film_seen(script, lambda share: told("looking for cuts", share))
    return Prepared(sources, made, script, replace(film, gaps=made.gaps.gaps), given_texts(script), direct)


def require_shown(sources: Sources, *, direct: bool = False) -> None:
    """Check that there is something for a model to see and to do.

    Raises:
        BadInputError: as `prepare`.
    """
    if sources.video is None:
        raise BadInputError("a model needs the film’s pictures: give the video")
    if sources.candidates is not None:
        raise BadInputError("candidates are lines already: give them without a model, or the model without them")
    if direct and sources.text is not None:
        raise BadInputError(
            f"a model that writes the script itself is not told of {sources.text}: leave out one of them"
        )
    if direct and sources.settings.min_pause:
        raise BadInputError("a model that writes the script itself sets its own pauses: leave out the least pause")


def asked(
    prepared: Prepared,
    opened: Callable[[], Provider],
    store: Path,
    way: Way,
    hear: Hear,
    *,
    segmenter: Segmenter | None = None,
    stopping: Callable[[Callable[[], None]], None] = lambda _stop: None,
) -> Outcome:
    """Ask the model about all scenes; what comes is kept in `store` and not asked again.

    `opened` makes the provider, in the loop that it is used in; `stopping` is given what stops the work, from a signal
    too: then the scenes in hand are given up and what had come of them is kept.

    Raises:
        OutsideFailureError: where the store cannot be used, or the provider cannot be made.
    """

    async def run() -> Outcome:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        # The loop may be asleep, and a signal alone does not wake it.
        stopping(lambda: None if loop.is_closed() else _set(loop, stop))
        provider = opened()
        try:
            with JobStore(store) as jobs:
                return await draft_film(
                    prepared.film,
                    prepared.script.scenes,
                    provider,
                    jobs,
                    way,
                    texts=prepared.given.screenplay,
                    descriptions=prepared.given.description,
                    segmenter=segmenter,
                    hear=hear,
                    stop=stop,
                    drafting=write_part if prepared.direct else draft_part,
                )
        finally:
            await provider.aclose()

    return asyncio.run(run())


def ready_segmenter(prepared: Prepared) -> Segmenter:
    """Who cuts descriptions, ready to do it: what it needs takes seconds to load, in which no answer would be heard.

    Raises:
        OutsideFailureError: where a part that it needs is not installed.
    """
    segmenter = Clauses()
    segmenter.elements(["Somebody waits."], prepared.film.language, ())
    return segmenter


def _set(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    loop.call_soon_threadsafe(stop.set)


def put_together(
    prepared: Prepared, outcome: Outcome, told: Told = _unheard, *, weigh: Callable[[Script], Script] | None = None
) -> Draft:
    """The draft with the model's lines in it, planned; the reasons of scenes that are not whole are among its oddities.

    `weigh` weighs all lines anew.

    Raises:
        OutsideFailureError: where rules are to be suggested, and a part that is needed is not installed.
    """
    sources, made = prepared.sources, prepared.made
    script = with_drafts(prepared.script, outcome.scenes)
    script = script if weigh is None else weigh(script)
    suggested: tuple[Suggested, ...] = ()
    if prepared.direct:
        script = as_written(script, made.gaps.gaps)
    elif script.eventualities:
        speakers = [cue.speaker for cue in script.cues if cue.speaker]
        texts = [line.extract for line in script.eventualities]
        names = names_of([*speakers, *(person.name for person in prepared.film.people)], texts)
        suggested = suggestions(script, names, told) if sources.suggested_rules else ()
        script = replace(script, rules=rules_of(suggested)) if sources.suggested_rules else script
    told("finding the gaps", -1.0)
    gaps = gaps_of(script)
    told("planning", -1.0)
    plan = plan_film(script, gaps.gaps)
    odd = [(str(sources.video), each) for each in (*oddities_of(script, outcome.scenes), *_unseen(script, outcome))]
    before = made.oddities
    if all(each.lines for each in outcome.scenes):
        # When the lines are seen was told by the model.
        before = tuple((name, each) for name, each in before if not isinstance(each, PlacingOddity))
    return replace(made, script=script, gaps=gaps, plan=plan, oddities=(*before, *odd), suggested=suggested)


def _unseen(script: Script, outcome: Outcome) -> Iterator[Oddity]:
    """How many lines a model worded and did not see."""
    drafted = {each.scene for each in outcome.scenes if each.lines}
    unseen = [line for line in script.eventualities if line.occurrence is None and line.scene in drafted]
    if unseen:
        lines = "1 line is" if len(unseen) == 1 else f"{len(unseen):,} lines are"
        yield Oddity(
            f"{lines} not seen in the film by the model, or given no time that can be used, and so without a place in"
            f" it, the first “"
            f"{unseen[0].variants[0].text}”"
        )


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


def with_drafts(script: Script, drafts: Iterable[SceneDraft]) -> Script:
    """The script with a model's lines in place of the machine's; a scene of which nothing came keeps what it had."""
    ids = Ids(script)
    for each in drafts:
        step = redraft_scene(script, ids, each.scene, each.lines) if each.lines else None
        if step is not None:
            script = step.apply(script)
    return script


def oddities_of(script: Script, drafts: Iterable[SceneDraft]) -> tuple[Oddity, ...]:
    """Why scenes are not whole, for a person; scenes that follow one another and have the same reason are told once."""
    order = {scene.id: number for number, scene in enumerate(script.scenes)}
    runs: list[tuple[list[str], str]] = []
    for each in drafts:
        if not each.why:
            continue
        if runs and runs[-1][1] == each.why and order[each.scene] == order[runs[-1][0][-1]] + 1:
            runs[-1][0].append(each.scene)
        else:
            runs.append(([each.scene], each.why))
    return tuple(Oddity(f"{called(script, *scenes)}: {why}") for scenes, why in runs)


def called(script: Script, first: str, *others: str) -> str:
    """What scenes in a row are called where only words tell of them: their numbers, a title, and when they begin."""
    found = script.scene_by_id[first]
    number = script.scenes.index(found) + 1
    if others:
        return f"scenes {number} to {number + len(others)}, from {clock(found.span.start)}"
    return f"scene {number}{f' ({found.title})' if found.title else ''}, from {clock(found.span.start)}"
