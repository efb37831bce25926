"""How long a voice speaks a film's wordings, as it is sent to a process that plans the film ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from adstudio.core.narration import Lengths, LineVoice, Narrator
from adstudio.core.script import Eventuality, Script, Variant


def lengths_sent(script: Script, lines: Sequence[Eventuality]) -> tuple[int, ...]:
    """The length of every wording of these lines (ms), as far as it is known of the voice; none without one."""
    if not script.voice.engine or script.lengths is None:
        return ()
    return tuple(script.duration(Variant(variant.text), line.voice) for line in lines for variant in line.variants)


@dataclass
class SentLengths:
    """The lengths that were sent, of one narrator; at another speaking rate they are as much longer or shorter."""

    narrator: Narrator
    by_text: dict[tuple[str, LineVoice | None], int] = field(default_factory=dict[tuple[str, LineVoice | None], int])

    def take(self, lines: Sequence[Eventuality], lengths: Sequence[int]) -> None:
        """Take in what `lengths_sent` gave for these lines."""
        texts = [(variant.text, line.voice) for line in lines for variant in line.variants]
        self.by_text.update(zip(texts, lengths, strict=False))

    def measured(self, text: str, narrator: Narrator, voice: LineVoice | None) -> int | None:
        """As `Lengths.measured`."""
        length = self.by_text.get((text, voice))
        if length is None or (voice is not None and voice.rate is not None):
            return length
        return round(length * self.narrator.rate / narrator.rate)

    def predicted(self, text: str, narrator: Narrator, voice: LineVoice | None) -> int | None:
        """As `Lengths.predicted`: nothing else is known."""
        del text, narrator, voice

    def changed_from(self, before: Lengths, narrator: Narrator) -> None:
        """As `Lengths.changed_from`."""
        del before, narrator
