"""A screenplay laid over a film by what is said in both (paper, section 3 and the appendix on screenplays)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import groupby, pairwise

from adstudio.core.script import Cue, Scene
from adstudio.core.timebase import Span
from adstudio.drafting.text.align.anchors import Anchor, anchors
from adstudio.drafting.text.align.edit_distance import aligned
from adstudio.drafting.text.align.match import Match, SceneMatch
from adstudio.drafting.text.align.spoken_words import (
    FilmWord,
    MatchedWords,
    Place,
    ScreenplayWord,
    film_words,
    screenplay_words,
)
from adstudio.drafting.text.align.trusted_matches import Evidence, Matches, is_coincidence, trusted_matches
from adstudio.screenplay.parsed_screenplay import Screenplay, ScreenplayScene, Speech

# A gap in a run of matches slides to where one speaker ends and the next begins. Where “… new. | It does look as new.”
# lost its second speech, either “new” may be the one that remained: the edits and the matches are as many. Whole
# speeches are cut and whole cues put in, so of all the places to which a gap can slide, the one is taken that has most
# edges of speeches and cues at its own edges; among equal ones the gap moves least.

_FARTHEST = 40
"""Words that a gap may slide: more than a speech has."""


def moved_to_boundaries(
    matches: Matches,
    left: Sequence[str],
    right: Sequence[str],
    left_starts: Collection[int],
    right_starts: Collection[int],
) -> Matches:
    """The matches with each gap on one side only slid to its best place.

    `left_starts` and `right_starts` are the places of the words with which a speech or a cue begins, and the ends of
    both texts.
    """
    pairs = list(matches)
    sides, starts = (left, right), (left_starts, right_starts)
    for k in range(len(pairs) - 1):
        steps = [pairs[k + 1][side] - pairs[k][side] for side in (0, 1)]
        if steps[0] == 1 < steps[1] or steps[1] == 1 < steps[0]:
            side = 0 if steps[0] > 1 else 1
            _slide(pairs, k, side, sides[side], starts)
    return tuple(pairs)


def _slide(
    pairs: list[tuple[int, int]], k: int, side: int, words: Sequence[str], starts: Sequence[Collection[int]]
) -> None:
    """Slides the gap after the pair `k`, which is on that side only."""
    size = pairs[k + 1][side] - pairs[k][side] - 1
    moves = [0, *_moves(pairs, k, side, size, words, back=True), *_moves(pairs, k, side, size, words, back=False)]

    def worth(move: int) -> tuple[int, int]:
        first = pairs[k][side] + 1 + move
        other = pairs[k][1 - side] + 1 + move
        at = (first in starts[side]) + (first + size in starts[side]) + (other in starts[1 - side])
        return at, -abs(move)

    best = max(moves, key=worth)
    for step in range(1, abs(best) + 1):
        number = k - step + 1 if best < 0 else k + step
        shift = size if best < 0 else -size
        pair = [*pairs[number]]
        pair[side] += shift
        pairs[number] = (pair[0], pair[1])


def _moves(
    pairs: Sequence[tuple[int, int]], k: int, side: int, size: int, words: Sequence[str], *, back: bool
) -> list[int]:
    """How far the gap can slide one way: as long as the run goes on and the same word stands beyond the gap."""
    moves: list[int] = []
    sign, at = (-1, k) if back else (1, k + 1)
    while 0 <= at < len(pairs) and len(moves) < _FARTHEST:
        if moves and any(pairs[at - sign][axis] + sign != pairs[at][axis] for axis in (0, 1)):
            break
        place = pairs[at][side]
        if words[place] != words[place - sign * size]:
            break
        moves.append(sign * (len(moves) + 1))
        at += sign
    return moves


# An alignment keeps the order of both sides, so of two speeches that changed places it finds one. The other is looked
# for among the film's words that are still free, no more than `AROUND` words outside the place where it should be; it
# is taken if its longest run of words is not likely to be there by accident (see `trusted_matches`).

AROUND = 120
"""Words: about 45 seconds of talk."""

_LONGEST = 400
"""Words of a speech that are looked for, and of the film where they should be: beyond that nothing is nearby."""


def _reordered_matches(words: MatchedWords, evidence: Evidence) -> Matches:
    """More matches, in the order of the screenplay, for speeches without any; they cross those that are known."""
    speech_words, cue_words, matches = words.screenplay, words.film, words.matches
    if not matches:
        return ()
    lefts = [i for i, _ in matches]
    taken = {j for _, j in matches}
    found: list[tuple[int, int]] = []
    for start, end in _speeches(speech_words):
        k = bisect_left(lefts, start)
        if (k < len(lefts) and lefts[k] < end) or end - start > _LONGEST:
            continue
        first = max(0, (matches[k - 1][1] if k else 0) - AROUND)
        last = min(len(cue_words), (matches[k][1] if k < len(matches) else len(cue_words)) + AROUND)
        if last - first > 2 * AROUND + _LONGEST:
            continue
        speech = [word.text for word in speech_words[start:end]]
        # A word that is taken is no text at all, so it matches nothing.
        room = ["" if j in taken else cue_words[j].text for j in range(first, last)]
        run = SequenceMatcher(None, speech, room, autojunk=False).find_longest_match()
        pairs = [(start + run.a + n, first + run.b + n) for n in range(run.size)]
        if pairs and not is_coincidence(evidence.of(pairs), len(speech) - run.size + 1, len(room) - run.size + 1):
            found += pairs
            taken |= {j for _, j in pairs}
    return tuple(found)


def _speeches(speech_words: Sequence[ScreenplayWord]) -> Iterator[tuple[int, int]]:
    """The first word of each speech and the one after its last."""
    at = 0
    for _, words in groupby(speech_words, key=lambda word: (word.scene, word.part)):
        start, at = at, at + sum(1 for _ in words)
        yield start, at


def _speakers(screenplay: Screenplay, cues: Sequence[Cue], words: MatchedWords) -> tuple[tuple[str, str], ...]:
    """The id of each cue that has no name and the screenplay's name for who says it, in the order of the cues.

    A name is passed on if at least half of the cue's words are trusted matches in speeches under that name, and more
    than under any other. Names that the subtitles give are never touched.
    """
    lengths = Counter(word.cue for word in words.film)
    names: dict[int, Counter[str]] = {}
    for spoken, cue_word in words.pairs():
        part = screenplay.scenes[spoken.scene].parts[spoken.part]
        if isinstance(part, Speech) and part.speaker.strip():
            names.setdefault(cue_word.cue, Counter())[part.speaker.strip()] += 1
    found: list[tuple[str, str]] = []
    for k, counts in sorted(names.items()):
        (name, hits), *others = counts.most_common(2)
        clear = not others or others[0][1] < hits
        if not cues[k].speaker and clear and 2 * hits >= lengths[k]:
            found.append((cues[k].id, name))
    return tuple(found)


_FEW = 3
"""Trusted words that counterparts must share; half of what one of them says will do if that is less."""


def scene_pairs(screenplay: Screenplay, scenes: Sequence[Scene], words: MatchedWords) -> tuple[tuple[int, int], ...]:
    """Counterparts, in order: scenes that share trusted words, and silent scenes that lie between the same neighbours.

    Silent scenes are paired one by one, in order, where both sides have nothing else between two neighbouring pairs.
    """
    film = [_scene_at(scenes, word) for word in words.film]
    words_per_scene, words_per_film_scene = Counter(word.scene for word in words.screenplay), Counter(film)
    shared = Counter((words.screenplay[i].scene, film[j]) for i, j in words.matches)
    pairs = [
        (s, f)
        for (s, f), hits in shared.items()
        if f >= 0 and 2 * hits >= min(2 * _FEW, words_per_scene[s], words_per_film_scene[f])
    ]
    ordered = [(-1, -1), *sorted(pairs), (len(screenplay.scenes), len(scenes))]
    for (s, f), (next_s, next_f) in pairwise(ordered if pairs else ()):
        between, shown = range(s + 1, next_s), range(f + 1, next_f)
        if not any(words_per_scene[k] for k in between) and not any(words_per_film_scene[k] for k in shown):
            pairs += list(zip((k for k in between if _is_scene(screenplay.scenes[k])), shown, strict=False))
    return tuple(sorted(pairs))


def _is_scene(scene: ScreenplayScene) -> bool:
    """Whether it counts as a scene; parts before the first heading do only if they contain speech."""
    return bool(scene.heading.strip()) or any(isinstance(part, Speech) for part in scene.parts)


def _scene_at(scenes: Sequence[Scene], word: FilmWord) -> int:
    """The number of the scene in which a word's middle lies, or −1; scenes are in order of time."""
    middle = (word.start + word.end) // 2
    k = bisect_right(scenes, middle, key=lambda scene: scene.span.start) - 1
    return k if k >= 0 and middle <= scenes[k].span.end else -1


@dataclass(frozen=True, slots=True)
class Alignment:
    """What the dialogue says about where a screenplay lies in a film; all times are in milliseconds.

    `anchors` has every action by its place. `speakers` are the ids of cues without a name, and the screenplay's name
    for who says them. `speech_spans` has the speeches of which something was found. `words` are those of both sides,
    with the trusted matches between them.
    """

    match: Match
    anchors: Mapping[Place, Anchor]
    speakers: tuple[tuple[str, str], ...]
    speech_spans: Mapping[Place, Span]
    words: MatchedWords

    def scene_match(self, screenplay: Screenplay, scenes: Sequence[Scene]) -> SceneMatch:
        """How many scenes of the screenplay and of the film, in order of time, have a counterpart."""
        pairs = scene_pairs(screenplay, scenes, self.words)
        return SceneMatch(
            len({s for s, _ in pairs}),
            sum(_is_scene(scene) for scene in screenplay.scenes),
            len({f for _, f in pairs}),
            len(scenes),
        )


def align(screenplay: Screenplay, cues: Sequence[Cue]) -> Alignment:
    """Aligns a screenplay and a film.

    Any two are aligned, also those that have nothing to do with each other: whoever calls looks at `match.wip` and
    `match.another_film` and decides.

    Raises:
        AlignmentError: more dialogue than one film holds.
    """
    speech_words, cue_words = screenplay_words(screenplay), film_words(cues, screenplay.language)
    left, right = [word.text for word in speech_words], [word.text for word in cue_words]
    alignment = aligned(left, right)
    speeches = _starts([(word.scene, word.part) for word in speech_words])
    matches = moved_to_boundaries(alignment.matches, left, right, speeches, _starts([word.cue for word in cue_words]))
    evidence = Evidence(left, right)
    words = MatchedWords(speech_words, cue_words, trusted_matches(matches, len(left), len(right), evidence))
    others = _reordered_matches(words, evidence)
    both = replace(words, matches=tuple(sorted((*words.matches, *others))))
    return Alignment(
        match=Match(alignment.hits, len(speech_words), len(cue_words), len(words.matches)),
        anchors=anchors(screenplay, words, others),
        speakers=_speakers(screenplay, cues, both),
        speech_spans=_speech_spans(both),
        words=words,
    )


def _starts(belongs: Sequence[object]) -> frozenset[int]:
    """The places at which another speech or cue begins than the word before belongs to, and the end."""
    changes = (k for k in range(1, len(belongs)) if belongs[k] != belongs[k - 1])
    return frozenset((0, *changes, len(belongs)))


def _speech_spans(words: MatchedWords) -> dict[Place, Span]:
    spans: dict[Place, Span] = {}
    for spoken, cue_word in words.pairs():
        place = (spoken.scene, spoken.part)
        known = spans.get(place, Span(cue_word.start, cue_word.end))
        spans[place] = Span(min(known.start, cue_word.start), max(known.end, cue_word.end))
    return spans
