"""Measures all wordings of a script in this process, for commands; for the editor, `measuring_worker` does it."""

from __future__ import annotations

from adstudio.core.progress import OnProgress, Progress, Stage, ignore_progress
from adstudio.core.script import Script
from adstudio.speech.measuring import LengthsMeasured, MeasuringEvent, MeasuringFinished
from adstudio.speech.measuring_worker import measure
from adstudio.speech.unmeasured import add_measured, unmeasured_texts
from adstudio.speech.voice_lengths import Manner, VoiceLengths


def measured_lengths(script: Script, progress: OnProgress = ignore_progress) -> tuple[VoiceLengths, MeasuringFinished]:
    """How long the script's voice speaks its wordings, and how many of them it could not speak.

    Raises:
        SpeechError, SpeechRequestError: where the voice is missing, or does not work.
    """
    lengths = VoiceLengths()
    failed: set[tuple[Manner, str]] = set()
    arrived: list[MeasuringEvent] = []
    count, why, done = 0, "", 0
    total = sum(len(line.variants) for line in script.eventualities)

    def receive(event: MeasuringEvent) -> None:
        nonlocal done
        arrived.append(event)
        if isinstance(event, LengthsMeasured):
            done += len(event.lengths)
            progress(Progress(Stage.SPEAKING, done / total))

    progress(Progress(Stage.SPEAKING))
    while True:
        request = unmeasured_texts(script, None, lengths, failed)
        if not any(group.texts for group in request.groups):
            return lengths, MeasuringFinished(count, why)
        measure(request, receive)
        for event in arrived:
            if isinstance(event, MeasuringFinished):
                count, why = count + event.failed, why or event.why
        lengths = add_measured(lengths, request, arrived, failed)
        arrived.clear()
