"""What lies where a project is to be written: a draft goes on in it, writes over it, or leaves it alone and says why.

What a person has done in a project of the film is never written over: `--force` throws away what machines have made,
and another film's project.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path

from adstudio.core.errors import AdstudioError, BadInputError, OutsideFailureError
from adstudio.core.script import Script

_CHOOSE = "choose another name, or give --force to write over it"


@dataclass(frozen=True)
class There:
    """Whether the command goes on in the project that is there; else what is said once that is written over."""

    goes_on: bool = False
    said: str = ""


def require_own(
    output: Path, video: Path | None, *, force: bool, goes_on: bool = False, suggested_rules: bool = False
) -> There:
    """Check that a project may be written there; `goes_on` where the command can go on in one of the same film.

    Raises:
        BadInputError: where there is a file that may not be written over.
        OutsideFailureError: where it cannot be read, or is open in an editor.
    """
    from adstudio.store.project import is_project

    if not output.exists():
        return There()
    if not is_project(output):
        if not force:
            raise BadInputError(f"{output} is there already: {_CHOOSE}")
        raise BadInputError(f"{output} is no project, and --force writes over projects only: choose another name")
    try:
        found = _found(output, suggested_rules=suggested_rules)
    except BadInputError as error:
        if not force:
            raise BadInputError(f"{output} is there already, and cannot be gone on in ({error}): {_CHOOSE}") from None
        return There(said=f"{output} could not be read, and was written over")
    mine = _content(video)
    other = bool(mine) and "" not in found.films and mine not in found.films
    if force:
        return _over(output, found, other=other, goes_on=goes_on and found.all_of(mine))
    if other:
        raise BadInputError(f"{output} is a project of another film: {_CHOOSE}")
    if goes_on and found.all_of(mine):
        return There(goes_on=True)
    if found.work:
        raise BadInputError(
            f"{output} is there already, with {_told(found.work)}: choose another name, or draft its scenes again in"
            " the editor, which keeps that"
        )
    raise BadInputError(f"{output} is there already: {_CHOOSE}")


def require_still_free(output: Path, video: Path | None, *, goes_on: bool) -> None:
    """Check that nobody has written where there was nothing when the draft began; `goes_on` as in `require_own`.

    Raises:
        OutsideFailureError: where somebody has.
    """
    from adstudio.store.project import is_project

    if not output.exists():
        return
    meanwhile = f"{output} was written meanwhile, so nothing was written over it"
    same = False
    if goes_on and is_project(output):
        with contextlib.suppress(AdstudioError):
            same = _found(output, suggested_rules=False).all_of(_content(video))
    if not same:
        raise OutsideFailureError(f"{meanwhile}: choose another name, or give --force to write over it")
    raise OutsideFailureError(
        f"{meanwhile}; it is another draft of this film, and the same command goes on in it: what has been answered is"
        " kept, and not asked again"
    )


def film_in(output: Path) -> Path | None:
    """Where the video of a project lies that is there; None where it has none, or it cannot be found or read."""
    from adstudio.store.media import locate_video
    from adstudio.store.project import ProjectFile, is_project

    if not is_project(output):
        return None
    try:
        with ProjectFile.open(output, read_only=True) as project:
            media = project.last_script.film.media
        return None if media is None else locate_video(media, output)
    except AdstudioError:
        return None


def kept_aside(output: Path, made: Script) -> str:
    """Keep a copy of a project that is about to be written over, where more goes than a machine's lines; what is said.

    Whether scenes, dialogue, settings and the film's data are others by hand or by other options nobody can tell.

    Raises:
        OutsideFailureError: where the copy cannot be written.
    """
    from adstudio.store.backups import save_beside
    from adstudio.store.project import ProjectFile, is_project

    if not output.exists() or not is_project(output):
        return ""
    try:
        with ProjectFile.open(output, read_only=True) as project:
            old = project.last_script
    except BadInputError:
        return ""
    parts = {
        "scenes": (old.scenes, old.sequences) != (made.scenes, made.sequences),
        "dialogue": old.cues != made.cues,
        "settings": old.settings != made.settings,
        "data of the film": replace(old.film, media=None) != replace(made.film, media=None),
    }
    others = [what for what, differs in parts.items() if differs]
    if not others:
        return ""
    copy = save_beside(output, output.read_bytes(), "written over")
    return f"{output} had other {_told(tuple(others))}: as it was, it is kept as {copy.name}"


@dataclass(frozen=True)
class _Found:
    """The films (their fingerprints, empty where there is no video) of the last save and step, and people's work."""

    films: frozenset[str]
    work: tuple[str, ...]

    def all_of(self, film: str) -> bool:
        """Whether they are that film, and no other."""
        return bool(film) and self.films == frozenset((film,))


def _found(output: Path, *, suggested_rules: bool) -> _Found:
    from adstudio.drafting.resume import work_in
    from adstudio.gaps.gaps import gaps_of
    from adstudio.store.project import ProjectFile

    with ProjectFile.open(output, read_only=True) as project:
        script = project.last_script
        films = frozenset(_film(each) for each in (project.saved_script, script))
        work = work_in(script, gaps_of(script).gaps, suggested_rules=suggested_rules)
        return _Found(films, (*work, *(("steps that are not saved",) if project.recoverable else ())))


def _over(output: Path, found: _Found, *, other: bool, goes_on: bool) -> There:
    work = _told(found.work)
    if other:
        with_it = f", with {work}" if work else ""
        return There(said=f"{output} was the project of another film, and was written over{with_it}")
    if work:
        instead = (
            "without --force the same command goes on in it and keeps that"
            if goes_on
            else "draft its scenes again in the editor, which keeps that"
        )
        raise BadInputError(f"{output} holds {work}, which --force would throw away: {instead}; or choose another name")
    return There()


def _film(script: Script) -> str:
    return "" if script.film.media is None else script.film.media.fingerprint


def _content(video: Path | None) -> str:
    from adstudio.store.media import fingerprint

    try:
        return "" if video is None else fingerprint(video)
    except AdstudioError:
        # Whoever reads it next says what is wrong with it.
        return ""


def _told(work: tuple[str, ...]) -> str:
    return " and ".join(part for part in (", ".join(work[:-1]), *work[-1:]) if part)
