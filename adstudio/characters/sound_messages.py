"""The messages between the editor and the job that listens to a film's dialogue."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adstudio.characters.speakers import NamedCue
from adstudio.characters.word_times import FoundWords
from adstudio.core.cast import People
from adstudio.core.script import Cue
from adstudio.core.word_times import CueWords
from adstudio.system.worker import Failed, WorkerProtocol


@dataclass(frozen=True)
class ListenForWords:
    """Find the words of cues in the sound of their film, but those that are `known`; answered by `WordsHaveTimes`."""

    video: Path
    track: int | None
    language: str
    cues: tuple[Cue, ...]
    known: tuple[CueWords, ...]
    end: int


@dataclass(frozen=True)
class ListenForSpeakers:
    """Find who speaks cues; answered by `SpeakersNamed`. The `screenplay` is aligned with them where it is there."""

    video: Path
    track: int | None
    cues: tuple[Cue, ...]
    words: tuple[CueWords, ...]
    people: People
    screenplay: Path | None


@dataclass(frozen=True)
class SoundProgress:
    """How much of the dialogue has been listened to, 0 to 1."""

    fraction: float


@dataclass(frozen=True)
class WordsHaveTimes:
    """When words are spoken, and new times (id, start, end) of the parts of split subtitles."""

    found: FoundWords
    splits: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class SpeakersNamed:
    """Who speaks; cues of which nobody can say it are left out. `remark` says of how many there is no sound."""

    named: tuple[NamedCue, ...]
    remark: str = ""


SoundRequest = ListenForWords | ListenForSpeakers
SoundEvent = SoundProgress | WordsHaveTimes | SpeakersNamed | Failed
PROTOCOL = WorkerProtocol[SoundRequest, SoundEvent]("adstudio.drafting.sound_worker", SoundRequest, SoundEvent)
