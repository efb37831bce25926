"""`adstudio words` and `adstudio speakers` on the sample film, and on what cannot be listened to."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from cli_running import Run

from adstudio.characters.cue_sound import cue_sounds
from adstudio.core.cast import SpeakerSource
from adstudio.core.film import Film
from adstudio.core.script import Cue, CueKind, Script
from adstudio.core.timebase import Span
from adstudio.gaps.gaps import gaps_of
from adstudio.media.probe import probe
from adstudio.media.silero import SAMPLE_RATE
from adstudio.sample_film import sample_paths
from adstudio.speech.sound import encoded
from adstudio.store.media import fingerprint
from adstudio.store.project import ProjectFile
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles
from adstudio.system.locations import resource

SAMPLE = sample_paths(Path(resource("sample")))
needs_sphinx = pytest.mark.skipif(find_spec("pocketsphinx") is None, reason="pocketsphinx is not installed")
needs_voices = pytest.mark.skipif(find_spec("resemblyzer") is None, reason="Resemblyzer is not installed")


def project_of(
    folder: Path, cues: tuple[Cue, ...], *, language: str = "en-GB", film: Path | None = SAMPLE.film
) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "film.adproj"
    media = None
    if film is not None:
        media = probe(film).media(str(film), film.name, film.stat().st_size, fingerprint(film))
    ProjectFile.create(path, Script(Film("Film", 164_000, language, media=media), cues=cues)).close()
    return path


def script_of(path: Path) -> Script:
    with ProjectFile.open(path, read_only=True) as opened:
        return opened.saved_script


@pytest.fixture(scope="module")
def labelled() -> tuple[Cue, ...]:
    return dialogue(read_subtitles(SAMPLE.sdh_srt)).cues


@needs_sphinx
def test_words_are_saved_in_the_project_and_cues_that_the_sound_contradicts_are_listed(run: Run, tmp_path, labelled):
    first = labelled[2]
    late = (replace(first, start=first.start + 600), *labelled[3:8])
    path = project_of(tmp_path, late)
    assert run("words", path, "--dry-run").code == 0
    assert script_of(path).word_times == ()
    done = run("words", path)
    assert done.code == 0, done.err
    assert "starts 0.5" in done.out.decode()
    words = script_of(path).words_by_cue
    assert words[first.id].words[0].start == pytest.approx(first.start + 20, abs=60)
    again = run("words", path, "--json")
    assert again.json["format"] == "adstudio-words/1"
    assert "nothing was changed" in again.err


@needs_sphinx
def test_subtitles_of_another_language_are_said_to_be_so_and_nothing_is_saved(run: Run, tmp_path, labelled):
    german = "Ich weiß nicht, was soll es bedeuten, dass ich so traurig bin"
    cues = tuple(replace(cue, text=german) for cue in labelled if cue.kind.value == "speech")
    path = project_of(tmp_path, cues)
    done = run("words", path)
    assert done.code == 1
    assert "another language" in done.err
    assert script_of(path).word_times == ()


@pytest.fixture
def half_heard(tmp_path, labelled) -> Path:
    """A project of the whole sample film whose sound ends after a minute."""
    minute = dict(cue_sounds(SAMPLE.film, None, [Span(0, 30_000), Span(30_000, 60_000)]))
    sound = tmp_path / "film.wav"
    sound.write_bytes(encoded(np.concatenate((minute[0], minute[1])), SAMPLE_RATE))
    return project_of(tmp_path, labelled, film=sound)


@needs_sphinx
def test_words_past_the_end_of_the_sound_are_said_to_be_there_and_those_before_are_found(
    run: Run, half_heard: Path, labelled
):
    spoken = [cue for cue in labelled if cue.kind is CueKind.SPEECH]
    before = [cue for cue in spoken if cue.end < 60_000]
    done = run("words", half_heard)
    assert done.code == 0, done.err
    assert f"of {len(before)} cues found in the sound" in done.err
    assert f"{len(spoken) - len(before)} cues past the end of the film’s sound, at 00:01:00" in done.err
    assert {name for name, words in script_of(half_heard).words_by_cue.items() if words.words} == {
        cue.id for cue in before
    }


@needs_voices
def test_nobody_is_named_by_a_voice_past_the_end_of_the_sound(run: Run, half_heard: Path, labelled):
    with ProjectFile.open(half_heard) as opened:
        first = opened.saved_script.cues[2]
    nameless = tuple(
        replace(cue, speaker=cue.speaker if cue.id == first.id else None, speaker_source=None) for cue in labelled
    )
    path = project_of(half_heard.parent / "nameless", nameless, film=half_heard.with_name("film.wav"))
    done = run("speakers", path)
    assert done.code == 0, done.err
    behind = [cue.id for cue in nameless if cue.kind is CueKind.SPEECH and cue.start >= 60_000]
    assert not any(cue.speaker for cue in script_of(path).cues if cue.id in behind)
    assert f"{len(behind)} cues are silent in the film’s sound" in done.err


def test_a_project_without_a_film_is_refused(run: Run, tmp_path, labelled):
    path = project_of(tmp_path, labelled, film=None)
    for command in ("words", "speakers"):
        run(command, path).refused(2, "film.adproj")


def test_a_language_without_an_engine_says_so(run: Run, tmp_path, labelled):
    path = project_of(tmp_path, labelled, language="tlh-x-none")
    run("words", path).refused(3, "espeak-ng")


@needs_voices
def test_a_few_names_are_carried_to_all_cues_of_their_voices(run: Run, tmp_path, labelled):
    named = {"c3", "c4", "c15", "c20"}
    cues = tuple(cue if cue.id in named else replace(cue, speaker=None) for cue in labelled)
    path = project_of(tmp_path, cues)
    done = run("speakers", path)
    assert done.code == 0, done.err
    gold = {cue.id: cue.speaker for cue in labelled if cue.kind.value == "speech"}
    found = {cue.id: cue.speaker for cue in script_of(path).cues}
    assert sum(found[name] == speaker for name, speaker in gold.items()) >= 22
    assert sum(found[name] not in (speaker, None) for name, speaker in gold.items()) <= 1


def test_turns_of_another_program_name_cues_and_a_wrong_file_is_refused(run: Run, tmp_path, labelled):
    path = project_of(tmp_path, tuple(replace(cue, speaker=None) for cue in labelled))
    turns = tmp_path / "turns.json"
    segments = [{"start": 11, "end": 14.6, "speaker": "Tom"}, {"start": 14.7, "end": 19, "speaker": "SPEAKER_01"}]
    turns.write_text(json.dumps(segments))
    assert run("speakers", path, "--turns", turns).code == 0
    assert [cue.speaker for cue in script_of(path).cues if cue.speaker] == ["Tom"]
    turns.write_text("SPEAKER nothing\n")
    run("speakers", path, "--turns", turns).refused(2, str(turns))


def test_turns_that_miss_the_dialogue_are_refused_and_take_nothing_back(run: Run, tmp_path, labelled):
    cues = tuple(replace(cue, speaker="Tom", speaker_source=SpeakerSource.VOICE) for cue in labelled)
    path = project_of(tmp_path, cues)
    turns = tmp_path / "turns.rttm"
    turns.write_text("SPEAKER film 1 4.0 4.0 <NA> <NA> Nora <NA> <NA>\n")  # the first word is said at 11.2 s
    run("speakers", path, "--turns", turns).refused(2, "has nobody speaking where the subtitles have speech")
    turns.write_text("SPEAKER film 1 11200 3000 <NA> <NA> Nora <NA> <NA>\n")
    run("speakers", path, "--turns", turns).refused(2, "begins at 11,200 s, but the film ends at 164 s")
    assert script_of(path).cues == cues


def test_turns_over_turns_name_nobody_and_turns_of_another_film_are_refused(run: Run, tmp_path, labelled):
    path = project_of(tmp_path, tuple(replace(cue, speaker=None) for cue in labelled))
    turns = tmp_path / "turns.rttm"
    whole = "SPEAKER one 1 0 165 <NA> <NA> {} <NA> <NA>\n"
    turns.write_text(whole.format("Tom") + whole.format("Nora"))
    done = run("speakers", path, "--turns", turns)
    assert done.code == 0
    spoken = sum(cue.kind is CueKind.SPEECH for cue in labelled)
    assert f"{spoken} cues are covered by turns of several speakers about alike" in " ".join(done.err.split())
    assert "name a cue of each" not in done.err
    assert {cue.speaker for cue in script_of(path).cues} == {None}
    turns.write_text(whole.format("Tom") + whole.replace("one", "two").format("Nora"))
    run("speakers", path, "--turns", turns).refused(2, "is about 2 recordings (“one”, “two”)")


def test_turns_of_letters_name_nobody_and_that_is_said(run: Run, tmp_path, labelled):
    path = project_of(tmp_path, tuple(replace(cue, speaker=None) for cue in labelled))
    turns = tmp_path / "turns.json"
    segments = [{"start": 11.2, "end": 14.5, "speaker": "A"}, {"start": 14.7, "end": 18.7, "speaker": "male_1"}]
    turns.write_text(json.dumps(segments))
    done = run("speakers", path, "--turns", turns)
    assert "named no cue: name a cue of each of its voices" in done.err
    assert {cue.speaker for cue in script_of(path).cues} == {None}


def test_recognised_words_are_laid_on_the_cues_without_hearing_the_film(run: Run, tmp_path, labelled):
    path = project_of(tmp_path, labelled, film=None)
    words = tmp_path / "words.json"
    red = {"cues": [{"cue": "c5", "words": [{"text": "Red", "start": 20.02, "end": 20.38, "confidence": 0.9}]}]}
    words.write_text(json.dumps(red))
    # One word of one cue: the file does not say what most cues say.
    done = run("words", path, "--recognised", words)
    assert done.code == 1
    assert f"{words.name} does not say what the subtitles say" in " ".join(done.err.split())
    assert "the sound" not in done.err
    path = project_of(tmp_path / "two", labelled[2:5], film=None)
    done = run("words", path, "--recognised", words)
    assert done.code == 0
    assert "1 word of 1 cue found in the file; 2 cues not known, as the file lacks most of their words" in done.err
    assert [word.start for each in script_of(path).word_times for word in each.words] == [20_020]


def test_recognised_words_past_the_films_end_are_said_to_be_so_and_known_ones_stay(run: Run, tmp_path, labelled):
    path = project_of(tmp_path, labelled[2:5], film=None)
    words = tmp_path / "words.json"
    words.write_text('[{"word": "Red", "start": 20.02, "end": 20.38}]')
    assert run("words", path, "--recognised", words).code == 0
    known = script_of(path).word_times
    words.write_text('[{"word": "Red", "start": 20020, "end": 20380}]')
    run("words", path, "--recognised", words).refused(2, "begins at 20,020 s, but the film ends at 164 s")
    words.write_text('[{"word": "Blue", "start": 20.02, "end": 20.38}]')
    assert run("words", path, "--recognised", words).code == 1
    assert script_of(path).word_times == known


@needs_sphinx
def test_a_draft_whose_dialogue_counts_by_its_words_finds_them_first(run: Run, tmp_path):
    subtitles = tmp_path / "held.srt"
    # Said until 111.2 s.
    subtitles.write_text("1\n00:01:49,600 --> 00:01:54,000\nGood evening, Miss Vale.\n", "utf-8")
    candidates = tmp_path / "lines.json"
    candidates.write_text(json.dumps([{"text": "He looks up.", "start": 111.6, "end": 113.6}]), "utf-8")
    given = ("--subtitles", subtitles, "--candidates", candidates)
    project = tmp_path / "film.adproj"
    done = run("draft", SAMPLE.film, *given, "--word-edges", "-o", project)
    assert done.code == 0, done.err
    script = script_of(project)
    assert script.settings.gaps.word_edges
    (words,) = script.word_times
    assert len(words.words) == 4
    free = gaps_of(script).gaps
    assert 111_200 < free[1].start < 112_000, "free while the subtitle is only held, but for words and margin"
    run("draft", "--end", "200", *given, "--word-edges", "-o", tmp_path / "x.adproj").refused(2, "--word-edges")
    run("draft", SAMPLE.film, "--candidates", candidates, "--word-edges", "-o", tmp_path / "x.adproj").refused(
        2, "give both, the film and --subtitles"
    )
