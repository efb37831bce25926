"""The only place where drafted lines enter a document: from the editor, from a command, and in a new project.

Each scene is one step. It only replaces the machine's lines of that scene; human work stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from adstudio.characters.cast_collecting import collected
from adstudio.core.cast import People, people_error
from adstudio.core.document import Document
from adstudio.core.film import SourceFile
from adstudio.core.progress import OnProgress
from adstudio.core.script import NO_PIN, Eventuality, Fusion, Rules, Scene, Script
from adstudio.core.steps import (
    ChangeKind,
    Replace,
    SetFilm,
    SetPeople,
    SetRules,
    Several,
    Step,
)
from adstudio.core.timebase import Span
from adstudio.drafting.model.events import SceneDraft
from adstudio.drafting.model.timed_lines import as_written
from adstudio.editing.change import one_step
from adstudio.editing.ids import Ids
from adstudio.editing.machine_steps import as_command
from adstudio.editing.names import scene_name
from adstudio.editing.redraft import insert_drafted_scene, is_human_work, redraft_scene
from adstudio.gaps.gaps import gaps_of

if TYPE_CHECKING:
    from adstudio.characters.cast_sources import FoundPerson
    from adstudio.drafting.text.score.rules import Suggested


def scene_step(
    script: Script, ids: Ids, scene: Scene, fresh: Sequence[Eventuality], by: str, *, timed: bool = False
) -> Several | None:
    """The step that replaces the machine's lines of a scene with those that a model of that name drafted.

    `timed` lines, which a model wrote with their times, are pinned there. None if nothing would change.

    Raises:
        EditRefused: for a scene that no longer exists.
    """
    if not timed:
        return insert_drafted_scene(script, ids, scene, fresh, by)
    gaps = gaps_of(script).gaps
    freed = [Replace(pinned, free) for pinned, free in pinned_by_model(script, gaps) if pinned.scene == scene.id]
    lines = as_written(script.with_changes(eventualities=tuple(fresh)), gaps).eventualities
    for each in freed:
        script = each.apply(script)
    step = insert_drafted_scene(script, ids, scene, lines, by)
    return step and replace(step, steps=(*freed, *step.steps))


def redraft_step(
    script: Script,
    ids: Ids,
    scene: Scene,
    fresh: Sequence[Eventuality],
    screenplay: SourceFile | None = None,
    description: SourceFile | None = None,
    fusions: Sequence[Fusion] = (),
    people: Sequence[FoundPerson] = (),
) -> Step | None:
    """As `scene_step`, for lines from the source of description, and what fuses them.

    A `screenplay` chosen for it becomes the film's: its scenes are drafted from that the next time, and the `people`
    whom it lets speak join the cast. The former one, or a `description`, is among the film's other sources.
    """
    step, film = redraft_scene(script, ids, scene.id, fresh, fusions), script.film
    new, old = screenplay or film.screenplay, film.screenplay
    former = old if old is not None and new is not None and new.path != old.path else None
    others = dict.fromkeys((*film.other_sources, *filter(None, (former, description))))
    changed = replace(film, screenplay=new, other_sources=tuple(others))
    if step is None or changed == film:
        return step
    # Whom a describer deleted does not come back with the screenplay that the film has already.
    is_new = new is not None and (old is None or new.fingerprint != old.fingerprint)
    cast = collected(script.people, people).people if is_new else script.people
    filled = [SetPeople(script.people, cast)] if cast != script.people and not people_error(cast) else []
    return one_step(f"Redraft scene {scene_name(script, scene)}", (step, SetFilm(film, changed), *filled))


def land_scenes(
    document: Document, drafts: Iterable[SceneDraft], by: str, *, asked: frozenset[str], timed: bool = False
) -> tuple[str, ...]:
    """Insert drafted scenes: those that were requested in this run (`asked`, ids), and those without a model's lines.

    Each is a step that a command made. Returns the scenes that have changed.
    """
    ids = Ids(document.script, document.past)
    there = {line.scene for line in document.script.eventualities if line.provenance.by_model}
    landed: list[str] = []
    for draft in drafts:
        scene = document.script.scene_by_id.get(draft.scene)
        if scene is None or not draft.lines or (draft.scene in there and draft.scene not in asked):
            continue
        step = scene_step(document.script, ids, scene, draft.lines, by, timed=timed)
        if step is not None:
            document.apply(as_command(step))
            landed.append(scene.id)
    return tuple(landed)


def with_scenes(script: Script, drafts: Sequence[SceneDraft], by: str) -> Script:
    """The script with drafted scenes in it, for a new project."""
    document = Document(script)
    land_scenes(document, drafts, by, asked=frozenset(each.scene for each in drafts))
    return document.script


def land_people(document: Document, people: People) -> None:
    """Take over the people named with a command."""
    if people != document.script.people:
        document.apply(as_command(SetPeople(document.script.people, people), ChangeKind.PEOPLE))


def land_weights(document: Document, weighed: Script, by: str) -> int:
    """Take over the saliences that a server scored, as one step; returns how many lines changed."""
    new = {line.id: line.salience for line in weighed.eventualities}
    steps: list[Step] = [
        Replace(line, replace(line, salience=new[line.id]))
        for line in document.script.eventualities
        if line.id in new and new[line.id] != line.salience
    ]
    if steps:
        document.apply(as_command(Several("", tuple(steps)), ChangeKind.WEIGHTS, by=by, count=len(steps)))
    return len(steps)


def land_rules(document: Document, scenes: Sequence[str], progress: OnProgress) -> None:
    """Add the rules that the lines of these scenes (ids) suggest.

    Raises:
        OutsideFailureError: if a required component is not installed.
    """
    from adstudio.drafting.text.film_drafting import suggestions
    from adstudio.drafting.text.language.names import names_of

    if not scenes:
        return
    script, old = document.script, document.script.rules
    speakers = [cue.speaker for cue in script.cues if cue.speaker]
    names = names_of(
        [*speakers, *(person.name for person in script.people)], [line.extract for line in script.eventualities]
    )
    found = suggestions(script, names, progress)
    new = rules_of([each for scene, each in zip(script.scenes, found, strict=False) if scene.id in scenes])
    pairs = {frozenset((each.first, each.second)) for each in old.penalties}
    rules = replace(
        old,
        requires=(*old.requires, *(pair for pair in new.requires if pair not in old.requires)),
        penalties=(*old.penalties, *(p for p in new.penalties if frozenset((p.first, p.second)) not in pairs)),
    )
    if rules != old:
        document.apply(as_command(SetRules(old, rules), ChangeKind.RULES))


def rules_of(suggested: Sequence[Suggested]) -> Rules:
    """The suggestions of all scenes as rules of a script."""
    return Rules(
        requires=tuple(pair for each in suggested for pair in each.rules.requires),
        penalties=tuple(penalty for each in suggested for penalty in each.rules.penalties),
    )


def pinned_by_model(script: Script, gaps: Sequence[Span]) -> Iterator[tuple[Eventuality, Eventuality]]:
    """Lines pinned and annotated exactly as `as_written` leaves a model's timed lines; each with its unpinned form."""
    written = [line for line in script.eventualities if line.provenance.by_model and _is_timed(line)]
    plain = [replace(line, pin=NO_PIN, note="") for line in written]
    pinned = {line.id: line for line in as_written(script.with_changes(eventualities=tuple(plain)), gaps).eventualities}
    for line, free in zip(written, plain, strict=True):
        if line == pinned[line.id] and not is_human_work(script, free):
            yield line, free


def _is_timed(line: Eventuality) -> bool:
    """Whether it has the one wording of a line that a model wrote with its times, and the duration they give."""
    length = 0 if line.occurrence is None else line.occurrence.length
    return length > 0 and [variant.duration for variant in line.variants] == [length]
