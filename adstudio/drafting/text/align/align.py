"""A screenplay laid over a film by what is said in both (paper, section 3 and the appendix on screenplays)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import groupby

from adstudio.core.script import Cue, Scene
from adstudio.core.timebase import Span
from adstudio.drafting.text.align.anchors import Anchor, Place, anchors
from adstudio.drafting.text.align.edit_distance import aligned
from adstudio.drafting.text.align.match import Match, SceneMatch
from adstudio.drafting.text.align.scenes import ScenePair, scene_match, scene_pairs, scene_spans
from adstudio.drafting.text.align.speaker_boundaries import moved_to_boundaries
from adstudio.drafting.text.align.spoken_words import FilmWord, ScreenplayWord, film_words, screenplay_words
from adstudio.drafting.text.align.trusted_matches import Evidence, Matches, is_coincidence, trusted_matches
from adstudio.screenplay.parsed_screenplay import Screenplay, Speech

# An alignment keeps the order of both sides, so of two speeches that changed places it finds one. The other is looked
# for among the film's words that are still free, no more than `AROUND` words outside the place where it should be; it
# is taken if its longest run of words is not likely to be there by accident (see `trust`).

AROUND = 120
"""Words: about 45 seconds of talk."""

_LONGEST = 400
"""Words of a speech that are looked for, and of the film where they should be: beyond that nothing is nearby."""


def reordered_matches(
    speech_words: Sequence[ScreenplayWord], cue_words: Sequence[FilmWord], matches: Matches, evidence: Evidence
) -> Matches:
    """More matches, in the order of the screenplay, for speeches without any; they cross those that are known."""
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
        words = [word.text for word in speech_words[start:end]]
        # A word that is taken is no text at all, so it matches nothing.
        room = ["" if j in taken else cue_words[j].text for j in range(first, last)]
        run = SequenceMatcher(None, words, room, autojunk=False).find_longest_match()
        pairs = [(start + run.a + n, first + run.b + n) for n in range(run.size)]
        if pairs and not is_coincidence(evidence.of(pairs), len(words) - run.size + 1, len(room) - run.size + 1):
            found += pairs
            taken |= {j for _, j in pairs}
    return tuple(found)


def _speeches(speech_words: Sequence[ScreenplayWord]) -> Iterator[tuple[int, int]]:
    """The first word of each speech and the one after its last."""
    at = 0
    for _, words in groupby(speech_words, key=lambda word: (word.scene, word.part)):
        start, at = at, at + sum(1 for _ in words)
        yield start, at


def speakers(
    screenplay: Screenplay,
    cues: Sequence[Cue],
    speech_words: Sequence[ScreenplayWord],
    cue_words: Sequence[FilmWord],
    matches: Matches,
) -> tuple[tuple[str, str], ...]:
    """The id of each cue that has no name and the screenplay's name for who says it, in the order of the cues.

    A name is passed on if at least half of the cue's words are trusted matches in speeches under that name, and more
    than under any other. Names that the subtitles give are never touched.
    """
    words = Counter(word.cue for word in cue_words)
    names: dict[int, Counter[str]] = {}
    for i, j in matches:
        part = screenplay.scenes[speech_words[i].scene].parts[speech_words[i].part]
        if isinstance(part, Speech) and part.speaker.strip():
            names.setdefault(cue_words[j].cue, Counter())[part.speaker.strip()] += 1
    found: list[tuple[str, str]] = []
    for k, counts in sorted(names.items()):
        (name, hits), *others = counts.most_common(2)
        clear = not others or others[0][1] < hits
        if not cues[k].speaker and clear and 2 * hits >= words[k]:
            found.append((cues[k].id, name))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Alignment:
    """What the dialogue says about where a screenplay lies in a film; all times are in milliseconds.

    `anchors` has every action, by its place (scene and part, from 0). `scene_spans` and `scene_confidence` have one
    entry for each screenplay scene: from when to when it runs, None if it is not in the film as far as can be told, and
    the share of its dialogue that was found (0 for a scene in which nobody speaks: its place is only an estimate).
    `scene_pairs` are counterparts, screenplay scene and film scene by number. `speakers` are the ids of cues without a
    name, and the screenplay's name for who says them. `speech_spans` has the speeches of which something was found.
    `speech_words` and `cue_words` are the words of both sides, `sure` the trusted matches between them, by number.
    """

    match: Match
    scenes: SceneMatch
    anchors: Mapping[Place, Anchor] = field(default_factory=dict[Place, Anchor])
    scene_spans: tuple[Span | None, ...] = ()
    scene_confidence: tuple[float, ...] = ()
    scene_pairs: tuple[ScenePair, ...] = ()
    speakers: tuple[tuple[str, str], ...] = ()
    speech_spans: Mapping[Place, Span] = field(default_factory=dict[Place, Span])
    speech_words: tuple[ScreenplayWord, ...] = ()
    cue_words: tuple[FilmWord, ...] = ()
    sure: Matches = ()

    def scene_match(self, screenplay: Screenplay, scenes: Sequence[Scene]) -> SceneMatch:
        """How far the screenplay's scenes and the film's agree, where the film was cut into scenes afterwards."""
        return scene_match(
            screenplay, scenes, scene_pairs(screenplay, scenes, self.speech_words, self.cue_words, self.sure)
        )


def align(screenplay: Screenplay, cues: Sequence[Cue], *, film_end: int, scenes: Sequence[Scene] = ()) -> Alignment:
    """Aligns a screenplay and a film; `scenes` are the film's, in order of time.

    Any two are aligned, also those that have nothing to do with each other: whoever calls looks at `match.wip` and
    `match.another_film` and decides.

    Raises:
        AlignmentError: more dialogue than one film holds.
    """
    speech_words, cue_words = screenplay_words(screenplay), film_words(cues)
    left, right = [word.text for word in speech_words], [word.text for word in cue_words]
    alignment = aligned(left, right)
    speeches = _starts([(word.scene, word.part) for word in speech_words])
    matches = moved_to_boundaries(alignment.matches, left, right, speeches, _starts([word.cue for word in cue_words]))
    evidence = Evidence(left, right)
    sure = trusted_matches(matches, len(left), len(right), evidence)
    others = reordered_matches(speech_words, cue_words, sure, evidence)
    both = tuple(sorted((*sure, *others)))
    pairs = scene_pairs(screenplay, scenes, speech_words, cue_words, sure)
    return Alignment(
        match=Match(alignment.hits, len(speech_words), len(cue_words), len(sure)),
        scenes=scene_match(screenplay, scenes, pairs),
        anchors=anchors(screenplay, speech_words, cue_words, sure, others),
        scene_spans=scene_spans(screenplay, scenes, speech_words, cue_words, sure, film_end=film_end),
        scene_confidence=_scene_confidence(len(screenplay.scenes), speech_words, both),
        scene_pairs=pairs,
        speakers=speakers(screenplay, cues, speech_words, cue_words, both),
        speech_spans=_speech_spans(speech_words, cue_words, both),
        speech_words=speech_words,
        cue_words=cue_words,
        sure=sure,
    )


def _starts(belongs: Sequence[object]) -> frozenset[int]:
    """The places at which another speech or cue begins than the word before belongs to, and the end."""
    changes = (k for k in range(1, len(belongs)) if belongs[k] != belongs[k - 1])
    return frozenset((0, *changes, len(belongs)))


def _scene_confidence(count: int, speech_words: Sequence[ScreenplayWord], matches: Matches) -> tuple[float, ...]:
    words, hits = [0] * count, [0] * count
    for word in speech_words:
        words[word.scene] += 1
    for i, _ in matches:
        hits[speech_words[i].scene] += 1
    return tuple(hit / whole if whole else 0.0 for hit, whole in zip(hits, words, strict=True))


def _speech_spans(
    speech_words: Sequence[ScreenplayWord], cue_words: Sequence[FilmWord], matches: Matches
) -> dict[Place, Span]:
    spans: dict[Place, Span] = {}
    for i, j in matches:
        place, word = (speech_words[i].scene, speech_words[i].part), cue_words[j]
        known = spans.get(place, Span(word.start, word.end))
        spans[place] = Span(min(known.start, word.start), max(known.end, word.end))
    return spans
