"""A screenplay's scenes in the film: which film scenes they are, and from when to when they run."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from adstudio.core.script import Scene
from adstudio.core.timebase import Span
from adstudio.core.words import count_words
from adstudio.drafting.text.align.match import SceneMatch
from adstudio.drafting.text.align.spoken_words import FilmWord, ScreenplayWord
from adstudio.drafting.text.align.trusted_matches import Matches
from adstudio.screenplay.parsed_screenplay import Screenplay, ScreenplayScene, Speech

_FEW = 3
"""Trusted words that counterparts must share; half of what one of them says will do if that is less."""
_CUT = 8
"""A scene that says at least so many words, none of which was found, is taken for cut or rewritten."""

_WORD = 4
"""Places in the text are counted in quarters of a word, so that a word's start and end stand apart from a heading."""

ScenePair = tuple[int, int]
"""A screenplay scene and a film scene, by number from 0."""


def scene_pairs(
    screenplay: Screenplay,
    scenes: Sequence[Scene],
    speech_words: Sequence[ScreenplayWord],
    cue_words: Sequence[FilmWord],
    matches: Matches,
) -> tuple[ScenePair, ...]:
    """Counterparts, in order: scenes that share trusted words, and silent scenes that lie between the same neighbours.

    Silent scenes are paired one by one, in order, where both sides have nothing else between two neighbouring pairs.
    """
    film = [_scene_at(scenes, word) for word in cue_words]
    words_per_scene, words_per_film_scene = Counter(word.scene for word in speech_words), Counter(film)
    shared = Counter((speech_words[i].scene, film[j]) for i, j in matches)
    pairs = [
        (s, f)
        for (s, f), hits in shared.items()
        if f >= 0 and 2 * hits >= min(2 * _FEW, words_per_scene[s], words_per_film_scene[f])
    ]
    ordered = [(-1, -1), *sorted(pairs), (len(screenplay.scenes), len(scenes))]
    for (s, f), (next_s, next_f) in pairwise(ordered if pairs else ()):
        between, shown = range(s + 1, next_s), range(f + 1, next_f)
        if not any(words_per_scene[k] for k in between) and not any(words_per_film_scene[k] for k in shown):
            pairs += list(zip((k for k in between if is_scene(screenplay.scenes[k])), shown, strict=False))
    return tuple(sorted(pairs))


def scene_match(screenplay: Screenplay, scenes: Sequence[Scene], pairs: Sequence[ScenePair]) -> SceneMatch:
    """How many scenes of both sides have a counterpart."""
    return SceneMatch(
        len({s for s, _ in pairs}),
        sum(is_scene(scene) for scene in screenplay.scenes),
        len({f for _, f in pairs}),
        len(scenes),
    )


def is_scene(scene: ScreenplayScene) -> bool:
    """Whether it counts: what stands before the first heading does only if somebody speaks in it."""
    return bool(scene.heading.strip()) or any(isinstance(part, Speech) for part in scene.parts)


def scene_spans(
    screenplay: Screenplay,
    scenes: Sequence[Scene],
    speech_words: Sequence[ScreenplayWord],
    cue_words: Sequence[FilmWord],
    matches: Matches,
    *,
    film_end: int,
) -> tuple[Span | None, ...]:
    """From when to when each screenplay scene runs, in milliseconds; None for all where nothing was found.

    A scene begins between the last trusted word before its heading and the first after it: where the film has the start
    of a scene there, at the nearest one, else by how much text lies on either side. That also gives scenes in which
    nobody speaks their place between their neighbours. A scene with dialogue of which nothing was found gets None.
    """
    if not matches:
        return (None,) * len(screenplay.scenes)
    words, hits = Counter(word.scene for word in speech_words), Counter(speech_words[i].scene for i, _ in matches)
    cut = {s for s, count in words.items() if count >= _CUT and not hits[s]}
    at, firsts = 0, list[int]()
    begins: dict[tuple[int, int], int] = {}
    for s, scene in enumerate(screenplay.scenes):
        firsts.append(at)
        for p, part in enumerate(scene.parts):
            begins[s, p] = at
            at += _WORD * count_words(part.text) if s not in cut else 0
    marks = _marks(speech_words, cue_words, matches, begins)
    marks = [(0, 0), *marks, (max(at, marks[-1][0]), film_end)]
    bounds = _bounds(firsts, marks, [scene.span.start for scene in scenes])
    bounds.append(max(film_end, bounds[-1]))
    return tuple(None if s in cut else Span(a, b) for s, (a, b) in enumerate(pairwise(bounds)))


def _scene_at(scenes: Sequence[Scene], word: FilmWord) -> int:
    """The number of the scene in which a word's middle lies, or −1; scenes stand in order of time."""
    middle = (word.start + word.end) // 2
    k = bisect_right(scenes, middle, key=lambda scene: scene.span.start) - 1
    return k if k >= 0 and middle <= scenes[k].span.end else -1


def _marks(
    speech_words: Sequence[ScreenplayWord],
    cue_words: Sequence[FilmWord],
    matches: Matches,
    begins: dict[tuple[int, int], int],
) -> list[tuple[int, int]]:
    """Places in the text and the times at which they are reached; both never fall."""
    first: dict[tuple[int, int], int] = {}
    for i, word in enumerate(speech_words):
        first.setdefault((word.scene, word.part), i)
    marks: list[tuple[int, int]] = []
    place, time = 0, 0
    for i, j in matches:
        part = (speech_words[i].scene, speech_words[i].part)
        for offset, moment in ((1, cue_words[j].start), (_WORD - 1, cue_words[j].end)):
            place, time = max(place, begins[part] + _WORD * (i - first[part]) + offset), max(time, moment)
            marks.append((place, time))
    return marks


def _bounds(firsts: Sequence[int], marks: Sequence[tuple[int, int]], starts: Sequence[int]) -> list[int]:
    """When each scene starts, rising."""
    bounds: list[int] = []
    free = sorted(starts)
    for number, place in enumerate(firsts):
        k = bisect_right(marks, place, key=lambda mark: mark[0])
        (a, since), (b, until) = marks[k - 1], marks[min(k, len(marks) - 1)]
        since = max([since, *bounds[-1:]])
        until = max(since, until)
        guess = since + (until - since) * (place - a) // (b - a) if b > a else since
        near = [start for start in free if since <= start <= until]
        if number == 0:
            bounds.append(0)
        elif near:
            bounds.append(min(near, key=lambda start: abs(start - guess)))
        else:
            bounds.append(guess)
        free = [start for start in free if start > bounds[-1]]
    return bounds
