"""What is said of the faces of a film."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from adstudio.characters.faces_clusters import NOBODY
from adstudio.characters.faces_known import KnownFaces
from adstudio.characters.faces_models import MOST_IN_PICTURE
from adstudio.core.counts import counted
from adstudio.core.timebase import clock

_CROWD = 60
"""Clusters from which on a film is said to show a crowd."""
_SHORT_MS = 2_000
"""Pictures that end so much before the film are said to."""


def cluster_name(known: KnownFaces, cluster: int, names: Mapping[str, str]) -> str:
    """Who a cluster is; `names` are by the ids of people."""
    person = known.person_of(cluster)
    if person is None:
        return f"unnamed face {cluster + 1}"
    if person == NOBODY:
        return "not in the cast"
    name = names.get(person, "somebody")
    return f"{name} (like the portrait)" if cluster in known.matched else name


def remarks(known: KnownFaces, names: Mapping[str, str], end: int) -> Iterator[str]:
    """What ought to be known of what was found, a sentence each: what was not found or cannot be told apart.

    `end` is the length of the film in its project (ms).
    """
    faces, clusters = known.faces, known.clusters
    if faces.boundaries and faces.boundaries[-1] < end - _SHORT_MS:
        yield (
            f"the pictures of the film’s file end at {clock(faces.boundaries[-1])}, before the film does, at "
            f"{clock(end)}: nobody is found after that, and the file may be damaged"
        )
    if not faces.boundaries:
        yield "the film has no picture, so there are no faces"
    elif not faces.faces:
        yield (
            f"no face was found in {counted(len(faces.sampled), 'picture')}: "
            "people may be small, turned away or masked, or drawn in a way that the detector does not know"
        )
    if not faces.complete:
        yield "the search has not been finished: more faces may be found"
    if faces.undecoded:
        yield f"{counted(faces.undecoded, 'picture')} could not be decoded and searched: the film is damaged"
    if left_out := faces.left_out + clusters.uncompared:
        were, are = ("was one", "is") if left_out == 1 else ("were", "are")
        yield (
            f"{counted(left_out, 'face')} {were} too many to be compared and {are} left out; "
            f"of one picture at most {MOST_IN_PICTURE} are taken"
        )
    if clusters.alike:
        times = {faces.times[one] for one, _ in clusters.alike}
        first = min(times)
        yield (
            f"in {counted(len(times), 'picture')} two faces look the same, first at {clock(first)}: "
            "twins, a mirror, or people drawn alike, whose names need a look"
        )
    if len(clusters.clusters) > _CROWD:
        yield (
            f"{counted(len(clusters.clusters), 'person')} may be seen, many of them once: "
            "name those who matter and leave the others"
        ).replace("persons", "people")
    for person in known.faceless:
        yield f"no portrait of {names.get(person, 'somebody')} shows a face that is recognised: give another picture"
    for person in known.several:
        yield f"a portrait of {names.get(person, 'somebody')} shows several faces, of which the largest is compared"
    if known.lost:
        were, they = ("was", "it was") if len(known.lost) == 1 else ("were", "they were")
        lost = counted(len(known.lost), "named face")
        yield f"{lost} {were} not found again: {they} named in another cut or search"


def time_left(ms: int) -> str:
    """How long a search takes still, roughly."""
    minutes = round(ms / 60_000)
    if minutes < 1:
        return "less than a minute left"
    if minutes < 90:
        return f"about {counted(minutes, 'minute')} left"
    return f"about {round(minutes / 60)} hours left"
