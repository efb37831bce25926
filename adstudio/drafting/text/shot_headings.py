"""Headings of shots that are part of a sentence: THE TRUCK / begins to roll. → The truck begins to roll.

Screenplays break a sentence over the heading of a shot, at its end, its beginning, or both. The heading’s words then
belong to the action, or nothing says who does what.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from adstudio.drafting.text.language.grammar import word_set
from adstudio.screenplay.parsed_screenplay import Action, ScreenplayScene

LONGEST_HEADING = 12
"""Words of a heading that is taken for part of a sentence."""
_SCENE = re.compile(r"(?:\d+[A-Za-z]?[.)]?\s+)?(?:INT|EXT|I\s?/\s?E|E\s?/\s?I|EST)\b|.*\s[-–—]+\s*\S+$", re.IGNORECASE)
_STOPS = (".", "!", "?", "…", ":", "”", '"', ")", "’", "-", "–", "—")
_LEADS_TO_A_THING = word_set(
    "with at to toward towards into onto upon on in from by of for behind beside under over past through before near"
    " beneath above inside outside around against the a an his her their"
)
"""What a sentence cannot end in: the next heading’s words complete it."""
_AWAITS = re.compile(
    r"\b(?:sees?|finds?|meets?|greets?|reveals?|notices?|spots?|is|are|it['’]s|stands?|sits?|comes?|enters?|walks?"
    r"|climbs|emerges|waits|steps|by|to|at|with)$",
    re.IGNORECASE,
)
"""What a sentence breaks off after that leads to somebody."""
_INTRODUCTION = re.compile(
    r"(?:[A-Z][\w.’'-]*\s+){0,3}[^\W\d_a-z][^\W\d_a-z’'-]+,? (?:\(|(?:early |mid |late )?\d|an? )"
)
"""How a paragraph begins that brings somebody in: NORA, 30, a clerk; Ned HOLT (40s)."""
_GOES_ON_THERE = word_set("with of in on at to from by for where which who whose that")


def with_shot_headings(scenes: Sequence[ScreenplayScene]) -> dict[tuple[int, int], str]:
    """The texts of action that headings of shots belong to, with their words, by the number of the scene and the part.

    A heading goes before action that begins with a small letter, and after action that breaks off in front of it. An
    action that continues such a sentence is empty: all of it is in the one before.
    """
    found: dict[tuple[int, int], str] = {}
    beginnings = [_begins_small(part.text) for scene in scenes for part in scene.parts if isinstance(part, Action)]
    if 2 * sum(beginnings) > len(beginnings):
        return found  # whoever writes without capitals begins sentences so too
    for number, scene in enumerate(scenes):
        if not _names_a_shot(scene.heading) or not scene.parts:
            continue
        first = scene.parts[0]
        heading = scene.heading.strip()
        goes_on = isinstance(first, Action) and _begins_small(first.text)
        before = _last_action(found, scenes, number)
        broken = before is not None and _last_word(before[1]) in _LEADS_TO_A_THING
        if broken and before is not None:
            place, text = before
            joined = f"{text.rstrip()} {heading}"
            if isinstance(first, Action) and goes_on and _first_word(first.text) in _GOES_ON_THERE:
                found[place] = f"{joined.rstrip('.,')} {first.text}"
                found[number, 0] = ""
            else:
                found[place] = joined
        elif isinstance(first, Action) and goes_on:
            found[number, 0] = f"{heading} {first.text}"
    return found


def with_shouted_ends(scenes: Sequence[ScreenplayScene]) -> dict[tuple[int, int], str]:
    """The texts of action whose sentence goes on in a paragraph of capitals, by scene and part: until he / RINGS IT.

    Or with somebody who comes in there: She looks up and sees / NORA, 30, a clerk. What is in capitals may be its end,
    or the subject of what follows: as / TWO HANDS / reach in. A paragraph that goes on is empty: all of it is in the
    one before.
    """
    found: dict[tuple[int, int], str] = {}
    for number, scene in enumerate(scenes):
        for place, (one, other) in enumerate(pairwise(scene.parts)):
            if not isinstance(one, Action) or not isinstance(other, Action) or (number, place) in found:
                continue
            text, end = one.text.rstrip(), other.text.strip()
            breaks_off = bool(text) and text[-1].isalpha() and not text.isupper()
            if breaks_off and _AWAITS.search(text) and _INTRODUCTION.match(end):
                found[number, place], found[number, place + 1] = f"{text} {end}", ""
                continue
            after = scene.parts[place + 2] if place + 2 < len(scene.parts) else None
            goes_on = isinstance(after, Action) and _begins_small(after.text)
            if breaks_off and _is_shouted(end) and (goes_on or end.endswith((".", "!"))):
                found[number, place], found[number, place + 1] = f"{text} {end}", ""
                if isinstance(after, Action) and goes_on:
                    found[number, place] = f"{text} {end} {after.text}"
                    found[number, place + 2] = ""
            elif _is_shouted(text) and text[-1].isalpha() and _begins_small(end):
                found[number, place], found[number, place + 1] = f"{text} {end}", ""
    return found


def _is_shouted(text: str) -> bool:
    return text.isupper() and len(text.split()) <= LONGEST_HEADING


def _names_a_shot(heading: str) -> bool:
    return bool(heading) and len(heading.split()) <= LONGEST_HEADING and _SCENE.match(heading.strip()) is None


def _begins_small(text: str) -> bool:
    return text.lstrip()[:1].islower()


def _last_action(
    found: dict[tuple[int, int], str], scenes: Sequence[ScreenplayScene], number: int
) -> tuple[tuple[int, int], str] | None:
    """The action right before a scene, its place and its text, if it breaks off without a stop."""
    if number == 0 or not scenes[number - 1].parts:
        return None
    place = number - 1, len(scenes[number - 1].parts) - 1
    last = scenes[number - 1].parts[-1]
    if not isinstance(last, Action):
        return None
    text = found.get(place, last.text).rstrip()
    return None if not text or text.endswith(_STOPS) else (place, text)


def _first_word(text: str) -> str:
    return next(iter(text.lower().split()), "").strip(".,;")


def _last_word(text: str) -> str:
    return text.lower().split()[-1]
