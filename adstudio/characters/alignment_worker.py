"""Finds words in sound in a process of its own: see `alignment_messages.PROTOCOL` for what is exchanged.

The engines are C code that may end its process; whoever asks starts another one.
"""

from __future__ import annotations

import sys
from functools import cache

from adstudio.characters.alignment import Aligner
from adstudio.characters.alignment_messages import PROTOCOL, FindWords, PrepareWords, WordsFound
from adstudio.core.language_tags import primary_subtag
from adstudio.system.background_priority import lower_priority, wait_for_quiet
from adstudio.system.worker import answer_requests


def main() -> int:
    """Answer until the input ends."""
    lower_priority()
    return answer_requests(PROTOCOL, _answer)


def _answer(request: FindWords | PrepareWords) -> WordsFound:
    wait_for_quiet()
    aligner = _aligner(request.language)
    if isinstance(request, PrepareWords):
        aligner.prepare(request.words)
        return WordsFound(None)
    import numpy as np

    sound = np.frombuffer(request.sound, "<i2").astype(np.float32) / np.float32(32_768)
    return WordsFound(aligner.align(sound, request.words))


@cache
def _aligner(language: str) -> Aligner:
    if primary_subtag(language) == "en":
        from adstudio.characters.sphinx_alignment import SphinxAligner

        return SphinxAligner()
    from adstudio.characters.synthesis_alignment import SynthesisAligner

    return SynthesisAligner(language)


if __name__ == "__main__":
    sys.exit(main())
