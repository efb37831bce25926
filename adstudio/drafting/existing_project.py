"""A project that exists already where one is to be written: a draft resumes in it, replaces it, or leaves it alone.

What a person has done in a project of the film is never overwritten: `--force` discards what machines have made, and
another film's project. A project of the same film that is replaced passes on what people gave it beside its script.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path

from adstudio.connections import provisional_ids
from adstudio.core.cast import People, Prompts
from adstudio.core.errors import AdstudioError, BadInputError, OutsideFailureError
from adstudio.core.film import Film
from adstudio.core.policy import OFFLINE, Policy
from adstudio.core.script import Rules, Script
from adstudio.core.timebase import Span
from adstudio.core.words import folded
from adstudio.drafting.landing import pinned_by_model
from adstudio.drafting.model.context import given_texts
from adstudio.drafting.request import Existing, Sources
from adstudio.editing.redraft import is_human_work
from adstudio.gaps.gaps import gaps_of
from adstudio.store.backups import save_beside
from adstudio.store.media import fingerprint, locate_video
from adstudio.store.opening import is_project
from adstudio.store.project import ProjectFile
from adstudio.system.files import require_readable

_KEEPS_WORK = "draft its scenes again, or import a script into it, in the editor, which keeps that"
_SAVE_FIRST = "save or discard them first (adstudio save)"
_CHOOSE = "choose another name, or give --force to replace it"


@dataclass(frozen=True)
class Handover:
    """What people gave a project beside its script, which one of the same film that replaces it keeps."""

    policy: Policy = OFFLINE
    people: People = ()
    prompts: Prompts = ()
    identity: str = ""


@dataclass(frozen=True)
class ExistingProject:
    """What lies at a place: a file that is no project, a project that cannot be read (`fault`), or its content.

    `films` are the contents of its video, of the last save and of the last step, empty where it has none; `work` is
    what people have done in it, for a person to read.
    """

    path: Path
    is_project: bool = True
    fault: str = ""
    script: Script | None = None
    films: frozenset[str] = frozenset()
    work: tuple[str, ...] = ()
    handover: Handover = Handover()
    only_unsaved: bool = False
    """Whether that work is no more than that machines' steps have not been saved."""

    def is_of(self, film: str) -> bool:
        """Whether it is of the film with that content, and no other. Without a video nobody can tell."""
        return bool(film) and self.films == frozenset((film,))

    def passed_on(self, film: str, content: str = "") -> Handover:
        """What it passes on to a project of that film: nothing where it may be another one.

        No permission for other whole `content`, where that is known, either.
        """
        if not self.is_of(film):
            return Handover()
        return replace(self.handover, policy=self.handover.policy.valid_for_content(content))

    @property
    def video(self) -> Path | None:
        """Where its video lies; None where it has none, or it cannot be found."""
        media = None if self.script is None else self.script.film.media
        with contextlib.suppress(AdstudioError):
            return None if media is None else locate_video(media, self.path)
        return None


def existing_at(path: Path, *, suggested_rules: bool = False) -> ExistingProject | None:
    """What lies there, None for nothing. With `suggested_rules` rules that the program suggests are not people's work.

    Raises:
        OutsideFailureError: where it cannot be read, or is open in an editor.
    """
    if not path.exists():
        return None
    require_readable(path, "project")
    if not is_project(path):
        return ExistingProject(path, is_project=False)
    try:
        with ProjectFile.open(path, read_only=True) as project:
            script = project.last_script
            work = work_in(script, gaps_of(script).gaps, suggested_rules=suggested_rules)
            versions = len(project.versions.all)
            if versions:
                work = (*work, f"{versions:,} version{'s' * (versions > 1)} of its script")
            return ExistingProject(
                path,
                script=script,
                films=frozenset(_film(each) for each in (project.saved_script, script)),
                work=(*work, *(("unsaved steps",) if project.recoverable else ())),
                handover=Handover(project.policy, script.people, script.prompts, project.identity),
                only_unsaved=project.recoverable and not work,
            )
    except BadInputError as error:
        return ExistingProject(path, fault=str(error))


def choose(found: ExistingProject | None, film: str, *, force: bool, resumable: bool) -> tuple[Existing, str]:
    """What becomes of it, and what is said once it has been replaced; `resumable` drafts can resume in the same film.

    Raises:
        BadInputError: where there is a file that may not be overwritten.
    """
    if found is None:
        # Another draft may write there meanwhile.
        return Existing.REPLACE if force else Existing.REFUSE, ""
    path = found.path
    if not found.is_project:
        if not force:
            raise BadInputError(f"{path} already exists: {_CHOOSE}")
        raise BadInputError(f"{path} is not an adstudio project; --force only overwrites projects: choose another name")
    if found.fault:
        if not force:
            raise BadInputError(f"{path} already exists and cannot be continued ({found.fault}): {_CHOOSE}")
        return Existing.REPLACE, f"{path} could not be read and was replaced"
    resumes = resumable and found.is_of(film)
    is_other = bool(film) and "" not in found.films and film not in found.films
    if force:
        return Existing.REPLACE, _replaced(found, is_other=is_other, resumes=resumes)
    if is_other:
        raise BadInputError(f"{path} is a project of another film: {_CHOOSE}")
    if resumes:
        return Existing.RESUME, ""
    if found.work:
        instead = _SAVE_FIRST if found.only_unsaved else _KEEPS_WORK
        raise BadInputError(f"{path} already exists, with {listed(found.work)}: choose another name, or {instead}")
    raise BadInputError(f"{path} already exists: {_CHOOSE}")


def _replaced(found: ExistingProject, *, is_other: bool, resumes: bool) -> str:
    path, work = found.path, listed(found.work)
    if is_other:
        return f"{path} was a project of another film and was replaced{f', with {work}' if work else ''}"
    if work:
        instead = _SAVE_FIRST if found.only_unsaved else _KEEPS_WORK
        instead = "without --force the same command continues in it and keeps that" if resumes else instead
        raise BadInputError(f"{path} holds {work}, which --force would discard: {instead}; or choose another name")
    return ""


def require_unwritten(found: ExistingProject | None, film: str, *, resumable: bool) -> None:
    """Check that nobody has written meanwhile where there was nothing when the draft began.

    Raises:
        OutsideFailureError: where somebody has.
    """
    if found is None:
        return
    meanwhile = f"{found.path} was created in the meantime, so it was not overwritten"
    if not (resumable and found.is_of(film)):
        raise OutsideFailureError(f"{meanwhile}: choose another name, or give --force to replace it")
    raise OutsideFailureError(
        f"{meanwhile}; it is another draft of this film, and the same command continues in it: answers received so far"
        " are kept and reused"
    )


def back_up(found: ExistingProject | None, draft: Script) -> str:
    """Copy a project that is about to be replaced if more than machine-made lines would be lost; returns the message.

    Whether scenes, dialogue, settings, voice and the film's data differ by hand or by other options nobody can tell.

    Raises:
        OutsideFailureError: where the copy cannot be written.
    """
    old = None if found is None else found.script
    if found is None or old is None:
        return ""
    parts = {
        "scenes": (old.scenes, old.sequences) != (draft.scenes, draft.sequences),
        "dialogue": old.cues != draft.cues,
        "settings": old.settings != draft.settings,
        "voice settings": old.voice != draft.voice,
        "data of the film": _without_files(old.film) != _without_files(draft.film),
    }
    others = [what for what, differs in parts.items() if differs]
    if not others:
        return ""
    copy = save_beside(found.path, found.path.read_bytes(), "replaced")
    return f"{found.path} had different {listed(tuple(others))}: it is kept as {copy.name}"


def _without_files(film: Film) -> Film:
    return replace(film, media=None, subtitles=None, screenplay=None, other_sources=())


def identity_for(found: ExistingProject | None, path: Path, film: str) -> str:
    """The identity of the project that is going to be written, for the log of what was sent.

    By the identity of the project of the same film that it replaces, else by one that stays the same until it is
    written, however often the command is stopped before.
    """
    known = "" if found is None else found.passed_on(film).identity
    return known or provisional_ids.identity_of(path, film)


def content_of(video: Path | None) -> str:
    """What tells a film from another: a fingerprint of its video; empty without one that can be read."""
    # Whoever reads it next says what is wrong with it.
    with contextlib.suppress(AdstudioError):
        return "" if video is None else fingerprint(video)
    return ""


def require_drafted_from(script: Script, sources: Sources) -> None:
    """Check that a project was drafted from the text that is given: only its own lines tell what that told.

    Raises:
        BadInputError: where it was not.
    """
    given = given_texts(script)
    text, known = (
        (sources.screenplay, bool(script.film.screenplay or given.screenplay))
        if sources.screenplay is not None
        else (sources.description, bool(given.description))
    )
    if text is not None and not known:
        raise BadInputError(
            f"the project was not drafted from {text}, so the draft cannot go on in it with that: leave {text.name}"
            " out, or choose another name for a project of its own"
        )


def work_in(script: Script, gaps: tuple[Span, ...], *, suggested_rules: bool = False) -> tuple[str, ...]:
    """What people have done in a script, for a person to read: nothing of it may be discarded unasked.

    With `suggested_rules`, rules of the kinds that the program suggests itself are its own.
    """
    rules = script.rules
    ties = Rules(alternatives=rules.alternatives, together=rules.together)
    plain = script.with_changes(rules=ties)
    machines = {pinned.id for pinned, _ in pinned_by_model(plain, gaps)}
    lines = sum(is_human_work(plain, line) and line.id not in machines for line in script.eventualities)
    own = len(ties.alternatives) + len(ties.together)
    own += 0 if suggested_rules else len(rules.requires) + len(rules.penalties)
    counts = (
        (lines, "line", " written or worked on"),
        (len(script.silences), "silence", ""),
        (len(script.openings), "opening", ""),
        (sum(scene.reviewed for scene in script.scenes), "reviewed scene", ""),
        (own, "rule", ""),
        (len(script.lexicon), "pronunciation", ""),
    )
    return tuple(f"{count:,} {what}{'s' * (count > 1)}{more}" for count, what, more in counts if count)


def with_given(known: People, given: People) -> People:
    """The known people, replaced by those given of the same name, and new ones."""
    anew = {folded(person.name.strip()): person for person in given}
    people = [anew.pop(folded(person.name.strip()), person) for person in known]
    return (*people, *anew.values())


def listed(work: tuple[str, ...]) -> str:
    """Several things in words: “a, b and c”."""
    return " and ".join(part for part in (", ".join(work[:-1]), *work[-1:]) if part)


def _film(script: Script) -> str:
    return "" if script.film.media is None else script.film.media.fingerprint
