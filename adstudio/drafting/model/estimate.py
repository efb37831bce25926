"""Estimates what a draft will take: scenes, requests, tokens, money; rather too much than too little."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from adstudio.core.counts import counted
from adstudio.core.script import Scene
from adstudio.drafting.model.requests import ELEMENT_TOKENS, FilmSeen
from adstudio.drafting.text.language.sentence_ends import split
from adstudio.llm.capabilities import THOUGHTS, Capabilities
from adstudio.llm.messages import Clip, Image, Request, Text, Thinking, Usage
from adstudio.media.clips import EVERY_MS, parts

PICTURE_TOKENS = 120
"""A picture of 640 × 352 to a model that sees them in pairs, and its share of the times between; Gemini takes 70."""
FACE_TOKENS = 300
PROMPT_TOKENS = 1_500
"""Both prompts, the subtitles and the list of elements."""
ELEMENT_MS = 5_000
"""From one element to the next, on average."""
DESCRIPTION_TOKENS = 25
"""Of the description, for an element."""
REPAIRS = 2
"""Requests that repair wordings: most parts of a scene need no more."""
LINE_MS = 5_000
LINE_TOKENS = 50
"""Of a line that a model writes with its times; one every five seconds."""


LETTERS_A_TOKEN = 4
_SAMPLES = b"stsz"
_MOST_PICTURES = 100_000


def estimate_ask(ask: Request, capabilities: Capabilities) -> Usage:
    """About what one request will take."""
    given = [part for message in ask.messages for part in message.parts]
    letters = len(ask.system) + sum(len(part.text) for part in given if isinstance(part, Text))
    pictures = sum(pictures_in(part.data) for part in given if isinstance(part, Clip))
    faces = sum(isinstance(part, Image) for part in given)
    tokens_in = letters // LETTERS_A_TOKEN + pictures * PICTURE_TOKENS + faces * FACE_TOKENS
    described_elements = 100 + pictures * DESCRIPTION_TOKENS * EVERY_MS // ELEMENT_MS
    # An answer that is bound to a form is allowed about twice what it takes.
    tokens_out = min(described_elements, ask.limits.tokens) if ask.schema is None else ask.limits.tokens // 2
    return Usage(tokens_in, 0, tokens_out, _thoughts(capabilities, ask.thinking))


def pictures_in(clip: bytes) -> int:
    """How many pictures an MP4 says that it has (ISO/IEC 14496-12, 8.7.3), or about as many as fit in it."""
    at = clip.rfind(_SAMPLES)
    count = int.from_bytes(clip[at + 12 : at + 16], "big") if at >= 0 else 0
    return count if 0 < count <= _MOST_PICTURES else len(clip) // 10_000


def _thoughts(capabilities: Capabilities, thinking: Thinking) -> int:
    return min(THOUGHTS.get(capabilities.level(thinking), 0), capabilities.thought_tokens)


@dataclass(frozen=True)
class Estimate:
    """`requests` of the first run, and what they take; the price is None if unknown.

    `least` and `most` are the requests if descriptions are short and nothing is repaired, and if everything is.
    """

    scenes: int
    requests: int
    usage: Usage
    least: int = 0
    most: int = 0

    @property
    def requests_text(self) -> str:
        """The requests in words: from the least to the most, or the one number where they are the same."""
        most = counted(self.most, "request")
        return f"{self.least:,} to {most}" if self.least < self.most else most


def estimate(
    film: FilmSeen,
    scenes: Sequence[Scene],
    capabilities: Capabilities,
    elements_at_once: int = 10,
    *,
    described: Collection[str] = (),
    texts: Mapping[str, str] | None = None,
    direct: bool = False,
    thinking: Thinking = "off",
) -> Estimate:
    """What a draft of these scenes will take if nothing was received before.

    `described` are the scenes that a text describes, so that no description is requested, and `texts` those texts, if
    known; with `direct` the model writes the lines itself, in one request for each part of a scene. Each request is
    assumed to use its whole budget for reasoning (`thinking`).
    """
    faces = min(sum(1 for person in film.people if person.face), capabilities.images)
    requests = tokens_in = tokens_out = least = most = 0
    for scene in scenes:
        for span in parts(scene.span, film.cuts):
            shown = -(-span.length // EVERY_MS) * PICTURE_TOKENS + faces * FACE_TOKENS
            if direct:
                requests, least, most = requests + 1, least + 1, most + 1
                tokens_in += shown + PROMPT_TOKENS
                tokens_out += (span.length // LINE_MS + 1) * LINE_TOKENS
                continue
            text = (texts or {}).get(scene.id, "")
            described_elements = -(-len(split(text, film.language)) * span.length // max(scene.span.length, 1))
            elements = described_elements or max(span.length // ELEMENT_MS, 1)
            lots = -(-elements // elements_at_once)
            words = elements * DESCRIPTION_TOKENS
            telling = scene.id not in described
            requests += telling + lots
            least += telling + (lots if described_elements else 1)
            most += telling + lots + REPAIRS
            tokens_in += (telling + lots) * (shown + PROMPT_TOKENS) + lots * 3 * words
            tokens_out += telling * words + elements * ELEMENT_TOKENS
    thoughts = requests * _thoughts(capabilities, thinking)
    return Estimate(len(scenes), requests, capabilities.priced(Usage(tokens_in, 0, tokens_out, thoughts)), least, most)
