"""The voice of each cue of a film."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.characters.alignment_process import pcm
from adstudio.characters.cue_sound import cue_sounds
from adstudio.characters.restarted_process import RestartedProcess
from adstudio.characters.voice_messages import PROTOCOL, MeasureVoice, VoiceMeasured
from adstudio.characters.voices_cached import cached_voices, store_voices
from adstudio.characters.word_times import spoken
from adstudio.core.counts import counted
from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.core.word_times import CueWords
from adstudio.media.cache import source_of
from adstudio.system.save_pace import SavePace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OnShare = Callable[[float], None]
Voices = Mapping[str, "NDArray[np.float32]"]
"""The vector of each cue's voice, of length 1, by the id of the cue."""


class VoiceProcess(RestartedProcess[MeasureVoice, VoiceMeasured]):
    """Measures voices in a process of its own; used as a context manager, which ends it."""

    def __init__(self) -> None:
        super().__init__(PROTOCOL, "telling voices apart")

    def voice(self, sound: NDArray[np.float32]) -> NDArray[np.float32] | None:
        """As `VoiceEncoder.voice`; None too where the process crashed at it. Raises as `ask`."""
        import numpy as np

        found = self.ask(MeasureVoice(pcm(sound)))
        return None if found is None or found.vector is None else np.frombuffer(found.vector, "<f4")


def cue_voices(
    process: VoiceProcess,
    video: Path,
    track: int | None,
    cues: Sequence[Cue],
    words: Mapping[str, CueWords],
    on_share: OnShare | None = None,
    *,
    fingerprint: str = "",
) -> dict[str, NDArray[np.float32]]:
    """The voice of each spoken cue, taken from where its words are known to be, else from all of it.

    A stretch of sound that was measured before is not measured again; what was by the time of an error is kept.
    `fingerprint` is the film's, if known.

    Raises:
        NoSoundError: if the film has no sound track.
        MediaError: for what is no film that can be read.
        OutsideFailureError: if the model is not installed, or the file may not be read.
    """
    spans = {cue.id: _speech(cue, words.get(cue.id)) for cue in cues if spoken(cue)}
    source = source_of(video, fingerprint, track)
    before = cached_voices(source)
    known = {span: before[span] for span in spans.values() if span in before}
    missing = sorted({*spans.values()} - known.keys())
    pace = SavePace()
    try:
        for done, (number, sound) in enumerate(cue_sounds(video, track, missing) if missing else (), 1):
            known[missing[number]] = process.voice(sound)
            if pace.is_due:
                with pace.saving():
                    store_voices(source, before | known)
            if on_share is not None:
                on_share(done / len(missing))
    finally:
        if missing:
            # Other cues of the film may come back: what they were is kept as well.
            store_voices(source, before | known)
    return {name: voice for name, span in spans.items() if (voice := known.get(span)) is not None}


def without_voice(cues: Sequence[Cue], voices: Voices, named: Collection[str]) -> str:
    """How many cues have neither a voice nor are `named` (ids), as a sentence; empty for none."""
    count = sum(1 for cue in cues if spoken(cue) and cue.id not in voices and cue.id not in named)
    are = "is" if count == 1 else "are"
    return f"{counted(count, 'cue')} {are} silent in the film’s sound, or too short to know a voice by" if count else ""


def _speech(cue: Cue, words: CueWords | None) -> Span:
    if words is None or not words.words:
        return Span(cue.start, cue.end)
    return Span(words.words[0].start, words.words[-1].end)
