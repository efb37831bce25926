"""Replacing a film's dialogue by that of another subtitle file, and how the two differ.

Cues that say the same keep their ids, and what is known of them beyond the file: the speaker and the kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from statistics import median

from adstudio.core.film import Film, SourceFile
from adstudio.core.script import Cue, Script
from adstudio.core.steps import Insert, Remove, Replace, SetFilm, Step
from adstudio.core.words import folded
from adstudio.editing.change import EditRefused, one_step
from adstudio.editing.ids import Ids

REPLACE_DIALOGUE = "Replace dialogue"
MOST_REPEATED = 20
"""A text that appears more often than this is only recognised at the same time."""
MIN_SAME = 5
"""With fewer cues that say the same, nothing is said of how they are shifted."""
MIN_SHIFT_MS = 500
"""Cues that start later by less than this have the same time base."""


@dataclass(frozen=True)
class DialogueDiff:
    """How another dialogue differs from the present one.

    `retimed` say the same at another time, `reworded` say something else at about the same time; both are pairs of the
    present cue and the new one. `cues` is the new dialogue, each cue with its id in the script; "" for one to be added.
    """

    cues: tuple[Cue, ...]
    unchanged: int = 0
    retimed: tuple[tuple[Cue, Cue], ...] = ()
    reworded: tuple[tuple[Cue, Cue], ...] = ()
    added: tuple[Cue, ...] = ()
    removed: tuple[Cue, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.retimed or self.reworded or self.added or self.removed)


@dataclass(frozen=True)
class Shift:
    """How much later (ms) cues that say the same start than before, at the beginning and at the end of the film."""

    first: int
    last: int

    @property
    def drifts(self) -> bool:
        """Whether it grows or shrinks over the film, as where the frame rate differs."""
        return abs(self.last - self.first) >= MIN_SHIFT_MS


def dialogue_diff(present: Sequence[Cue], new: Sequence[Cue]) -> DialogueDiff:
    """How a dialogue differs from the present one; both in order of time."""
    partners: dict[int, Cue] = {}
    removed: list[Cue] = []
    matcher = SequenceMatcher(None, _keys(present), _keys(new), autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            partners |= zip(range(j1, j2), present[i1:i2], strict=True)
        else:
            removed += _pair_by_time(present[i1:i2], new, range(j1, j2), partners)
    cues = [_carried_over(partners[j], cue) if j in partners else replace(cue, id="") for j, cue in enumerate(new)]
    pairs = [(partners[j], cue) for j, cue in enumerate(cues) if j in partners]
    reworded = [pair for pair in pairs if _said(pair[0]) != _said(pair[1])]
    retimed = [pair for pair in pairs if pair[0] != pair[1] and _said(pair[0]) == _said(pair[1])]
    return DialogueDiff(
        tuple(cues),
        len(pairs) - len(retimed) - len(reworded),
        tuple(retimed),
        tuple(reworded),
        tuple(cue for cue in cues if not cue.id),
        tuple(removed),
    )


def shift_of(diff: DialogueDiff) -> Shift | None:
    """How cues that say the same are shifted; None where they are not, or too few say the same to tell."""
    moved = [cue.start - old.start for old, cue in diff.retimed]
    if len(moved) < max(MIN_SAME, diff.unchanged):
        return None
    part = max(MIN_SAME, len(moved) // 5)
    first, last = round(median(moved[:part])), round(median(moved[-part:]))
    return Shift(first, last) if max(abs(first), abs(last)) >= MIN_SHIFT_MS else None


def replace_dialogue(
    script: Script, ids: Ids, cues: Sequence[Cue], source: SourceFile | None, encoding: str = ""
) -> Step | None:
    """Use this dialogue, read from `source`, in place of the present one, as one step.

    Nothing else moves: actions, locks and silences belong to the film, not to its subtitles. The former subtitles stay
    a source of the film, so that no export is written over them.

    Raises:
        EditRefused: if there is no cue.
    """
    if not cues:
        raise EditRefused("There is no cue in these subtitles: choose other ones.")
    diff = dialogue_diff(script.cues, cues)
    steps = [*_removals(script.cues, diff.removed)]
    steps += [Replace(old, cue) for old, cue in (*diff.retimed, *diff.reworded)]
    steps += _insertions([cue if cue.id else replace(cue, id=ids.fresh(Cue)) for cue in diff.cues], diff)
    film = _with_subtitles(script.film, source, encoding)
    if film != script.film:
        steps.append(SetFilm(script.film, film))
    return one_step(REPLACE_DIALOGUE, steps)


def _with_subtitles(film: Film, source: SourceFile | None, encoding: str) -> Film:
    former, others = film.subtitles, film.other_sources
    if former is not None and source is not None and former.path != source.path and former not in others:
        others = (*others, former)
    return replace(film, subtitles=source, encoding=encoding, other_sources=others)


def _keys(cues: Sequence[Cue]) -> list[tuple[str, int]]:
    """What a cue is recognised by: its words, and its time too where the words say little."""
    texts = [" ".join(folded(cue.text).split()) for cue in cues]
    repeated = Counter(texts)
    return [
        (text, cue.start if not text or repeated[text] > MOST_REPEATED else -1)
        for text, cue in zip(texts, cues, strict=True)
    ]


def _removals(cues: Sequence[Cue], removed: Sequence[Cue]) -> Iterator[Step]:
    """Steps that remove cues, the last one first, so that each names a follower that still exists."""
    gone, follower = {cue.id for cue in removed}, None
    for cue in reversed(cues):
        if cue.id in gone:
            yield Remove(cue, follower)
        else:
            follower = cue.id


def _insertions(cues: Sequence[Cue], diff: DialogueDiff) -> Iterator[Step]:
    """Steps that insert the added ones among all cues, the last one first."""
    for place in range(len(cues) - 1, -1, -1):
        if not diff.cues[place].id:
            yield Insert(cues[place], cues[place + 1].id if place + 1 < len(cues) else None)


def _pair_by_time(present: Sequence[Cue], new: Sequence[Cue], among: range, partners: dict[int, Cue]) -> list[Cue]:
    """Pair present cues with new ones that share most of their time, and return those without a partner."""
    alone: list[Cue] = []
    at = among.start
    for old in present:
        while at < among.stop and new[at].end <= old.start:
            at += 1
        if at < among.stop and _shares_time(old, new[at]):
            partners[at] = old
            at += 1
        else:
            alone.append(old)
    return alone


def _shares_time(one: Cue, other: Cue) -> bool:
    common = min(one.end, other.end) - max(one.start, other.start)
    return 2 * common > min(one.end - one.start, other.end - other.start) >= 0


def _carried_over(old: Cue, new: Cue) -> Cue:
    """The new cue with the id of the present one, and where it says the same with its kind and what its speaker is."""
    if folded(old.text) != folded(new.text):
        return replace(new, id=old.id)
    known = old if new.speaker in {None, old.speaker} else new
    return replace(
        new,
        id=old.id,
        kind=old.kind,
        speaker=known.speaker,
        speaker_source=known.speaker_source,
        speaker_confidence=known.speaker_confidence,
    )


def _said(cue: Cue) -> tuple[object, ...]:
    return cue.text, cue.speaker, cue.kind
