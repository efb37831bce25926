"""Salience where no model is asked: the mean of several views of how much the story would lose without an element.

Each view sees its scene's elements in order of rank, so that no view's scale outvotes another's; the blend is the mean
of the ranks and lies inside (0, 1). Tried and left out: deletion (no better with it, at five times the time), BM25 (it
hardly agrees), being unlike all that came before (it favours asides), length (describers of one film choose long lines,
those of another short ones), the kind of verb, who acts, and a scene's opening. `tests/bench/salience.py` prints the
figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from adstudio.core.language_tags import primary_subtag
from adstudio.drafting.text.score.embeddings import Encoder
from adstudio.drafting.text.score.views import (
    OnScenesDone,
    SceneText,
    Scores,
    central,
    first_sight,
    given_away,
    in_other_scenes,
    knows_words,
    no_progress,
    on_screen,
    pointed_at,
    returning,
)


def blend_scores(
    scenes: Sequence[SceneText], encoder: Encoder, language: str, on_scenes_done: OnScenesDone = no_progress
) -> Scores:
    """For each element the mean of its ranks in the scene by the `parts`, inside (0, 1)."""
    return blended(parts(scenes, encoder, language, on_scenes_done), scenes)


def blended(views: Mapping[str, Scores], scenes: Sequence[SceneText]) -> Scores:
    """The mean of the ranks that views give, scene by scene."""
    return tuple(_mean([ranks(scores[place]) for scores in views.values()]) for place in range(len(scenes)))


def parts(
    scenes: Sequence[SceneText], encoder: Encoder, language: str, on_scenes_done: OnScenesDone = no_progress
) -> Mapping[str, Scores]:
    """What is blended, by name.

    - the middle of the scene (`central`): what the scene is about comes before asides;
    - what the film comes back to (`returning`): names, and things that matter more than once;
    - what other scenes speak of too (`in_other_scenes`): what is set up here and used there;
    - the first sight of what comes back (`first_sight`): people, places and things are brought in once;
    - words on the screen (`on_screen`): describers read them out, whatever else there is;
    - what the dialogue points at without saying it (`pointed_at`): “What's that?”;
    - what the dialogue gives away (`given_away`), which counts for less.

    Words on the screen are known in English only; in languages whose function words are not known either, the first
    and the last stand alone.
    """
    found = {"middle": central(scenes, encoder, on_scenes_done)}
    if knows_words(language):
        found |= {
            "returning": returning(scenes, language),
            "in other scenes": in_other_scenes(scenes, language),
            "first sight": first_sight(scenes, language),
            "pointed at": pointed_at(scenes, language),
        }
    if primary_subtag(language) == "en":
        found["on screen"] = on_screen(scenes)
    found["given away"] = given_away(scenes, encoder)
    return found


def ranks(values: Sequence[float]) -> tuple[float, ...]:
    """Each value's rank as a share of all, inside (0, 1): of n values the least gets ½/n; equal ones share.

    Values that differ by less than a millionth are equal.
    """
    near = [round(value, 6) for value in values]
    count, below, first = Counter(near), 0, dict[float, float]()
    for value in sorted(count):
        first[value] = (below + count[value] / 2) / len(near)
        below += count[value]
    return tuple(first[value] for value in near)


def _mean(parts: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(sum(shares) / len(parts) for shares in zip(*parts, strict=True))
