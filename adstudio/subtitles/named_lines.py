"""Cues whose first or other lines name their speakers: “MAN 1: Looks like a tie.” above “ANNA: It is.”."""

from __future__ import annotations

import re
from typing import NamedTuple

from adstudio.subtitles.labels import HYPHENED, HYPHENS, SENTENCE_END, bracketed
from adstudio.subtitles.speakers import bracket_is_name, speaker_prefix, without_change_mark

_WIDE = "（［【〔"
_BRACKET = re.compile(r"\s*[\[(（［【〔]")


class Labels(NamedTuple):
    """What labels mean in a file, in capitals: names beyond doubt, and what stands alone, as sounds do."""

    names: frozenset[str] = frozenset()
    sounds: frozenset[str] = frozenset()


def named_parts(text: str, labels: Labels) -> list[str]:
    """Each speaker's text, if a line after the first begins with a name or a change mark; else one part.

    A name that is spelt like any other word counts if the first line begins with one too, and so does a hyphen after
    the end of a sentence. Lines with nothing but a label ahead of the first name say nothing, and are dropped.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or not any(sign in text for sign in (":", "：", ">>", *_WIDE, "[", "(")):
        return [text]
    shouted = text == text.upper()
    # A name can have a line of its own, above what is said.
    ahead = [line + ("\n" if line is not lines[-1] else "") for line in lines]
    marks = [_mark(line, labels, shouted=shouted) for line in ahead]
    least = 1 if marks[0] else 2
    for k in range(1, len(lines) if marks[0] else 0):
        hyphen = HYPHENED.match(lines[k])
        if hyphen and SENTENCE_END.search(lines[k - 1]):
            lines[k], marks[k] = lines[k][hyphen.end() :], 2
    starts = [0, *(k for k in range(1, len(lines)) if marks[k] >= least)]
    if len(starts) == 1:
        return [text]
    parts = ["\n".join(lines[start:stop]) for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True)]
    return parts[1:] if not marks[0] and _only_labels(parts[0]) else parts


def labels_alone(text: str) -> set[str]:
    """The labels in brackets, in capitals, that make up a whole text."""
    groups, odd = bracketed(text) if _BRACKET.match(text) else ([], True)
    return set() if odd or not _only_labels(text) else {" ".join(group.inner.split()).upper() for group in groups}


def _mark(line: str, labels: Labels, *, shouted: bool) -> int:
    """Whether a line begins with a name: 2 beyond doubt, 1 as it seems, 0 not."""
    body = without_change_mark(line.strip())
    if body != line.strip():
        return 2
    prefix = speaker_prefix(body, known=labels.names, shouted=shouted)
    if prefix is not None and (prefix[2].strip() or line.endswith("\n")):
        name = prefix[0]
        capitals = name == name.upper() != name.lower() and not shouted
        return 2 if capitals or name.upper() in labels.names else 1
    groups, _ = bracketed(body) if _BRACKET.match(body) else ([], False)
    if not groups or groups[0].start or not body[groups[0].end :].strip(HYPHENS + " .:：♪"):
        return 0
    wide = body[0] in _WIDE
    if not bracket_is_name(groups[0].inner, wide=wide, known=labels.names, sounds=labels.sounds):
        return 0
    return 2 if wide or not shouted else 1


def _only_labels(text: str) -> bool:
    groups, odd = bracketed(text)
    at = 0
    rest = ""
    for group in groups:
        rest += text[at : group.start]
        at = group.end
    return bool(groups) and not odd and not (rest + text[at:]).strip(HYPHENS + " \n.:：♪")
