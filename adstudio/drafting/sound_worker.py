"""Listens to a film's dialogue for the editor: see `sound_messages.PROTOCOL` for what is exchanged."""

from __future__ import annotations

import sys
from collections.abc import Callable

from adstudio.characters.film_words import words_in_film
from adstudio.characters.sound_messages import (
    PROTOCOL,
    ListenForSpeakers,
    ListenForWords,
    SoundEvent,
    SoundProgress,
    SoundRequest,
    SpeakersNamed,
    WordsHaveTimes,
)
from adstudio.characters.speakers import Evidence, name_speakers
from adstudio.characters.voices import VoiceProcess, cue_voices, without_voice
from adstudio.characters.word_times import split_at_words
from adstudio.drafting.speakers.evidence import speakers_in_screenplay
from adstudio.system.stop_request import StopRequest
from adstudio.system.worker import run_job

OUT_OF_MEMORY = "there is not enough memory to listen to this film: close other programs"
LEAST = 0.01
"""Progress by less is not reported."""


def main() -> int:
    """Do what one request asks; stopped, it ends the processes that it started."""
    return run_job(PROTOCOL, _work, stop=StopRequest(), out_of_memory=OUT_OF_MEMORY, background=True)


def _work(request: SoundRequest, send: Callable[[SoundEvent], None]) -> None:
    reported = 0.0

    def show(share: float) -> None:
        nonlocal reported
        if share - reported >= LEAST:
            reported = share
            send(SoundProgress(share))

    match request:
        case ListenForWords():
            known = {each.id: each for each in request.known}
            found = words_in_film(
                *(request.video, request.track, request.cues, request.language),
                known=known,
                end=request.end,
                on_share=show,
            )
            splits = split_at_words(request.cues, {each.id: each for each in found.words})
            send(WordsHaveTimes(found, tuple((name, start, end) for name, (start, end) in splits.items())))
        case ListenForSpeakers():
            by_screenplay = speakers_in_screenplay(request.screenplay, request.cues)
            words = {each.id: each for each in request.words}
            with VoiceProcess() as process:
                voices = cue_voices(process, request.video, request.track, request.cues, words, show)
            evidence = Evidence(by_screenplay, {}, voices)
            named = name_speakers(request.cues, request.people, evidence)
            send(SpeakersNamed(named, without_voice(request.cues, voices, {each.cue for each in named})))


if __name__ == "__main__":
    sys.exit(main())
