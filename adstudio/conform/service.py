"""A new cut's files read, compared with the project's film, and the project brought to it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.conform.matching import Cut, CutMatch, match_cuts
from adstudio.conform.new_cut import FormerCut, NewCut, NewCutRequest
from adstudio.conform.time_map import Fate
from adstudio.core.errors import AdstudioError, BadInputError, Oddity
from adstudio.core.film import Film, Media, SourceFile
from adstudio.core.script import Cue
from adstudio.core.timebase import RATES, TimeError
from adstudio.drafting.draft import film_probe
from adstudio.drafting.film_time import dialogue_in_film, labels_of
from adstudio.media.cache import Kind, Source, place
from adstudio.media.peaks import PEAKS
from adstudio.store.media import VideoState, find_video, relink, source_file
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles

if TYPE_CHECKING:
    from adstudio.media.peaks import Peaks
    from adstudio.media.probe import Probe

OnStage = Callable[[str, float], None]
"""Called with what is being done, and how much of it (0..1, -1 if unknown)."""
BY_DIALOGUE = "the former film was not found, so the cuts were compared by their dialogue alone"
NO_SUBTITLES = (
    "no subtitles were given: the former dialogue was retimed, and what is said in film that came is not known, so "
    "that narration may be planned over it"
)
UNLINKED = "no film was given: the former one was unlinked, as its times are not those of the new subtitles"

OTHER_WORDS = (
    "the subtitles share hardly any words with the previous ones: they are in another language, or of another film;"
    " check which"
)
NOT_OF_FILM = (
    "the subtitles are not those of the new film: by its sound, what they say is {:.1f} s too {}; check that they are"
    " of this cut"
)


def _nothing(what: str, fraction: float) -> None:
    del what, fraction


def read_new_cut(former: FormerCut, project: Path, request: NewCutRequest, on_stage: OnStage = _nothing) -> NewCut:
    """Read the files of a new cut and compare it with the film of a project.

    Raises:
        OtherFilmError: if it is another film.
        BadInputError: if no file is given, or one cannot be used; the message says why.
        OutsideFailureError: if one cannot be read.
    """
    if request.film is None and request.subtitles is None:
        raise BadInputError("a new cut needs its film (--film), its subtitles (--subtitles), or both")
    oddities: list[tuple[str, Oddity]] = []
    before = former.film
    probed: Probe | None = None
    if request.film is not None:
        on_stage("reading the film", -1)
        probed = film_probe(request.film)
        oddities += [(str(request.film), oddity) for oddity in probed.oddities]
    film = _film(before, request, probed, project, oddities)
    cues = None
    if request.subtitles is not None:
        on_stage("reading the subtitles", -1)
        cues, film = _dialogue(request, request.subtitles, film, probed, project, oddities)
    old, new = _sounds(before, request, project, on_stage, oddities)
    on_stage("comparing the cuts", -1)
    present = Cut(former.cues, before.end, old)
    match = match_cuts(present, Cut(cues or (), None if probed is None else probed.duration, new), former.changes)
    if request.film is None and not match.time_map.changes_nothing:
        film = _without_video(film, match)
        if before.media is not None:
            oddities.append((str(project), Oddity(UNLINKED)))
    if match.has_other_words:
        oddities.append((str(request.subtitles), Oddity(OTHER_WORDS)))
    off = match.dialogue_off
    if off is not None:
        oddities.append(
            (str(request.subtitles), Oddity(NOT_OF_FILM.format(abs(off) / 1000, "late" if off > 0 else "early")))
        )
    if cues is None and match.time_map.of(Fate.INSERTED):
        oddities.append((str(request.film), Oddity(NO_SUBTITLES)))
    return NewCut(film, cues, match, tuple(oddities))


def _film(
    before: Film, request: NewCutRequest, probed: Probe | None, project: Path, oddities: list[tuple[str, Oddity]]
) -> Film:
    """The film with the new video, if one is given: its length and rate are the video's."""
    start = before.start_timecode if request.start_timecode is None else request.start_timecode
    film = before
    if request.film is not None and probed is not None:
        measured = probed.media("", "", 0, "")
        film = relink(before, request.film, project, measured=measured).new
        rate = before.frame_rate
        if probed.rate is not None and probed.rate != rate.rate:
            rate = labels_of(None, probed, start)
        film = replace(film, end=probed.duration, frame_rate=rate)
        film = _remembering(film, before.media, film.media)
    if start:
        try:
            film.frame_rate.frame_of_label(start)
        except TimeError as error:
            if request.start_timecode is not None:
                raise
            what = f"the start timecode of the former film is none at {film.frame_rate.name}, and was left out: {error}"
            oddities.append((str(project), Oddity(what)))
            start = ""
    return replace(film, start_timecode=start)


def _dialogue(
    request: NewCutRequest,
    subtitles: Path,
    film: Film,
    probed: Probe | None,
    project: Path,
    oddities: list[tuple[str, Oddity]],
) -> tuple[tuple[Cue, ...], Film]:
    file = read_subtitles(subtitles, encoding=request.encoding)
    spoken = dialogue(file)
    if spoken.silence:
        raise BadInputError(f"no dialogue was found in {subtitles}: {spoken.silence}; check the file")
    cues, shifted = dialogue_in_film(
        *(spoken.cues, subtitles, probed, None if probed is None else probed.duration),
        rate=request.frame_rate or film.frame_rate,
        start_timecode=film.start_timecode,
    )
    oddities += [(str(subtitles), oddity) for oddity in (*file.oddities, *spoken.oddities, *shifted)]
    given = source_file(subtitles, project)
    film = _remembering(film, film.subtitles, given)
    return cues, replace(film, subtitles=given, encoding=file.encoding)


def _remembering(film: Film, former: SourceFile | None, present: SourceFile | None = None) -> Film:
    """The film with a former file that another took the place of among its sources: no export is written over it."""
    if former is None or (present is not None and present.path == former.path):
        return film
    plain = SourceFile(former.path, former.relative_path, former.size, former.fingerprint)
    return film if plain in film.other_sources else replace(film, other_sources=(*film.other_sources, plain))


def _sounds(
    before: Film,
    request: NewCutRequest,
    project: Path,
    on_stage: OnStage,
    oddities: list[tuple[str, Oddity]],
) -> tuple[Peaks | None, Peaks | None]:
    """The sound of both cuts, None where one of them is not there or has none."""
    media = before.media
    if request.film is None or media is None or not media.has_audio:
        return None, None
    found = find_video(media, project)

    def listening(what: str) -> Callable[[float], None]:
        return lambda fraction: on_stage(what, fraction)

    if found.state is VideoState.FOUND and found.path is not None:
        old = PEAKS.of_track(media.sound_track).of_film(
            found.path, fingerprint=media.fingerprint, on_fraction=listening("measuring the former film’s sound")
        )
    else:
        old = _remembered_peaks(media)
    if old is None:
        oddities.append((media.path, Oddity(BY_DIALOGUE)))
        return None, None
    return old, PEAKS.of_film(request.film, on_fraction=listening("measuring the new film’s sound"))


def _remembered_peaks(media: Media) -> Peaks | None:
    """The peaks of a film that is not there any more, as where the new cut has its name, if they are still cached."""
    with contextlib.suppress(AdstudioError):
        peaks = PEAKS.read(place(Kind.PEAKS, Source(media.fingerprint, media.size, 0, media.sound_track)))
        return peaks if peaks.complete else None
    return None


def _without_video(film: Film, match: CutMatch) -> Film:
    """The film of new subtitles alone: as long as they say, at the rate that their speed suggests."""
    rate = film.frame_rate.rate / match.time_map.ratio
    known = next((each for each in RATES.values() if each.rate == rate and each.drop == film.frame_rate.drop), None)
    known = known or next((each for each in RATES.values() if each.rate == Fraction(rate)), film.frame_rate)
    return replace(_remembering(film, film.media), media=None, end=match.time_map.new_end, frame_rate=known)
