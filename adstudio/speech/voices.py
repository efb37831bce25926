"""Selects the voices for a language, best first."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.speech.engine import Voice


def language_tag(language: str) -> str:
    """A language as voices are compared by it: `en_GB` and `en-GB` are `en-gb` (BCP 47 tags ignore case)."""
    return language.strip().replace("_", "-").lower()


def voices_for(voices: Sequence[Voice], language: str) -> tuple[Voice, ...]:
    """The voices of a language tag, the same tag first, then the same main language; all for the empty tag.

    Voices that fit equally keep their order.
    """
    wanted = language_tag(language)
    if not wanted:
        return tuple(voices)
    main = wanted.split("-", 1)[0]

    def distance(voice: Voice) -> int:
        has = language_tag(voice.language)
        if has == wanted:
            return 0
        if has.startswith(f"{wanted}-"):
            return 1
        return 2 if has == main else 3

    fitting = [voice for voice in voices if language_tag(voice.language).split("-", 1)[0] == main]
    return tuple(sorted(fitting, key=distance))
