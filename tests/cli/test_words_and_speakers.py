"""`adstudio words` and `adstudio speakers` on the sample film, and on what cannot be listened to."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from cli_running import Run

from adstudio.core.film import Film
from adstudio.core.script import Cue, Script
from adstudio.media.probe import probe
from adstudio.sample_film import sample_paths
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
