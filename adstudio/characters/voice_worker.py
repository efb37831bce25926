"""Measures voices in a process of its own: see `voice_messages.PROTOCOL` for what is exchanged."""

from __future__ import annotations

import os
import sys
from functools import cache

# One thread: the matrices are small, and threads that wait for one another take the editor's time.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

from adstudio.characters.voice_embeddings import VoiceEncoder
from adstudio.characters.voice_messages import PROTOCOL, MeasureVoice, VoiceMeasured
from adstudio.system.background_priority import lower_priority, wait_for_quiet
from adstudio.system.worker import answer_requests


def main() -> int:
    """Answer until the input ends."""
    lower_priority()
    return answer_requests(PROTOCOL, _answer)


def _answer(request: MeasureVoice) -> VoiceMeasured:
    wait_for_quiet()
    found = _encoder().voice(np.frombuffer(request.sound, "<i2").astype(np.float32) / np.float32(32_768))
    return VoiceMeasured(None if found is None else found.astype("<f4").tobytes())


@cache
def _encoder() -> VoiceEncoder:
    return VoiceEncoder()


if __name__ == "__main__":
    sys.exit(main())
