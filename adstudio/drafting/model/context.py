"""What a model is given of a span of film beside the pictures: people, dialogue, a screenplay's or describer's text.

All of it is data that somebody else wrote. It is put between marks that it cannot contain, and without the brackets of
models' own marks, so that no text in it can end its block or pass for anybody else's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from adstudio.core.provenance import DescriptionLine, ModelWork
from adstudio.core.script import Cue, CueKind, Eventuality, Script
from adstudio.core.timebase import Span
from adstudio.core.words import composed

LONGEST_NAME = 60
LONGEST_CUE = 500
MOST_CUES = 400
LONGEST_TEXT = 30_000
_GAPS = re.compile(r"\s+")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufeff]")
_BRACKETS = re.compile(r"\[{2,}|\]{2,}")
_ANGLES = str.maketrans("<>", "‹›")


def plain(text: str, longest: int = LONGEST_TEXT) -> str:
    """A text on one line, without anything that could be taken for a mark of ours or a model's own."""
    flat = _GAPS.sub(" ", _CONTROL.sub(" ", composed(text))).strip()
    return _BRACKETS.sub(lambda found: found[0][0], flat.translate(_ANGLES))[:longest]


def block(title: str, lines: Iterable[str]) -> str:
    """Lines of material between marks; the lines have been made `plain`."""
    return "\n".join([f"[[[ {title}", *lines, f"{title} ]]]"])


def subtitles(cues: Sequence[Cue], span: Span) -> list[str]:
    """The dialogue of a span, one line each: seconds from its start, the speaker if known, and the words.

    Sounds and music are left out, as models are given no sound.
    """
    found: list[str] = []
    for cue in cues:
        if cue.kind not in (CueKind.SPEECH, CueKind.SUNG) or cue.end <= span.start or cue.start >= span.end:
            continue
        start, end = max(cue.start - span.start, 0), min(cue.end, span.end) - span.start
        speaker = f"{plain(cue.speaker, LONGEST_NAME)}: " if cue.speaker else ""
        found.append(f"{start / 1000:.1f}–{end / 1000:.1f} {speaker}{plain(cue.text, LONGEST_CUE)}")
    return found[:MOST_CUES]


def paragraphs(text: str) -> list[str]:
    """A longer text, one line per paragraph."""
    return [line for part in text[:LONGEST_TEXT].split("\n") if (line := plain(part))]


@dataclass(frozen=True)
class GivenTexts:
    """By scene (id): the text of a screenplay, or of a description in prose; a scene is in one of them at most.

    A screenplay tells what was meant to be filmed, so a model checks which of it there is; a description is of the film
    itself and replaces the model's own.
    """

    screenplay: Mapping[str, str] = field(default_factory=dict[str, str])
    description: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def by_scene(self) -> dict[str, str]:
        """The texts of both."""
        return {**self.description, **self.screenplay}


def given_texts(script: Script) -> GivenTexts:
    """The texts that a script's lines were drafted from, by scene; lines of candidates or of a model have none.

    The command line and the editor give a model the same. In a film with a screenplay, a scene counts as described in
    prose only if all its lines come from a description.
    """
    pieces: dict[str, list[Eventuality]] = {}
    for line in script.eventualities:
        source = line.provenance.drafted
        described_by_model = isinstance(source, ModelWork) and source.has_task("describe")
        is_given = bool(source or script.film.screenplay) and not described_by_model
        if line.scene is not None and line.extract and is_given:
            pieces.setdefault(line.scene, []).append(line)
    texts = {scene: " ".join(line.extract for line in lines) for scene, lines in pieces.items()}
    described = {
        scene
        for scene, lines in pieces.items()
        if not script.film.screenplay or all(isinstance(line.provenance.drafted, DescriptionLine) for line in lines)
    }
    return GivenTexts(
        {scene: text for scene, text in texts.items() if scene not in described},
        {scene: text for scene, text in texts.items() if scene in described},
    )
