"""W1: lines that go on with a sentence whose beginning is not spoken right before them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from adstudio.editing.sentences import goes_on
from adstudio.quality.findings import Finding, MidSentence
from adstudio.quality.rules import MID_SENTENCE
from adstudio.quality.spoken import SpokenLine

_ENDED = re.compile(r"(?:(?<!\.)\.|[!?。！？։])[\s)\]）]*\Z")
"""A sentence goes on behind an ellipsis (“He stops…” – “then goes.”) and behind speech (“Stop!” – he shouts.)."""


def mid_sentence(lines: Sequence[SpokenLine]) -> Iterator[Finding]:
    """Lines in the order of time that begin with a small letter after a sentence that has ended, or after nothing.

    In a script that begins most lines so, that says nothing.
    """
    going_on = {line for line in lines if goes_on(line.text)}
    if 2 * len(going_on) > len(lines):
        return
    for before, line in pairwise((None, *lines)):
        if line is None or line not in going_on:
            continue
        same_scene = before is not None and before.line.scene == line.line.scene
        if before is None or not same_scene or _ENDED.search(before.text):
            facts = MidSentence(before.id if before is not None and same_scene else "")
            yield Finding(MID_SENTENCE, MID_SENTENCE.level, (line.id,), line.span, facts)
