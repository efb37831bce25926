"""A screenplay laid over a film by what is said in both (paper, section 3 and the appendix on screenplays)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from adstudio.core.script import Cue, Scene
from adstudio.core.timebase import Span
from adstudio.drafting.text.align.anchors import Anchor, Place, anchors
from adstudio.drafting.text.align.edit_distance import aligned
from adstudio.drafting.text.align.match import Match, SceneMatch
from adstudio.drafting.text.align.reordered_speeches import reordered_matches
from adstudio.drafting.text.align.scenes import ScenePair, scene_match, scene_pairs, scene_spans
from adstudio.drafting.text.align.speaker_boundaries import moved_to_boundaries
from adstudio.drafting.text.align.speakers import speakers
from adstudio.drafting.text.align.spoken_words import FilmWord, ScreenplayWord, film_words, screenplay_words
from adstudio.drafting.text.align.trusted_matches import Evidence, Matches, trusted_matches
from adstudio.screenplay.parsed_screenplay import Screenplay


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
