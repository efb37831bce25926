"""How lines are voiced: the project's voice, what single lines have otherwise, and pronunciations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from adstudio.core.language_tags import primary_subtag
from adstudio.core.narration import MAX_PRONUNCIATIONS, Lexicon, LineVoice, Pronunciation, VoiceSettings
from adstudio.core.script import Eventuality, Script
from adstudio.core.setting_ranges import GREATEST_RATE, LEAST_RATE
from adstudio.core.settings import Settings
from adstudio.core.steps import SetLexicon, SetSettings, SetVoice, Step
from adstudio.core.words import folded
from adstudio.editing.change import EditRefused, edit_lines, with_open_length

DEEPEST_DUCK = 600
"""Tenths of a decibel; what is lowered so far is no longer heard."""


def set_voice(script: Script, voice: VoiceSettings) -> Step | None:
    """Give the project another voice."""
    return SetVoice(script.voice, voice) if voice != script.voice else None


def set_speaking_rate(script: Script, rate: int) -> Step | None:
    """Have the project spoken at another rate, in words a minute.

    Raises:
        EditRefused: if no voice speaks so slowly or so fast.
    """
    if not LEAST_RATE <= rate <= GREATEST_RATE:
        raise EditRefused(f"A speaking rate is {LEAST_RATE} to {GREATEST_RATE} words a minute.")
    settings = script.settings
    if rate == settings.rate_for(script.film.language):
        return None
    return SetSettings(settings, with_rate(settings, script.film.language, rate))


def with_rate(settings: Settings, language: str, rate: int) -> Settings:
    """Settings with another speaking rate: the language's own if it has one, else the general one."""
    main = primary_subtag(language)
    own = [tag for tag, _ in settings.rate_by_language if tag.lower() in (language.lower(), main)]
    if not own:
        return replace(settings, words_per_minute=rate)
    tag = max(own, key=len)
    pairs = tuple((each, rate if each == tag else old) for each, old in settings.rate_by_language)
    return replace(settings, rate_by_language=pairs)


def change_line_voice(
    script: Script, identities: Iterable[str], change: Callable[[LineVoice], LineVoice]
) -> Step | None:
    """Change what lines have otherwise than the project; what the change leaves alone each line keeps."""

    def changed(line: Eventuality) -> Eventuality:
        voice = change(line.voice or LineVoice())
        return with_open_length(line, replace(line, voice=None if voice == LineVoice() else voice))

    return edit_lines(script, identities, "Set voice of {} lines", changed)


def set_duck(script: Script, identities: Iterable[str], depth: int | None) -> Step | None:
    """Lower the film under lines by so many tenths of a decibel; None: as under the others.

    Raises:
        EditRefused: if the depth is below 0 or above 60 dB.
    """
    if depth is not None and not 0 <= depth <= DEEPEST_DUCK:
        raise EditRefused(f"The film can be lowered by 0 to {DEEPEST_DUCK // 10} dB.")
    return edit_lines(script, identities, "Set film level under {} lines", lambda line: replace(line, duck=depth))


def set_extended(script: Script, identities: Iterable[str], *, on: bool) -> Step | None:
    """Have lines spoken while the picture is held, or in gaps again.

    Raises:
        EditRefused: if one of them has no action, so that nothing says where the picture should be held.
    """
    label = "Hold the picture for {} lines" if on else "Put {} lines in gaps"
    ids = list(identities)
    if on and any(script.eventuality(identity).occurrence is None for identity in ids):
        raise EditRefused("The picture is held where the action begins: give the line an action first.")
    return edit_lines(script, ids, label, lambda line: replace(line, extended=on))


def pronunciation_of(script: Script, word: str) -> Pronunciation | None:
    """How a word is spoken by the lexicon; None if it has no entry."""
    return next((entry for entry in script.lexicon if folded(entry.word) == folded(word)), None)


def import_pronunciations(script: Script, entries: Iterable[Pronunciation]) -> Step | None:
    """Take over pronunciations: those of other words are added, those of the same word replace what there is.

    Raises:
        EditRefused: if these are too many.
    """
    merged = {folded(entry.word): entry for entry in (*script.lexicon, *entries)}
    return _lexicon_step(script, tuple(merged[word] for word in sorted(merged)))


def set_pronunciation(script: Script, word: str, spoken: str, *, phonemes: bool = False) -> Step | None:
    """Say how a word is spoken, in all lines; an empty `spoken` takes it out of the lexicon.

    Raises:
        EditRefused: if the word or how it is spoken is empty, too long or not printable, or the lexicon is full.
    """
    others = tuple(entry for entry in script.lexicon if folded(entry.word) != folded(word.strip()))
    lexicon: Lexicon = others
    if spoken.strip():
        try:
            entry = Pronunciation(word.strip(), spoken.strip(), phonemes)
        except ValueError as error:
            text = str(error)
            raise EditRefused(f"{text[0].upper()}{text[1:]}.") from None
        lexicon = tuple(sorted((*others, entry), key=lambda each: folded(each.word)))
    return _lexicon_step(script, lexicon)


def _lexicon_step(script: Script, lexicon: Lexicon) -> Step | None:
    if len(lexicon) > MAX_PRONUNCIATIONS:
        raise EditRefused(f"A lexicon can have at most {MAX_PRONUNCIATIONS:,} words: remove some first.")
    return SetLexicon(script.lexicon, lexicon) if lexicon != script.lexicon else None
