"""Dialogue that a screenplay's form does not show, found by the film's own: names in small letters, foreign tags.

A paragraph of action whose words stand in the film's dialogue, run by run, is what somebody says. So is what follows a
paragraph that is only the name of somebody who was found to speak.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adstudio.core.script import Cue
from adstudio.drafting.text.align.normalisation import normal_words
from adstudio.drafting.text.align.spoken_words import ENGLISH, film_words
from adstudio.screenplay.parsed_screenplay import Action, Part, Screenplay, Speech

RUN = 4
"""This many words in a row that the film's dialogue has too are no coincidence."""
WHOLE_CUE = 3
"""Nor are this many words that are a whole cue and a whole paragraph; fewer are enough below a name."""
LEAST_SHARE = 0.7
"""Part of a paragraph's words that lie in such runs, behind the name."""
NAME_WORDS = 3
"""The most words of a name, and of whatever precedes the first run."""


@dataclass(frozen=True)
class _FilmDialogue:
    """The film's dialogue: its runs, and whole cues, compared as words of a language."""

    runs: frozenset[tuple[str, ...]]
    cues: frozenset[tuple[str, ...]]
    language: str

    def words(self, text: str) -> tuple[str, ...]:
        """The words of a text in normal form."""
        return tuple(word.text for word in normal_words(text, self.language))


def with_found_dialogue(screenplay: Screenplay, cues: Sequence[Cue]) -> tuple[Screenplay, tuple[Action, ...]]:
    """The screenplay with the action that the film says as dialogue, and those paragraphs as they were."""
    language = screenplay.language or ENGLISH
    words = [word.text for word in film_words(cues, language)]
    dialogue = _FilmDialogue(
        frozenset(tuple(words[k : k + RUN]) for k in range(len(words) - RUN + 1)),
        frozenset(tuple(word.text for word in normal_words(cue.text, language)) for cue in cues),
        language,
    )
    leads = {
        part: lead
        for scene in screenplay.scenes
        for part, before in zip(scene.parts, (None, *scene.parts), strict=False)
        if isinstance(part, Action) and (lead := _lead_length(part.text, before, dialogue)) is not None
    }
    if not leads:
        return screenplay, ()
    names = _names(screenplay, leads, dialogue)
    scenes = [
        replace(scene, parts=tuple(_with_speeches(scene.parts, leads, names, dialogue))) for scene in screenplay.scenes
    ]
    there = {id(part) for scene in scenes for part in scene.parts}
    gone = (part for scene in screenplay.scenes for part in scene.parts if id(part) not in there)
    return replace(screenplay, scenes=tuple(scenes)), tuple(part for part in gone if isinstance(part, Action))


def _lead_length(text: str, before: Part | None, dialogue: _FilmDialogue) -> int | None:
    """The number of words ahead of the dialogue, if nearly all of the rest is said in the film; else None."""
    words = dialogue.words(text)
    named = isinstance(before, Action) and _may_be_name(before.text)
    if words in dialogue.cues and len(words) >= (1 if named else WHOLE_CUE):
        return 0
    covered = [False] * len(words)
    for k in range(len(words) - RUN + 1):
        if words[k : k + RUN] in dialogue.runs:
            covered[k : k + RUN] = [True] * RUN
    if True not in covered:
        return None
    lead = covered.index(True)
    if lead > NAME_WORDS or sum(covered) < LEAST_SHARE * (len(words) - lead):
        return None
    return lead


def _names(screenplay: Screenplay, leads: dict[Action, int], dialogue: _FilmDialogue) -> frozenset[tuple[str, ...]]:
    """The names of those who speak: as known, before what they say, or as a paragraph ahead of it."""
    names: set[tuple[str, ...]] = set()
    for scene in screenplay.scenes:
        for place, part in enumerate(scene.parts):
            if isinstance(part, Speech):
                names.add(dialogue.words(part.speaker))
            elif isinstance(part, Action) and leads.get(part):
                names.add(dialogue.words(part.text)[: leads[part]])
            elif isinstance(part, Action) and part in leads and place:
                before = scene.parts[place - 1]
                if isinstance(before, Action) and _may_be_name(before.text):
                    names.add(dialogue.words(before.text))
    return frozenset(names - {()})


def _with_speeches(
    parts: Sequence[Part], leads: dict[Action, int], names: frozenset[tuple[str, ...]], dialogue: _FilmDialogue
) -> list[Part]:
    read: list[Part] = []
    speaker = ""
    for place, part in enumerate(parts):
        if not isinstance(part, Action):
            read.append(part)
            continue
        following = parts[place + 1] if place + 1 < len(parts) else None
        words = dialogue.words(part.text)
        if words in names and _may_be_name(part.text) and isinstance(following, Action) and not speaker:
            speaker = part.text.strip()
            continue
        lead = leads.get(part)
        if lead is None:
            # Too short for a run: a known name, and all of a cue.
            known = (
                k for k in range(1, NAME_WORDS + 1) if words[:k] in names and words[k:] in dialogue.cues and words[k:]
            )
            lead = next(known, 0 if speaker else None)
        if lead is None:
            read.append(part)
            continue
        tokens = part.text.split()
        read.append(Speech(speaker or " ".join(tokens[:lead]), " ".join(tokens[lead:]), line=part.line, page=part.page))
        speaker = ""
    return read


def _may_be_name(text: str) -> bool:
    letters = [word for word in text.split() if word[:1].isalpha()]
    return (
        0 < len(letters) <= NAME_WORDS and all(word[0].isupper() for word in letters) and text.strip()[-1] not in ".!?…"
    )
