"""From a film whose subtitles name nobody to a named cast, through the display, with real keys."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from display import Program

from adstudio.core.film import Film
from adstudio.core.script import Script
from adstudio.store.media import source_file
from adstudio.store.project import ProjectFile
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles

MOST_KEYS = 60
"""Forty for the sample film: 24 cues, a description of nine letters, and seven to get about."""


def test_an_unnamed_film_gets_a_named_cast(on_display: Callable[..., Program], tmp_path: Path, sample_folder: Path):
    if shutil.which("xdotool") is None:
        pytest.skip("xdotool is not installed; packaging/test.sh installs it")
    cues = dialogue(read_subtitles(sample_folder / "dialogue.srt")).cues
    labelled = dialogue(read_subtitles(sample_folder / "dialogue.sdh.srt")).cues
    truth = [cue.speaker for cue in labelled if cue.speaker]
    assert len(truth) == len(cues) == 24
    assert not any(cue.speaker for cue in cues)
    (tmp_path / "truth.txt").write_text("\n".join(truth), "utf-8")
    project = tmp_path / "film.adproj"
    film = Film("The umbrella", 160_000, screenplay=source_file(sample_folder / "screenplay.fountain", project))
    ProjectFile.create(project, Script(film, cues=cues)).close()
    program = on_display(Path(__file__).with_name("name_cast.py"), tmp_path)
    assert program.wait(150) == 0, program.said()
    assert "ARRIVED" in program.said()
    assert "Traceback" not in program.said()
    keys = int(program.said().split(" keys")[0].split()[-1])
    assert keys <= MOST_KEYS
