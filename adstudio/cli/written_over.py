"""What a project that is written over keeps of what people gave it: its people, and its own wordings of prompts."""

from __future__ import annotations

from pathlib import Path

from adstudio.core.errors import AdstudioError
from adstudio.core.script import People, Prompts


def given_to(output: Path, video: Path | None) -> tuple[People, Prompts]:
    """The people and prompts of a project that is written over; none where it is of another film.

    As with what it allows, that of a project without a video, or one that cannot be read, is taken for another.
    """
    from adstudio.store.media import fingerprint
    from adstudio.store.project import ProjectFile, is_project

    if not output.exists() or not is_project(output):
        return (), ()
    try:
        with ProjectFile.open(output, read_only=True) as project:
            script = project.last_script
            media = script.film.media
            if media is None or video is None or media.fingerprint != fingerprint(video):
                return (), ()
            return script.people, script.prompts
    except AdstudioError:
        return (), ()


def with_given(kept: People, given: People) -> People:
    """The people kept, those given anew in the place of those of their name, and who comes with them."""
    anew = {person.name.strip().casefold(): person for person in given}
    people = [anew.pop(person.name.strip().casefold(), person) for person in kept]
    return (*people, *anew.values())
