"""The job that listens to the dialogue for the editor, as a process."""

from __future__ import annotations

import os
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from adstudio.characters.sound_messages import (
    PROTOCOL,
    ListenForSpeakers,
    ListenForWords,
    SoundProgress,
    SpeakersNamed,
    WordsHaveTimes,
)
from adstudio.core.cast import SpeakerSource
from adstudio.core.script import Cue
from adstudio.sample_film import sample_paths
from adstudio.system.locations import resource
from adstudio.system.worker import STOPPED, Failed

FILM = sample_paths(Path(resource("sample"))).film
NORA = Cue("c1", 14_720, 18_760, "My umbrella. The red one. I left it on the six-forty.", "Nora")
TOM = Cue("c2", 28_000, 30_360, "No. Nothing red, I'm afraid.", "Tom")
CUES = (NORA, TOM, Cue("c3", 36_400, 39_320, "Things turn up. Try again on Thursday."))


def answer(request: ListenForWords | ListenForSpeakers):
    """The events of a job, its last one, and its exit code; its input stays open, as closing it would stop the job."""
    with started() as process:
        process.stdin.write(PROTOCOL.request_line(request))
        process.stdin.flush()
        events = [PROTOCOL.read_event(line) for line in process.stdout]
        return events, events[-1], process.wait(200)


def started():
    return subprocess.Popen(PROTOCOL.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)


@pytest.mark.skipif(find_spec("pocketsphinx") is None, reason="pocketsphinx is not installed")
def test_words_come_with_progress():
    events, found, code = answer(ListenForWords(FILM, None, "en-GB", CUES, (), 170_000))
    assert code == 0
    assert isinstance(found, WordsHaveTimes)
    assert [len(each.words) for each in found.found.words] == [11, 5, 7]
    assert [event.fraction for event in events if isinstance(event, SoundProgress)] == [1 / 3, 2 / 3, 1.0]


@pytest.mark.skipif(find_spec("resemblyzer") is None, reason="Resemblyzer is not installed")
def test_speakers_come_by_their_voices():
    _, found, code = answer(ListenForSpeakers(FILM, None, CUES, (), (), None))
    assert code == 0
    assert isinstance(found, SpeakersNamed)
    assert [(each.speaker, each.source) for each in found.named] == [
        ("Nora", None),
        ("Tom", None),
        ("Tom", SpeakerSource.VOICE),
    ]


def test_a_film_that_is_not_there_is_said(tmp_path):
    _, found, code = answer(ListenForWords(tmp_path / "no.mp4", None, "en", CUES, (), 170_000))
    assert isinstance(found, Failed)
    assert code == 2


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for child processes in /proc")
@pytest.mark.skipif(find_spec("resemblyzer") is None, reason="Resemblyzer is not installed")
def test_a_job_whose_editor_is_gone_ends_with_its_own_process():
    cues = tuple(Cue(f"c{n}", 500 * n, 500 * n + 30_000, "words") for n in range(1, 250))
    process = started()
    process.stdin.write(PROTOCOL.request_line(ListenForSpeakers(FILM, None, cues, (), (), None)))
    process.stdin.flush()
    assert isinstance(PROTOCOL.read_event(process.stdout.readline()), SoundProgress)
    children = [int(each) for each in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
    assert children
    process.stdin.close()
    assert process.wait(60) == STOPPED
    process.stdout.close()
    for child in children:
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)
