"""`adstudio gaps`: the gaps between the dialogue, from subtitles or from the speech detected in a video."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from adstudio.cli import options
from adstudio.cli.options import argument, flag, grouped, language_option, ms, option
from adstudio.cli.output import VIDEO_ENDINGS, length, print_oddities, require_safe_target, say, words, write_output
from adstudio.core.counts import percent
from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.json_reading import json_bytes
from adstudio.core.script import Cue
from adstudio.core.settings import GapSettings

if TYPE_CHECKING:
    from rich.status import Status

    from adstudio.characters.word_times import FoundWords
    from adstudio.core.timebase import FrameRate
    from adstudio.gaps.gaps import Gaps
    from adstudio.media.speech_activity import Activity


@grouped
def gaps(
    source: Annotated[Path, argument("SUBTITLES|VIDEO", "Dialogue subtitles (SRT, WebVTT, TTML, ASS), or a film.")],
    output: options.Output = None,
    end: options.End = None,
    encoding: options.Encoding = None,
    frame_rate: options.Rate = None,
    start_timecode: options.StartTimecode = "",
    audio_track: options.AudioTrack = None,
    language: Annotated[
        str | None, language_option("With --word-edges: the language of the dialogue (default: the file’s, or en).")
    ] = None,
    *,
    room: options.GapOptions,
    against: Annotated[
        Path | None, option("VIDEO", "Check that the subtitles are in sync with the speech in this film.")
    ] = None,
    in_step: Annotated[
        bool, flag("--in-step", "With --against: sync them, where it is certain that they are off.")
    ] = False,
) -> None:
    """Find where there is room for narration, and list everything odd in the subtitles.

    For a film without subtitles, the gaps are where no speech is detected. Subtitles may count from the timecode of the
    first frame. Without options there are no margins, sounds
    and music count as gaps and songs do not, and gaps shorter than a second are ignored.
    """
    settings = room.settings(GapSettings())
    film_end = None if end is None else ms(end, "--end", least=1)
    if in_step and against is None:
        raise BadInputError("--in-step needs the video that the subtitles belong to: give it with --against VIDEO")
    if room.word_edges and against is None:
        raise BadInputError("--word-edges finds the words of subtitles in their film: give it with --against VIDEO")
    require_safe_target(output, source, against)
    if _is_film(source):
        if against is not None:
            raise BadInputError(f"{source} is a video: --against checks subtitles against their video")
        labels = room.of_subtitles or encoding is not None or bool(frame_rate or start_timecode)
        _of_film(source, film_end, settings, output, track=audio_track, labels=labels)
    else:
        if audio_track is not None and against is None:
            raise BadInputError("--audio-track is a sound track of a film: give the film, or --against VIDEO")
        rate = None if frame_rate is None else options.rate(frame_rate, start_timecode)
        given = _Given(encoding, rate, start_timecode, against, in_step, audio_track, language)
        _of_subtitles(source, film_end, settings, output, given)


def _of_film(
    video: Path, film_end: int | None, settings: GapSettings, output: Path | None, *, track: int | None, labels: bool
) -> None:
    from adstudio.gaps.gaps import find_gaps, gaps_json
    from adstudio.media.probe import probe
    from adstudio.media.sound_tracks import about_tracks
    from adstudio.media.speech_activity import cues_of

    with words.status("reading the video") as status:
        probed = probe(video)
        film_end = film_end or probed.duration
        about_sound = about_tracks(probed.sound_tracks, track)
        activity = _detect_speech(video, track, status)
    cues = cues_of(activity, film_end)
    found = find_gaps(cues, (), film_end, settings)
    problems = [Oddity(_source_of_gaps(activity))]
    if labels:
        about = "--encoding, --frame-rate, --start-timecode and options about sounds, music and songs"
        problems.append(Oddity(f"{about} only apply to subtitles: ignored"))
    problems += (*probed.oddities, *about_sound)
    write_output(json_bytes(gaps_json(found, cues, end=film_end, encoding="", problems=problems)), output)
    if output is not None:
        print_oddities((str(video), oddity) for oddity in (*problems, *found.outside))


def _source_of_gaps(activity: Activity) -> str:
    if not activity.has_sound:
        return "the video has no sound, so all of it counts as one gap"
    if not activity.spans:
        return "no speech was detected in the video, so all of it counts as one gap: check that its sound is there"
    return (
        "the gaps come from speech detection, which does not know the words: shouts, song and voices under "
        "loud music may be missed, so listen before you use a gap"
    )


@dataclass(frozen=True)
class _Given:
    """What is given about subtitles, and the video that they are compared with."""

    encoding: str | None
    rate: FrameRate | None
    start_timecode: str
    against: Path | None
    mend: bool
    track: int | None
    language: str | None


def _of_subtitles(
    source: Path, film_end: int | None, settings: GapSettings, output: Path | None, given: _Given
) -> None:
    from adstudio.characters.film_words import dialogue_with_words
    from adstudio.characters.word_messages import words_summary
    from adstudio.characters.word_times import FoundWords
    from adstudio.drafting.film_time import dialogue_in_film
    from adstudio.gaps.gaps import find_gaps, gaps_json
    from adstudio.gaps.word_edges import at_word_edges
    from adstudio.media.probe import probe
    from adstudio.media.sound_tracks import about_tracks
    from adstudio.subtitles.dialogue import dialogue
    from adstudio.subtitles.reading import read_subtitles

    with words.status("reading the subtitles") as status:
        file = read_subtitles(source, encoding=given.encoding)
        spoken = dialogue(file)
        probed = None if given.against is None else probe(given.against)
        known = film_end is not None or probed is not None
        film_end = film_end or (probed.duration if probed else None)
        cues, shifted = dialogue_in_film(
            *(spoken.cues, source, probed, film_end),
            rate=given.rate,
            start_timecode=given.start_timecode,
            by_guess=True,
        )
        in_file = [*file.oddities, *spoken.oddities, *shifted]
        about_sound = () if probed is None else about_tracks(probed.sound_tracks, given.track)
        problems = [*in_file, *about_sound]
        sync_report = ""
        if given.against is not None:
            cues, sync_report = _synced(
                cues, _detect_speech(given.against, given.track, status), problems, mend=given.mend
            )
        found_words, without_words = FoundWords(()), ""
        if settings.word_edges and given.against is not None:
            found_words = _find_words(given.against, given.track, cues, given.language or file.language or "en", status)
            without_words = _why_by_subtitles(found_words)
            problems += [Oddity(without_words)] if without_words else []
    if film_end is None:
        film_end = max((max(cue.end, cue.start) for cue in cues), default=0)
    cues, words_of_cues = dialogue_with_words(cues, found_words)
    spoken_cues = at_word_edges(cues, {each.id: each for each in words_of_cues}) if settings.word_edges else cues
    found = find_gaps(spoken_cues, (), film_end, settings)
    report = gaps_json(found, cues, end=film_end, encoding=file.encoding, problems=problems)
    write_output(json_bytes(report), output)
    if output is not None:
        print_oddities((str(source), oddity) for oddity in (*in_file, *found.outside))
        print_oddities((str(given.against), oddity) for oddity in about_sound)
    if sync_report:
        say(sync_report)
    if without_words:
        say(f"{given.against}: {without_words}")
    elif settings.word_edges:
        before = find_gaps(cues, (), film_end, settings)
        say(
            f"{_free(found)} free by the words, {_free(before)} by the subtitles’ times:"
            f" {words_summary(found_words, 0)}"
        )
    if not known and output is not None:
        say(f"the film is assumed to end with its last dialogue, at {length(film_end)}: set its length with --end")


def _synced(
    cues: Sequence[Cue], activity: Activity, problems: list[Oddity], *, mend: bool
) -> tuple[Sequence[Cue], str]:
    """The cues, synced if `mend` and the offset is certain, and a sentence; a mismatch is added to the problems."""
    from adstudio.drafting.subtitle_sync import check_sync

    check = check_sync(cues, activity, mend=mend)
    report = f"{check.finding}; --in-step corrects that" if check.fixable and not mend else check.finding
    if not check.in_sync:
        problems.append(Oddity(report))
    return check.cues, report


def _find_words(video: Path, track: int | None, cues: Sequence[Cue], language: str, status: Status) -> FoundWords:
    from adstudio.characters.film_words import words_in_film

    def show(share: float) -> None:
        status.update(f"finding words in the sound: {percent(share)}")

    show(0)
    return words_in_film(video, track, cues, language, on_share=show)


def _why_by_subtitles(found: FoundWords) -> str:
    """Why gaps go by the subtitles' times though they were to go by the words; empty where words were found."""
    from adstudio.characters.word_messages import NO_WORDS, OTHER_SOUND

    if any(each.words for each in found.words) and not found.other_sound:
        return ""
    return f"{OTHER_SOUND if found.other_sound else NO_WORDS}, and gaps go by the subtitles’ times"


def _free(gaps: Gaps) -> str:
    return length(sum(gap.length for gap in gaps.gaps))


def _detect_speech(video: Path, track: int | None, status: Status) -> Activity:
    from adstudio.media.speech_activity import speech_activity

    def show(fraction: float) -> None:
        status.update("detecting speech" + (f": {percent(fraction)}" if fraction >= 0 else ""))

    show(-1)
    return speech_activity(video, track, show)


def _is_film(source: Path) -> bool:
    """Decided by content; a file named like a video that is none is then refused as a damaged video."""
    from adstudio.media.probe import is_media

    return source.suffix.lower() in VIDEO_ENDINGS or is_media(source)
