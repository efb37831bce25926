"""`adstudio faces`: the faces of a project's film, whose they are, and who is in which shot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from adstudio.cli.options import argument, flag
from adstudio.cli.output import print_lines, words, write_output
from adstudio.cli.project_film import project_film
from adstudio.cli.saved_script import saved_script
from adstudio.core.counts import counted, percent
from adstudio.core.errors import BadInputError
from adstudio.core.timebase import seconds

if TYPE_CHECKING:
    from adstudio.characters.faces import Faces
    from adstudio.characters.faces_known import KnownFaces
    from adstudio.core.script import Script


def faces(
    project: Annotated[Path, argument("P.adproj", "The project.")],
    *,
    as_json: Annotated[bool, flag("--json", "Print all of it as JSON: clusters, faces, shots.")] = False,
    unsaved: Annotated[bool, flag("--unsaved", "Use the last step, not the last save.")] = False,
) -> None:
    """Find the faces in the film of a project, put those of one person together, and list who is in which shot.

    Named are those whom the describer has named in the editor, and those who are like a portrait of the cast. What was
    found is cached, so that the next time takes no search; a search that is stopped goes on from there. Everything
    stays on this machine. It takes the extra adstudio[faces].
    """
    from adstudio.characters.faces_known import known_faces, portraits_of
    from adstudio.core.json_reading import json_bytes
    from adstudio.store.project import ProjectFile

    with ProjectFile.open(project, read_only=True) as opened:
        saved = saved_script(opened, unsaved=unsaved)
    script = saved.script
    video = project_film(script.film, project)
    if video is None:
        raise BadInputError(f"{project} has no film: faces are looked for in one, so open the editor and choose it")
    fingerprint = "" if script.film.media is None else script.film.media.fingerprint
    found = _found(video, fingerprint, portraits_of(script.people))
    known = known_faces(found, script.people, script.named_faces)
    if as_json:
        write_output(json_bytes(_json(known, script)), None)
    else:
        print_lines(_lines(known, script))
    saved.print_notes(project)


def _found(video: Path, fingerprint: str, portraits: tuple[bytes, ...]) -> Faces:
    from adstudio.characters.faces_detection import faces_of
    from adstudio.characters.faces_texts import time_left

    search = faces_of(video, fingerprint=fingerprint, portraits=portraits)
    with words.status("looking for faces") as status:
        while True:
            try:
                progress = next(search)
            except StopIteration as done:
                return done.value
            doing = "detecting the shots" if progress.shots else "looking for faces"
            left = "" if progress.left is None else f", {time_left(progress.left)}"
            status.update(doing if progress.fraction is None else f"{doing}: {percent(progress.fraction)}{left}")


def _lines(known: KnownFaces, script: Script) -> Iterator[str]:
    """What was found, a line for each cluster, a line for each shot with somebody in it, and what is to be known."""
    from adstudio.characters.faces_texts import remarks

    film, names = script.film, {person.id: person.name for person in script.people}
    for number, cluster in enumerate(known.clusters.clusters):
        first = min(known.faces.times[face] for face in cluster.faces)
        who = _who(known, number, names)
        yield f"{number + 1}: {who}, {counted(len(cluster.faces), 'face')}, first at {film.timecode(first)}"
    for shot in known.shots:
        if shot.people:
            people = ", ".join(_who(known, each.cluster, names) for each in shot.people)
            yield f"{film.timecode(shot.shot.start)}–{film.timecode(shot.shot.end)} {people}"
    yield from remarks(known, names, script.film.end)


def _who(known: KnownFaces, number: int, names: dict[str, str]) -> str:
    from adstudio.characters.faces_texts import cluster_name

    return cluster_name(known, number, names)


def _by(known: KnownFaces, number: int) -> str | None:
    """By what it is known who a cluster is."""
    if known.person_of(number) is None:
        return None
    return "portrait" if number in known.matched else "describer"


def _json(known: KnownFaces, script: Script) -> dict[str, Any]:
    from adstudio.characters.faces_texts import remarks

    names = {person.id: person.name for person in script.people}
    found = known.faces.faces
    return {
        "format": "adstudio-faces/1",
        "film": script.film.title,
        "pictures": len(known.faces.sampled),
        "clusters": [
            {
                "number": number + 1,
                "person": names.get(known.person_of(number) or ""),
                "nobody": cluster.person == "",
                "by": _by(known, number),
                "apart": known.matched[number].apart / 1000 if number in known.matched else None,
                "faces": [
                    {"time": seconds(found[n].time), "box": list(astuple(found[n].box)), "score": found[n].score / 1000}
                    for n in sorted(cluster.faces)
                ],
            }
            for number, cluster in enumerate(known.clusters.clusters)
        ],
        "shots": [
            {
                "start": seconds(shot.shot.start),
                "end": seconds(shot.shot.end),
                "people": [
                    {
                        "cluster": each.cluster + 1,
                        "person": names.get(each.person or ""),
                        "by": None if each.by is None else each.by.value,
                        "times": [seconds(time) for time in each.times],
                    }
                    for each in shot.people
                ],
            }
            for shot in known.shots
        ],
        "remarks": list(remarks(known, names, script.film.end)),
    }
