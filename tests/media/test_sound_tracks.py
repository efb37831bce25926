"""Films with several sound tracks: which is listened to, what is told of it, and how another is chosen."""

from __future__ import annotations

import numpy as np
import pytest
from av.stream import Disposition
from media_clips import even, last_of, make_clip, make_tracks

from adstudio.media.cache import Kind, cached, source_of
from adstudio.media.opening import MediaError
from adstudio.media.peaks import PEAKS, make_peaks
from adstudio.media.probe import probe
from adstudio.media.sound_tracks import Purpose, SoundTrack, about_tracks, chosen_track, tracks_of

MAIN = Disposition.default
NONE = Disposition(0)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def titled(*titles, default=None):
    """Tracks with these titles and no flags but that of the default one."""
    return [
        ({"title": title} if title else {}, MAIN if n == default else NONE, None) for n, title in enumerate(titles, 1)
    ]


@pytest.mark.parametrize(
    ("tracks", "used"),
    [
        (titled("", "", default=2), 2),
        (titled("Stereo", "5.1"), 1),
        (titled("Audio description", "English"), 2),
        (titled("Audio description", "English", default=1), 2),
        (titled("Descriptive", "Main", "Other", default=3), 3),
        (titled("English AD", "English", default=1), 2),
        (titled("Audiodeskription", "Deutsch"), 2),
        (titled("audio-description (fr)", "VF"), 2),
        (titled("Audiodescripción", "Español"), 2),
        (titled("Director's commentary", "Feature", default=1), 2),
        (titled("Kommentar des Regisseurs", "Film"), 2),
        (titled("M&E", "Dialogue"), 2),
        (titled("IT Musik & Effekte", "Stereo"), 2),
        (titled("Musique et effets", "VF"), 2),
        (titled("Música y efectos", "Español", default=1), 2),
        (titled("Comentario del director", "Película"), 2),
        (titled("Music and effects", "Audio description"), 2),
        (titled("Commentary", "AD"), 2),
        # Words of other things.
        (titled("ADR mix", "Second"), 1),
        (titled("Adventure sound", "Second"), 1),
        # What the file flags.
        ([({}, Disposition.visual_impaired | MAIN, None), ({}, NONE, None)], 2),
        ([({}, Disposition.comment | MAIN, None), ({}, NONE, None)], 2),
        # Broadcasters name narration in place of a language.
        ([({"language": "nar"}, MAIN, None), ({"language": "eng"}, NONE, None)], 2),
        # For the hard of hearing, dialogue is clearer.
        ([({}, Disposition.hearing_impaired | MAIN, None), ({}, NONE, None)], 1),
    ],
)
def test_the_track_that_is_listened_to(tmp_path, tracks, used):
    found = tracks_of(make_tracks(tmp_path / "film.mkv", tracks, seconds=0.2))
    assert [track.number for track in found] == list(range(1, len(tracks) + 1))
    assert chosen_track(found).number == used
    assert about_tracks(found, None)[0].what.startswith(f"sound track {found[used - 1].name} of {len(tracks)} is used")


@pytest.mark.parametrize(("name", "codec"), [("film.mp4", "aac"), ("film.mov", "pcm_s16le"), ("film.ts", "mp2")])
def test_in_other_containers(tmp_path, name, codec):
    tracks = [
        ({"title": "Audio description", "language": "eng"}, Disposition.visual_impaired, None),
        ({"title": "Main", "language": "eng"}, MAIN, None),
    ]
    found = tracks_of(make_tracks(tmp_path / name, tracks, codec=codec, seconds=0.2))
    assert ([track.purpose for track in found], [track.language for track in found]) == (
        [Purpose.DESCRIPTION, Purpose.FILM],
        ["eng", "eng"],
    )


def test_how_tracks_are_named_and_told():
    tracks = (
        SoundTrack(1, "Main", "eng", default=True),
        SoundTrack(2, "Audio description", "eng", purpose=Purpose.DESCRIPTION),
        SoundTrack(3, "", "ger", purpose=Purpose.COMMENTARY),
    )
    assert [track.name for track in tracks] == [
        "1 “Main” (eng)",
        "2 “Audio description” (eng)",
        "3 (ger, a commentary)",
    ]
    assert [note.what for note in about_tracks(tracks, None)] == [
        "sound track 1 “Main” (eng) of 3 is used; not used: 2 “Audio description” (eng), 3 (ger, a commentary)"
    ]
    other = [note.what for note in about_tracks(tracks, 2)]
    assert other[0].startswith("sound track 2")
    assert "seems to hold audio description" in other[1]
    assert about_tracks(tracks[:1], None) == about_tracks((), None) == ()
    many = tuple(SoundTrack(number) for number in range(1, 21))
    assert about_tracks(many, None)[0].what.endswith("not used: 2, 3, 4, 5, 6, 7, 8, 9, and 11 more")


def test_a_track_that_is_not_there_is_refused_with_those_that_are(tmp_path):
    film = make_tracks(tmp_path / "film.mkv", titled("Main", "Other"), seconds=0.2)
    for number in (0, 3, -1, 10**30):
        with pytest.raises(MediaError, match=r"film\.mkv has only sound tracks 1 “Main”, 2 “Other”"):
            next(make_peaks(film, number))
    single = make_tracks(tmp_path / "single.mkv", titled("Main"), seconds=0.2)
    with pytest.raises(MediaError, match=r"single\.mkv has only sound track 1 “Main”$"):
        next(make_peaks(single, 2))
    silent = make_clip(tmp_path / "silent.mp4", even(25, 1))
    assert tracks_of(silent) == ()
    with pytest.raises(MediaError, match=r"there is no sound track 1: .*has no sound"):
        about_tracks(tracks_of(silent), 1)


def test_the_waveform_is_that_of_the_track_and_cached_for_each(tmp_path):
    loud, low = np.full(16_000, 0.8), np.full(16_000, 0.2)
    film = make_tracks(
        tmp_path / "film.mkv", [({"title": "Audio description"}, MAIN, loud), ({"title": "Main"}, NONE, low)], seconds=1
    )
    assert [int(last_of(make_peaks(film, track)).bins.max()) for track in (None, 1, 2)] == [51, 204, 51]
    for track, level in ((None, 51), (1, 204), (1, 204), (2, 51)):
        assert int(PEAKS.of_track(track).of_film(film).bins.max()) == level
        assert cached(Kind.PEAKS, source_of(film, track=track)) is not None
    assert [track.title for track in probe(film).sound_tracks] == ["Audio description", "Main"]
