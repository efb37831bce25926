"""The files of the shipped film, read as others would read them."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import numpy as np
import pysrt
import pysubs2
from sample_watching import Watched

from adstudio.core.words import spoken_ms
from adstudio.sample_film import TITLE, SampleFilm
from sample_film.source import RATES, FilmSource

LARGEST_FILM = 8_000_000
_ELEMENT_KEYS = {
    "scene_description_extract", "audio_description", "compressed_audio_descriptions",
    "occurrence_start", "occurrence_end", "salience",
}  # fmt: skip


def _cues(sample_film: SampleFilm) -> list[tuple[int, int, str]]:
    found = pysrt.open(str(sample_film.srt), encoding="utf-8", error_handling=pysrt.ERROR_RAISE)
    return [(cue.start.ordinal, cue.end.ordinal, " ".join(cue.text.split())) for cue in found]


def _gaps(sample_film: SampleFilm, end: int) -> list[tuple[int, int]]:
    edges = [0, *(edge for start, stop, _ in _cues(sample_film) for edge in (start, stop)), end]
    return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= 1000]


def test_every_file_is_there_and_nothing_else(sample_film: SampleFilm) -> None:
    assert {path.name for path in sample_film.paths} == {
        "film.mp4", "dialogue.srt", "dialogue.vtt", "dialogue.sdh.srt", "screenplay.fountain", "description.txt",
        "candidates.json", "reference-british.vtt", "reference-american.vtt",
    }  # fmt: skip
    assert set(sample_film.film.parent.iterdir()) == set(sample_film.paths)
    assert all(path.stat().st_size > 200 for path in sample_film.paths)
    assert sample_film.film.stat().st_size <= LARGEST_FILM


def test_its_title_is_the_written_one(source: FilmSource) -> None:
    assert source.title == TITLE


def test_dialogue_is_in_order_on_frames_and_inside_the_film(sample_film: SampleFilm, source: FilmSource) -> None:
    cues = _cues(sample_film)
    assert [text for _, _, text in cues] == [line.text for shot in source.shots for line in shot.lines]
    for before, after in pairwise(cues):
        assert before[1] <= after[0]
    for start, end, _ in cues:
        assert 0 <= start < end <= source.end
        assert start % 40 == end % 40 == 0


def test_srt_and_vtt_say_the_same(sample_film: SampleFilm) -> None:
    vtt = sample_film.vtt.read_text(encoding="utf-8")
    assert vtt.startswith("WEBVTT\n\n")
    read = pysubs2.SSAFile.from_string(vtt, "vtt")
    said = [
        (line.start, line.end, " ".join(re.sub(r"<[^>]*>", "", line.text).replace("\\N", " ").split())) for line in read
    ]
    assert said == _cues(sample_film)
    assert set(re.findall(r"<v ([^>]+)>", vtt)) == {"Nora", "Tom", "Announcer", "Guard"}


def test_sdh_names_speakers_sounds_and_music(sample_film: SampleFilm, source: FilmSource) -> None:
    entries = list(pysrt.open(str(sample_film.sdh_srt), encoding="utf-8", error_handling=pysrt.ERROR_RAISE))
    for before, after in pairwise(entries):
        assert before.end <= after.start
    assert entries[-1].end.ordinal <= source.end
    text = "\n".join(entry.text for entry in entries)
    for name in ("NORA:", "TOM:", "ANNOUNCER:", "GUARD:"):
        assert name in text
    assert "♪" in text
    assert re.search(r"^\[[a-z ]+\]$", text, re.MULTILINE)
    spoken = [e for e in entries if re.search(r"^[A-Z]+: ", e.text, re.MULTILINE)]
    assert [(e.start.ordinal, e.end.ordinal) for e in spoken] == [(start, end) for start, end, _ in _cues(sample_film)]


def test_gaps_are_like_a_films(sample_film: SampleFilm, source: FilmSource) -> None:
    gaps = [b - a for a, b in _gaps(sample_film, source.end)]
    assert len(gaps) >= 15
    assert min(gaps) < 1600
    assert 9000 < max(gaps) < 13_000
    spoken = sum(end - start for start, end, _ in _cues(sample_film))
    assert 0.2 < spoken / source.end < 0.5


def test_there_is_more_to_tell_than_time_to_tell_it(sample_film: SampleFilm, source: FilmSource) -> None:
    free = sum(b - a for a, b in _gaps(sample_film, source.end))
    told = sum(spoken_ms(e.text, 200) for scene in source.scenes for e in scene.elements if e.occurrence)
    assert 1.5 < told / free < 2.5


def test_candidates_are_the_papers_array_scene_by_scene(sample_film: SampleFilm, source: FilmSource) -> None:
    data = json.loads(sample_film.candidates.read_text(encoding="utf-8"))
    assert set(data) == {"scenes"}
    description = sample_film.description.read_text(encoding="utf-8")
    paragraphs = description.strip().split("\n\n")
    assert len(paragraphs) == len(data["scenes"]) == 3
    for scene, raw, paragraph in zip(source.scenes, data["scenes"], paragraphs, strict=True):
        assert (raw["id"], raw["start"], raw["end"]) == (scene.id, scene.start / 1000, scene.end / 1000)
        assert " ".join(e["scene_description_extract"] for e in raw["elements"]) == paragraph
        for element in raw["elements"]:
            assert set(element) == _ELEMENT_KEYS
            assert tuple(element["compressed_audio_descriptions"]) == RATES
            if element["occurrence_start"] is None:
                assert element["occurrence_end"] is None
                assert element["salience"] is None
            else:
                assert 0 <= element["occurrence_start"] < element["occurrence_end"] <= raw["end"] - raw["start"] + 1e-9
                assert 0 < element["salience"] < 1


def test_screenplay_holds_headings_action_and_dialogue_in_order(sample_film: SampleFilm, source: FilmSource) -> None:
    text = sample_film.screenplay.read_text(encoding="utf-8")
    assert text.startswith("Title: Things Turn Up\n")
    place = 0
    for scene in source.scenes:
        place = text.index(f"\n\n{scene.heading}\n\n", place) + 1
        for shot in scene.shots:
            for action in shot.action:
                place = text.index(action, place)
            for line in shot.lines:
                place = text.index(f"\n\n{source.voices[line.voice].name.upper()}\n{line.text}\n", place) + 1
    assert len(re.findall(r"^(INT|EXT)", text, re.MULTILINE)) == 3


def test_references_fit_the_gaps_and_can_be_spoken(sample_film: SampleFilm, source: FilmSource) -> None:
    gaps = _gaps(sample_film, source.end)
    for path in (sample_film.reference_british, sample_film.reference_american):
        text = path.read_text(encoding="utf-8")
        assert text.startswith("WEBVTT")
        assert "Kind: descriptions" in text.split("\n\n", 1)[0]
        read = list(pysubs2.SSAFile.from_string(text, "vtt"))
        assert len(read) >= 30
        for before, after in pairwise(read):
            assert before.end <= after.start
        for line in read:
            assert any(a <= line.start and line.end <= b for a, b in gaps), line.text
            assert spoken_ms(line.text, 200) <= line.end - line.start, line.text


def test_film_is_what_it_should_be(watched: Watched, source: FilmSource) -> None:
    assert watched.codecs == ("h264", "aac")
    assert watched.frame_rate == 25
    assert watched.size == (960, 540)
    assert len(watched.pictures) * 40 == source.end
    assert abs(len(watched.sound) / watched.rate - source.end / 1000) < 0.1
    assert "creation_time" not in watched.tags


def test_picture_changes_at_every_cut(watched: Watched, source: FilmSource) -> None:
    steps = np.abs(np.diff(watched.pictures.astype(np.int16), axis=0)).mean(axis=(1, 2))
    for shot in source.shots[1:]:
        assert steps[shot.start // 40 - 1] > 8, shot.id


def test_picture_moves_within_every_shot(watched: Watched, source: FilmSource) -> None:
    for shot in source.shots:
        first, last = shot.start // 40, shot.end // 40
        within = watched.pictures[first:last].astype(np.int16)
        assert np.abs(within - within[0]).max(axis=(1, 2)).max() > 20, shot.id


def _rms(watched: Watched, start: int, end: int) -> float:
    piece = watched.sound[start * watched.rate // 1000 : end * watched.rate // 1000]
    return float(np.sqrt(np.mean(piece.astype(np.float64) ** 2)))


def test_speech_fills_its_cues(sample_film: SampleFilm, watched: Watched) -> None:
    for start, end, text in _cues(sample_film):
        assert 20 * np.log10(_rms(watched, start, end)) > -32, text
        # Both edges are speech, not silence that was left on.
        quarter = min(240, (end - start) // 3)
        for a, b in ((start, start + quarter), (end - quarter, end)):
            assert 20 * np.log10(_rms(watched, a, b)) > -46, text


def test_gaps_are_never_silent(sample_film: SampleFilm, watched: Watched, source: FilmSource) -> None:
    for start, end in _gaps(sample_film, source.end):
        for a in range(start + 500, end - 700, 250):
            assert 20 * np.log10(_rms(watched, a, a + 250) + 1e-9) > -60, a


def test_peak_stays_below_full_scale(watched: Watched) -> None:
    assert np.abs(watched.sound).max() <= 10 ** (-1 / 20)
