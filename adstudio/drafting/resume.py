"""A draft by a command that goes on in its project: what is missing is asked for and comes in, and what is there stays.

Each scene that comes is one step, as in the editor, and takes the machine's lines of that scene alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from adstudio.core.document import Document
from adstudio.core.errors import BadInputError
from adstudio.core.script import NO_PIN, Eventuality, People, Rules, Scene, Script
from adstudio.core.steps import ChangeKind, Replace, SetPeople, SetRules, Several, Step
from adstudio.core.timebase import Span
from adstudio.drafting.draft import Draft, Sources, rules_of
from adstudio.drafting.model.given_texts import given_texts
from adstudio.drafting.model.request_store import JobStore
from adstudio.drafting.model.run import Outcome, film_name
from adstudio.drafting.model.run_state import drafted_scenes, scenes_to_draft
from adstudio.drafting.model.script_drafting import Prepared, film_seen, oddities_of
from adstudio.drafting.model.timed_lines import as_written
from adstudio.drafting.text.film_drafting import Told, suggestions
from adstudio.drafting.text.people import names_of
from adstudio.editing.ids import Ids
from adstudio.editing.machine_steps import as_command
from adstudio.editing.redraft import insert_drafted_scene, is_human_work
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_problem import plan_film


def work_in(script: Script, gaps: Sequence[Span], *, suggested_rules: bool = False) -> tuple[str, ...]:
    """What people have done in a script, for a person to read: nothing of it may be thrown away unasked.

    With `suggested_rules` those of the kinds that the program suggests itself are its own.
    """
    rules = script.rules
    ties = Rules(alternatives=rules.alternatives, together=rules.together)
    plain = script.with_changes(rules=ties)
    let_go = {held.id for held, _ in _let_go(plain, gaps)}
    lines = sum(is_human_work(plain, line) and line.id not in let_go for line in script.eventualities)
    own = len(ties.alternatives) + len(ties.together)
    own += 0 if suggested_rules else len(rules.requires) + len(rules.penalties)
    counts = (
        (lines, "line written or worked on"),
        (len(script.silences), "silence"),
        (len(script.openings), "opening"),
        (sum(scene.reviewed for scene in script.scenes), "reviewed scene"),
        (own, "rule"),
    )
    return tuple(f"{count:,} {_several(what, count)}" for count, what in counts if count)


def _several(what: str, count: int) -> str:
    first, _, rest = what.partition(" ")
    if count == 1:
        return what
    return f"{first}s {rest}" if first == "line" else f"{what}s"


def require_told_by(script: Script, sources: Sources) -> None:
    """Check that a project was drafted from the text that is given: only its own lines tell what that told.

    Raises:
        BadInputError: where it was not.
    """
    given = given_texts(script)
    text, told = (
        (sources.screenplay, bool(script.film.screenplay or given.screenplay))
        if sources.screenplay is not None
        else (sources.description, bool(given.description))
    )
    if text is not None and not told:
        raise BadInputError(
            f"the project was not drafted from {text}, so the draft cannot go on in it with that: leave {text.name}"
            " out, or choose another name for a project of its own"
        )


def prepared(
    sources: Sources,
    script: Script,
    store: Path,
    told: Told,
    *,
    people: People,
    direct: bool = False,
    anew: bool = False,
) -> Prepared:
    """What a model will be asked of a project's film: the scenes that it has not drafted whole, `anew` all of them.

    Those that a person has reviewed are left alone. What a text told of them is found in the project's own lines.

    Raises:
        BadInputError: where the video cannot be read, or a face is no picture.
        OutsideFailureError: where it may not be read, or the store cannot be used.
    """
    script = script.with_changes(people=people)
    media = script.film.media
    if media is not None and sources.video is not None:
        script = script.with_changes(
            film=replace(script.film, media=replace(media, path=str(sources.video.absolute())))
        )
    film = film_seen(script, lambda share: told("looking for cuts", share))
    gaps = gaps_of(script)
    left = frozenset[str]()
    if store.exists():
        with JobStore(store) as jobs:
            left = jobs.scenes_left(film_name(film))
    wanted = {scene.id for scene in scenes_to_draft(script, anew=anew)} | left
    scenes = tuple(scene for scene in script.scenes if scene.id in wanted and not scene.reviewed)
    made = Draft(script, gaps, plan_film(script, gaps.gaps), ())
    return Prepared(
        sources,
        made,
        script.with_changes(scenes=scenes),
        replace(film, gaps=gaps.gaps),
        given_texts(script),
        direct,
    )


def bring_in(document: Document, outcome: Outcome, by: str, *, direct: bool = False) -> tuple[str, ...]:
    """Put in the scenes that came: those asked for in this run, and those without a model's lines, a step for each.

    Gives the scenes (ids) that are not as they were.
    """
    ids = Ids(document.script, document.past)
    there = drafted_scenes(document.script)
    came: list[str] = []
    for draft in outcome.scenes:
        scene = document.script.scene_by_id.get(draft.scene)
        if scene is None or not draft.lines or (draft.scene in there and draft.scene not in outcome.asked):
            continue
        step = (_direct if direct else insert_drafted_scene)(document.script, ids, scene, draft.lines, by)
        if step is not None:
            document.apply(as_command(step))
            came.append(scene.id)
    return tuple(came)


def set_people(document: Document, people: People) -> None:
    """Take over who was named with the command."""
    if people != document.script.people:
        document.apply(as_command(SetPeople(document.script.people, people), ChangeKind.PEOPLE))


def suggest_rules(document: Document, came: Sequence[str], told: Told) -> None:
    """Set the rules that the lines suggest in the scenes that came, beside those that there are.

    Raises:
        OutsideFailureError: where a part that is needed is not installed.
    """
    script = document.script
    speakers = [cue.speaker for cue in script.cues if cue.speaker]
    names = names_of(
        [*speakers, *(person.name for person in script.people)], [line.extract for line in script.eventualities]
    )
    found = suggestions(script, names, told) if came else ()
    new = rules_of([each for scene, each in zip(script.scenes, found, strict=False) if scene.id in came])
    old = script.rules
    pairs = {frozenset((each.first, each.second)) for each in old.penalties}
    rules = replace(
        old,
        requires=(*old.requires, *(pair for pair in new.requires if pair not in old.requires)),
        penalties=(*old.penalties, *(p for p in new.penalties if frozenset((p.first, p.second)) not in pairs)),
    )
    if rules != old:
        document.apply(as_command(SetRules(old, rules), ChangeKind.RULES))


def weigh(document: Document, weighed: Script, by: str) -> int:
    """Take over what lines weigh in a script that was weighed, as one step; how many weigh otherwise now."""
    new = {line.id: line.salience for line in weighed.eventualities}
    steps: list[Step] = [
        Replace(line, replace(line, salience=new[line.id]))
        for line in document.script.eventualities
        if line.id in new and new[line.id] != line.salience
    ]
    if steps:
        document.apply(as_command(Several("", tuple(steps)), ChangeKind.WEIGHTS, by=by, count=len(steps)))
    return len(steps)


def gone_on(sources: Sources, script: Script, outcome: Outcome | None) -> Draft:
    """The draft as it stands after it, planned, with the reasons of scenes that are not whole."""
    gaps = gaps_of(script)
    plan = plan_film(script, gaps.gaps)
    odd = () if outcome is None else oddities_of(script, outcome.scenes)
    return Draft(script, gaps, plan, tuple((str(sources.video), each) for each in odd))


def _direct(script: Script, ids: Ids, scene: Scene, fresh: Sequence[Eventuality], by: str) -> Several | None:
    """As `insert_drafted_scene`, of lines that a model wrote with their times: they are held where it put them."""
    gaps = gaps_of(script).gaps
    freed = [Replace(held, free) for held, free in _let_go(script, gaps) if held.scene == scene.id]
    lines = as_written(script.with_changes(eventualities=tuple(fresh)), gaps).eventualities
    for each in freed:
        script = each.apply(script)
    step = insert_drafted_scene(script, ids, scene, lines, by)
    return step and replace(step, steps=(*freed, *step.steps))


def _let_go(script: Script, gaps: Sequence[Span]) -> Iterator[tuple[Eventuality, Eventuality]]:
    """The lines that are held, and noted on, just as a model that wrote them itself holds them; and without that."""
    written = [line for line in script.eventualities if line.provenance.by_model and _is_direct(line)]
    plain = [replace(line, pin=NO_PIN, note="") for line in written]
    held = {line.id: line for line in as_written(script.with_changes(eventualities=tuple(plain)), gaps).eventualities}
    for line, free in zip(written, plain, strict=True):
        if line == held[line.id] and not is_human_work(script, free):
            yield line, free


def _is_direct(line: Eventuality) -> bool:
    """Whether it has the one wording of a line that a model wrote with its times, and lasts as long as that says."""
    length = 0 if line.occurrence is None else line.occurrence.length
    return length > 0 and [variant.duration for variant in line.variants] == [length]
