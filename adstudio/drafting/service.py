"""Drafting: one request, one stream of events. The command line runs it in-process, the editor in a worker process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from adstudio.connections import provisional_ids
from adstudio.core.cast import People
from adstudio.core.document import Document
from adstudio.core.errors import AdstudioError, BadInputError, Oddity, OutsideFailureError
from adstudio.core.plan import Plan
from adstudio.core.policy import OFFLINE
from adstudio.core.progress import Progress, Stage
from adstudio.core.script import Scene, Script
from adstudio.core.settings import Scope
from adstudio.drafting import events, landing
from adstudio.drafting import existing_project as existing
from adstudio.drafting.ablating import ablated_script
from adstudio.drafting.draft import Draft, draft_film, planned
from adstudio.drafting.draft_cast import cast_of_project, with_cast
from adstudio.drafting.events import Emit, Finished, ModelFinished, Noted
from adstudio.drafting.existing_project import require_drafted_from, work_in
from adstudio.drafting.landing import with_scenes
from adstudio.drafting.model.context import given_texts
from adstudio.drafting.model.events import SceneDraft, SceneState
from adstudio.drafting.model.film_context import called, film_seen, oddities_of, unseen
from adstudio.drafting.model.request_store import JobStore, default_place
from adstudio.drafting.model.run import Outcome, film_name
from adstudio.drafting.model.timed_lines import as_written, realistic
from adstudio.drafting.naming import scene_naming
from adstudio.drafting.report import plan_summary, report_of, stored_report
from adstudio.drafting.request import DraftRequest, Existing, ModelDraft, Sources, require_shown
from adstudio.drafting.run_state import scenes_to_draft
from adstudio.drafting.scene_again import drafted_again
from adstudio.drafting.servers import OpenProvider, Permit, Servers, StoppedDraftError, open_provider
from adstudio.drafting.text.film_drafting import stage_progress
from adstudio.drafting.text.language.names import names_of
from adstudio.drafting.text.line_pipeline import PlacingOddity
from adstudio.drafting.text.stages import Segmenter
from adstudio.editing.approval import approved_changes_text, compare_approved, has_approved
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.ablations import require_valid
from adstudio.planning.film.film_plan import plan_film
from adstudio.planning.film.film_problem import film_problem
from adstudio.store.film_contents import known_content
from adstudio.store.media import fingerprint
from adstudio.store.project import ProjectFile
from adstudio.system.stop_request import StopRequest

FILM_GONE = "the film has moved from {}: use File → Relink video… to locate it"
FILM_CHANGED = (
    "{} is not the project’s film, and nothing of it was sent: use File → Relink video… to accept it, or to locate the"
    " right one"
)


@dataclass
class DraftRun:
    """One run of a request; tests substitute providers and segmenters."""

    request: DraftRequest
    emit: Emit
    permit: Permit | None = None
    stop: StopRequest = field(default_factory=StopRequest)
    opened: OpenProvider = open_provider
    segmenter: Segmenter | None = None

    def __post_init__(self) -> None:
        self.servers = Servers(self.request, self.emit, self.permit, self.stop, self.opened, self.segmenter)

    def run(self) -> None:
        """Do what is requested, and emit what happens.

        Raises:
            BadInputError, OutsideFailureError: if it cannot be done completely.
            StoppedDraftError, KeyboardInterrupt: if it was stopped.
        """
        request = self.request
        if request.script is not None and request.model is not None:
            self._draft_scenes(request.script, request.model)
        elif request.script is not None:
            self._redraft_scene(request.script)
        elif request.existing is Existing.RESUME:
            self._resume()
        else:
            self._new_project()

    # Scenes of a film that is open elsewhere.

    def _redraft_scene(self, script: Script) -> None:
        (scene,) = self.request.scenes
        given = self.request.sources
        again = drafted_again(script, scene, self.emit, screenplay=given.screenplay, description=given.description)
        self.emit(SceneDraft(scene, SceneState.DONE, again.lines, fusions=again.fusions, people=again.people))
        self.emit(ModelFinished({SceneState.DONE: 1}))

    def _draft_scenes(self, script: Script, model: ModelDraft) -> None:
        scenes = wanted_scenes(script, self.request.scenes)
        media = script.film.media
        if media is not None and not Path(media.path).exists():
            raise BadInputError(FILM_GONE.format(media.path))
        if media is not None and fingerprint(Path(media.path)) != media.fingerprint:
            raise BadInputError(FILM_CHANGED.format(media.path))
        film = film_seen(script, self._detecting_cuts)
        named = None if model.direct else scene_naming(script)
        outcome = self.servers.draft(model, script, scenes, film, self.request.given or given_texts(script), named)
        if any(each.state is SceneState.STOPPED for each in outcome.scenes):
            raise StoppedDraftError

    # A film of its own.

    def _new_project(self) -> None:
        request, model, project = self.request, self.request.model, self.request.project
        if request.existing is Existing.REFUSE and project.exists():
            raise BadInputError(f"{project} already exists: choose another name")
        if model is not None:
            require_shown(request.sources, direct=model.direct)
        sources = replace(request.sources, in_scenes=request.sources.in_scenes or model is not None)
        film = draft_film(sources, project, self.emit, note=lambda sentence: self.emit(Noted(sentence)))
        suggests = sources.text is not None and sources.text != sources.candidates
        outcome: Outcome | None = None
        film = with_cast(sources, film, self._known_people())
        film = replace(film, script=film.script.with_changes(prompts=request.prompts))
        if model is not None:
            seen = replace(film_seen(film.script, self._detecting_cuts), gaps=gaps_of(film.script).gaps)
            outcome = self.servers.draft(model, film.script, film.script.scenes, seen, given_texts(film.script))
            self._require_some(film.script, outcome)
            script = with_scenes(film.script, outcome.scenes, model.name)
            if model.direct:
                script = as_written(script, gaps_of(script).gaps)
            speakers = [cue.speaker for cue in script.cues if cue.speaker]
            people = [*speakers, *(person.name for person in script.people)]
            names = names_of(people, [line.extract for line in script.eventualities])
            film = replace(film, script=script, names=names)
            suggests = sources.suggested_rules and not model.direct and bool(script.eventualities)
        draft = planned(sources, project, film, self.emit, suggests=suggests, change=self._weighed_and_ablated)
        if request.ablation:
            require_valid(film_problem(draft.script, draft.gaps.gaps), draft.plan)
        draft = draft if outcome is None else _with_outcome(draft, sources, outcome)
        self._write(draft)
        self._finish(draft, outcome)

    def _known_people(self) -> People:
        """The characters that are given, and those of a project of the same film that is replaced."""
        request = self.request
        if request.existing is not Existing.REPLACE:
            return request.people
        found = existing.existing_at(request.project)
        previous = () if found is None else found.passed_on(existing.content_of(request.sources.video)).people
        return existing.with_given(previous, request.people)

    def _weighed_and_ablated(self, script: Script) -> Script:
        script = script if self.request.weighing is None else self.servers.weigh(script)
        ablation = self.request.ablation
        if not ablation.grounding:
            # Bounds of single lines are a person's: a project says by its scope that lines stay in their scenes.
            script = script.with_changes(settings=replace(script.settings, scope=Scope.SCENE))
        return ablated_script(script, ablation, self.emit)

    def _write(self, draft: Draft) -> None:
        """Write the project. While the draft ran, others may have written one, or worked on it."""
        request, path = self.request, self.request.project
        self.emit(Progress(Stage.WRITING_PROJECT))
        replacing = request.existing is Existing.REPLACE
        film = existing.content_of(request.sources.video)
        asked = request.model is not None or request.weighing is not None
        found = existing.existing_at(path, suggested_rules=request.sources.suggested_rules)
        content = "" if request.sources.video is None else known_content(request.sources.video)
        previous = existing.Handover() if found is None else found.passed_on(film, content)
        script, said = draft.script, ("", "")
        if replacing:
            said = existing.choose(found, film, force=True, resumable=False)[1], existing.back_up(found, script)
            script = script.with_changes(
                people=existing.with_given(previous.people, script.people), prompts=previous.prompts
            )
        else:
            existing.require_unwritten(found, film, resumable=asked)
        policy = self.servers.policy(previous.policy)
        identity = existing.identity_for(found, path, film) if asked else previous.identity
        ProjectFile.create(
            path,
            script,
            plan=draft.plan,
            replacing=replacing,
            policy=policy,
            identity=identity,
            report=stored_report(report_of(request.sources, draft)),
            lengths=draft.lengths,
        ).close()
        if asked:
            provisional_ids.forget_identity(path, film)
        for sentence in filter(None, said):
            self.emit(Noted(sentence))
        if policy not in (previous.policy, OFFLINE):
            self.emit(events.PolicyChanged(previous.policy, policy))

    # A project that exists.

    def _resume(self) -> None:
        request, path = self.request, self.request.project
        with ProjectFile.open(path) as project:
            failures: list[AdstudioError] = []
            document = project.document(on_failure=failures.append)
            if document.can_redo:
                raise BadInputError(
                    f"{path} was left with something undone that can still be redone, and new scenes would put an end"
                    " to that: open it in the editor, and save it as you want it"
                )
            if request.model is not None:
                require_drafted_from(document.script, request.sources)
            gaps = gaps_of(document.script).gaps
            work = work_in(document.script, gaps, suggested_rules=request.sources.suggested_rules)
            saves, steps = not project.recoverable and not work, len(document.past)
            before, plan_before = document.script, document.plan
            self.emit(events.Resumed())
            outcome, landed, odd = None, (), ()
            media, video = document.script.film.media, request.sources.video
            if self.servers.shows_film and media is not None:
                self.servers.require_film(video or Path(media.path))
                project.bind_policy()
            if request.model is not None:
                outcome = self._ask_about_rest(request.model, document)
            if request.model is not None and outcome is not None:
                landing.land_people(document, request.people)
                landed = landing.land_scenes(
                    document, outcome.scenes, request.model.name, asked=outcome.asked, timed=request.model.direct
                )
                if request.sources.suggested_rules and not request.model.direct:
                    landing.land_rules(document, landed, self.emit)
                self._keep(project, document, saves=saves)
            if outcome is not None or request.sources.cast_list is not None:
                people, odd = cast_of_project(request.sources, document.script, path)
                landing.land_people(document, people)
            if request.weighing is not None:
                landing.land_weights(document, self.servers.weigh(document.script), request.weighing.name)
            draft = self._keep(project, document, saves=saves)
            draft = replace(draft, oddities=tuple((str(request.sources.cast_list), each) for each in odd))
            project.set_report(stored_report(report_of(request.sources, draft)))
            previous = project.policy
            policy = self.servers.policy(previous)
            if policy not in (previous, OFFLINE):
                project.set_policy(policy)
                self.emit(events.PolicyChanged(previous, policy))
            if failures:
                raise failures[0]
            if landed or len(document.past) > steps:
                self.emit(events.Landed(len(landed), len(document.past) - steps, saves))
            self._note_approved(before, plan_before, draft)
        self._finish(draft if outcome is None else _with_outcome(draft, request.sources, outcome), outcome)

    def _ask_about_rest(self, model: ModelDraft, document: Document) -> Outcome | None:
        """Have the scenes drafted that a model has not completed and no person has reviewed."""
        request, store = self.request, model.store or default_place()
        script = document.script.with_changes(people=request.people)
        media, video = script.film.media, request.sources.video
        if media is not None and video is not None:
            script = script.with_changes(film=replace(script.film, media=replace(media, path=str(video.absolute()))))
        film = replace(film_seen(script, self._detecting_cuts), gaps=gaps_of(script).gaps)
        left = frozenset[str]()
        if store.exists():
            with JobStore(store) as jobs:
                left = jobs.scenes_left(film_name(film))
        wanted = {scene.id for scene in scenes_to_draft(script, anew=model.options.anew)} | left
        scenes = tuple(scene for scene in script.scenes if scene.id in wanted and not scene.reviewed)
        if not scenes:
            self.emit(events.NothingToDraft(people=document.script.people != request.people))
            return None
        named = None if model.direct else scene_naming(script)
        return self.servers.draft(model, script, scenes, film, given_texts(script), named)

    def _keep(self, project: ProjectFile, document: Document, *, saves: bool) -> Draft:
        gaps = gaps_of(document.script)
        plan = plan_film(document.script, gaps.gaps)
        document.keep_plan(document.revision, plan)
        if saves and document.changed:
            project.save()
        return Draft(document.script, gaps, plan, ())

    def _note_approved(self, before: Script, plan_before: Plan | None, draft: Draft) -> None:
        """Report approved lines that are no longer spoken as they were; the editor offers to keep them so."""
        if draft.script is before or not has_approved(draft.script):
            return
        plan_before = plan_before or plan_film(before, gaps_of(before).gaps)
        approved = compare_approved(plan_before, draft.plan, draft.script)
        if approved.lines:
            self.emit(
                Noted(
                    f"{approved_changes_text(approved, draft.script)}; the editor shows this too (Plan changes)"
                    " and can lock those lines as they were"
                )
            )

    def _detecting_cuts(self, share: float) -> None:
        self.emit(stage_progress(Stage.DETECTING_CUTS, share))

    # The outcome.

    def _require_some(self, script: Script, outcome: Outcome) -> None:
        """Check that the model drafted something: lines that it did not see are no reason to replace a project."""
        path = self.request.project
        seen = any(line.occurrence is not None for draft in outcome.scenes for line in draft.lines)
        if seen or (any(draft.lines for draft in outcome.scenes) and not path.exists()):
            return
        untouched = f" ({path} is as it was)" if path.exists() else ""
        found = oddities_of(script, outcome.scenes)
        if not found:
            raise OutsideFailureError(
                f"the model had nothing to say in any scene, so no project was written{untouched}"
            )
        for oddity in found if not outcome.halted else ():
            self.emit(Noted(oddity.what))
        why = outcome.halted or "the reasons are above"
        raise OutsideFailureError(
            f"no scene was drafted, and no project was written{untouched}: {why}; once that is fixed, the same"
            " command goes on"
        )

    def _finish(self, draft: Draft, outcome: Outcome | None) -> None:
        request, script = self.request, draft.script
        source = script.film.title if script.film.media is None else script.film.media.path
        notes = () if outcome is None else outcome.scenes
        is_new = request.existing is not Existing.RESUME and request.model is not None and request.model.direct
        self.emit(
            Finished(
                request.project,
                # Of whatever sort they are: events may be sent to another process.
                tuple((name, Oddity(odd.what, odd.line)) for name, odd in draft.oddities),
                report_of(request.sources, draft),
                tuple(
                    (source, Oddity(f"{called(script, each.scene)}: {note}")) for each in notes for note in each.notes
                ),
                realistic(script.eventualities, draft.gaps.gaps) if is_new else None,
                plan_summary(draft),
                len(script.scenes),
            )
        )


def _with_outcome(draft: Draft, sources: Sources, outcome: Outcome) -> Draft:
    """The draft with incomplete scenes and unseen lines among its oddities."""
    before, script = draft.oddities, draft.script
    if all(each.lines for each in outcome.scenes):
        # The model gave the times of all lines.
        before = tuple((name, each) for name, each in before if not isinstance(each, PlacingOddity))
    more = (*oddities_of(script, outcome.scenes), *unseen(script, outcome.scenes))
    return replace(draft, oddities=(*before, *((str(sources.video), each) for each in more)))


def wanted_scenes(script: Script, ids: Sequence[str]) -> tuple[Scene, ...]:
    """The scenes with these ids, or all if there are none, in the order of the film.

    Raises:
        BadInputError: for an unknown scene, or a film without scenes.
    """
    for identity in ids:
        if identity not in script.scene_by_id:
            raise BadInputError(f"the scene “{identity}” is not in the film any more")
    found = tuple(scene for scene in script.scenes if not ids or scene.id in ids)
    if not found:
        raise BadInputError("the film has no scenes: cut it into scenes first")
    return found
