"""What a model is shown of a script's film, what it needs before it is asked, and why scenes did not come whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from adstudio.characters.introductions import NameTimes
from adstudio.core.cast import Portrait
from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import Script
from adstudio.core.timebase import clock
from adstudio.drafting.model.events import SceneDraft, missing_reason
from adstudio.drafting.model.people_context import seen_by_faces, with_cast_speakers
from adstudio.drafting.model.requests import FilmSeen
from adstudio.drafting.text.stages import Segmenter
from adstudio.media.cached_data import OnFraction
from adstudio.presets.naming import naming_of_project


def ready_segmenter(language: str) -> Segmenter:
    """Who cuts descriptions, ready to do it: what it needs takes seconds to load, in which no answer would be heard.

    Raises:
        OutsideFailureError: where a part that it needs is not installed.
    """
    segmenter = Segmenter()
    segmenter.elements(["Somebody waits."], language, ())
    return segmenter


def unseen(script: Script, drafts: Iterable[SceneDraft]) -> Iterator[Oddity]:
    """How many lines a model worded and did not see."""
    drafted = {each.scene for each in drafts if each.lines}
    unseen = [line for line in script.eventualities if line.occurrence is None and line.scene in drafted]
    if unseen:
        lines = "1 line is" if len(unseen) == 1 else f"{len(unseen):,} lines are"
        yield Oddity(
            f"{lines} not seen in the film by the model, or given no time that can be used, and so without a place in"
            f" it, the first “"
            f"{unseen[0].variants[0].text}”"
        )


def film_seen(script: Script, on_fraction: OnFraction | None = None) -> FilmSeen:
    """What a model is told of a script's film; cuts that are not cached are detected, reporting to `on_fraction`.

    Its people are shown as small pictures of their faces, whatever the project keeps. Where they are seen, as far as
    faces have been found in the film, is told of those alone whose pictures are sent: what a face shows leaves the
    machine as far as the face itself does.

    Raises:
        BadInputError: where the project has no video, or it cannot be read, or a face is no picture.
        OutsideFailureError: where it may not be read.
    """
    from adstudio.characters.faces_in_film import cached_known_faces
    from adstudio.media.cache import source_of
    from adstudio.media.faces import face_of
    from adstudio.media.shots import film_shots

    film = script.film
    if film.media is None:
        raise BadInputError("a model needs the film’s pictures, and this project has no video: give it one")
    people = tuple(
        replace(each, portraits=(Portrait(face_of(each.face, each.name)),) if each.face else (), merged=())
        for each in script.people
    )
    video = Path(film.media.path)
    cuts = film_shots(video, fingerprint=film.media.fingerprint, on_fraction=on_fraction).cuts
    shown = {each.id for each in people if each.face}
    known = cached_known_faces(script, source_of(video, film.media.fingerprint))
    named = [(each.time, each.person) for each in script.named_faces if each.person is not None]
    faces = [(time, person) for time, person in (*named, *(known.seen if known else ())) if person in shown]
    policy = naming_of_project(script.settings, film.language).policy
    return FilmSeen(
        video,
        film.end,
        film.media.fingerprint,
        with_cast_speakers(script.cues, script.people),
        cuts,
        people,
        film.language,
        names=NameTimes.of(script.people, script.cues, film.language, policy),
        seen=seen_by_faces(faces, cuts, film.end),
    )


def oddities_of(script: Script, drafts: Iterable[SceneDraft]) -> tuple[Oddity, ...]:
    """Why scenes are not whole, for a person; scenes that follow one another and have the same reason are told once."""
    order = {scene.id: number for number, scene in enumerate(script.scenes)}
    runs: list[tuple[list[str], str]] = []
    for each in drafts:
        reason = missing_reason(each)
        if not reason:
            continue
        if runs and runs[-1][1] == reason and order[each.scene] == order[runs[-1][0][-1]] + 1:
            runs[-1][0].append(each.scene)
        else:
            runs.append(([each.scene], reason))
    return tuple(Oddity(f"{called(script, *scenes)}: {why}") for scenes, why in runs)


def called(script: Script, first: str, *others: str) -> str:
    """What scenes in a row are called where only words tell of them: their numbers, a title, and when they begin."""
    found = script.scene_by_id[first]
    number = script.scenes.index(found) + 1
    if others:
        return f"scenes {number} to {number + len(others)}, from {clock(found.span.start)}"
    return f"scene {number}{f' ({found.title})' if found.title else ''}, from {clock(found.span.start)}"
