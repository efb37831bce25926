"""How right named speakers are, as the paper scores them (appendix “Dialogue Speaker Identification”, Evaluation)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adstudio.core.cast import name_key


@dataclass(frozen=True, slots=True)
class SpeakerScore:
    """Counts over the segments whose speaker is known; precision, recall and F1 are micro-averaged.

    A prediction is a true positive where it is the same person, else a false positive; a segment that is left without a
    name, or has a wrong one, is a false negative.
    """

    true_positives: int
    false_positives: int
    false_negatives: int

    @property
    def precision(self) -> float:
        """TP / (TP + FP)."""
        return _share(self.true_positives, self.true_positives + self.false_positives)

    @property
    def recall(self) -> float:
        """TP / (TP + FN)."""
        return _share(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def speaker_score(gold: Mapping[str, str], predicted: Mapping[str, str], cast: Iterable[str]) -> SpeakerScore:
    """The score of predicted names by the id of their segment, both sides resolved to the cast.

    A name that is nobody's of the cast stands for itself. Predictions for segments that are not in `gold` do not count.
    """
    people = _forms(cast)

    def resolved(name: str) -> str:
        return people.get(name_key(name), name_key(name))

    right = sum(resolved(predicted[each]) == resolved(name) for each, name in gold.items() if each in predicted)
    given = sum(each in predicted for each in gold)
    return SpeakerScore(right, given - right, len(gold) - right)


def _forms(cast: Iterable[str]) -> dict[str, str]:
    """Full names and all runs of their words, each if only one person of the cast has it; “Man 1” only as a whole."""
    claims: dict[str, set[str]] = defaultdict(set)
    whole: dict[str, str] = {}
    for entry in cast:
        name = name_key(entry)
        whole[name] = name
        words = re.findall(r"[\w'’-]+", name)
        if not _GENERIC.isdisjoint(words):
            continue
        for first in range(len(words)):
            for last in range(first + 1, len(words) + 1):
                claims[" ".join(words[first:last])].add(name)
    return {**{form: next(iter(names)) for form, names in claims.items() if len(names) == 1}, **whole}


_GENERIC = frozenset(("man", "woman", "boy", "girl", "guard", "clerk", "voice", "officer", "driver", "nurse", "waiter"))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
