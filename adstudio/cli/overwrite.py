"""What a project that is written over hands on: what it allows, its identity, its people, and its own prompts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import AdstudioError
from adstudio.core.policy import OFFLINE, Policy
from adstudio.core.script import People, Prompts
from adstudio.core.words import folded


@dataclass(frozen=True)
class Kept:
    """What people gave a project, other than its script."""

    policy: Policy = OFFLINE
    people: People = ()
    prompts: Prompts = ()
    identity: str = ""


def kept_of(output: Path, video: Path | None) -> Kept:
    """What a project that is written over hands on, where it is of the same film, which `video` shows by its content.

    Another film's permission is none for this one, nor are its people. Without a video on both sides nobody can tell,
    so it is nothing either; nor does one that cannot be read hand on anything.
    """
    from adstudio.store.media import fingerprint
    from adstudio.store.project import ProjectFile, is_project

    if video is None or not output.exists() or not is_project(output):
        return Kept()
    try:
        with ProjectFile.open(output, read_only=True) as project:
            script = project.last_script
            # The last saved state and the last step may be of two films.
            films = (project.saved_script.film, script.film)
            same = {film.media.fingerprint if film.media is not None else "" for film in films} == {fingerprint(video)}
            return Kept(project.policy, script.people, script.prompts, project.identity) if same else Kept()
    except AdstudioError:
        return Kept()


def identity_of(output: Path, video: Path | None) -> str:
    """By what the project that is going to be written there is known in the log of what was sent.

    By that of the project of the same film that it takes the place of, or else by one that stays the same until it is
    written, however often the command is stopped before.
    """
    from adstudio.connections import provisional_ids

    return kept_of(output, video).identity or provisional_ids.identity_of(output, _content(video))


def forget_unfinished(output: Path, video: Path | None) -> None:
    """The project has been written and knows its identity itself."""
    from adstudio.connections import provisional_ids

    provisional_ids.forget_identity(output, _content(video))


def _content(video: Path | None) -> str:
    from adstudio.store.media import fingerprint

    try:
        return "" if video is None else fingerprint(video)
    except AdstudioError:
        # Whoever reads it next says what is wrong with it.
        return ""


def with_given(kept: People, given: People) -> People:
    """The people kept, those given anew in the place of those of their name, and who comes with them."""
    anew = {folded(person.name.strip()): person for person in given}
    people = [anew.pop(folded(person.name.strip()), person) for person in kept]
    return (*people, *anew.values())
