"""A selection of a sentence's words, written out: commas, "and", a/an, the capital and the last mark set right."""

from __future__ import annotations

import re
from collections.abc import Collection

from adstudio.drafting.text.compress.multiword import absolutes
from adstudio.drafting.text.compress.tree import Tree

_NEVER_SET_OFF = frozenset(("dobj", "nsubj", "nsubjpass", "pobj", "aux", "auxpass", "neg", "prt", "det", "cc", "ROOT"))
_VOWEL_SOUND = re.compile(r"(?:[aeio]|u(?!ni(?!n)|s[aeiu]|ten|ke)|hour|honest|honou?r|heir)(?<!^eu)", re.IGNORECASE)
_CONSONANT_SOUND = re.compile(r"(?:one\b|once\b|eu|ewe|uni(?!n)|us[aeiu]|ut[ei]|uk)", re.IGNORECASE)
_CLOSED = re.compile(r"[.!?…][\"”»')\]]*$")


def written_out(tree: Tree, selected: Collection[int]) -> str:
    """The sentence that the words at these places make, in their order."""
    words = sorted(selected)
    before, joined = _conjunctions(tree, words)
    out: list[str] = []
    for number, at in enumerate(words):
        if number:
            gap = joined[at] if at in joined else _separator(tree, words[number - 1], at, selected)
            out.append(gap + " ")
        if at in before:
            out.append(before[at] + " ")
        following = words[number + 1] if number + 1 < len(words) else None
        out.append(_article(tree, at, following))
    return _closed(tree, "".join(out))


def _conjunctions(tree: Tree, words: list[int]) -> tuple[dict[int, str], dict[int, str]]:
    """Of the lists whose conjunction wanders: what is said before a word, and the comma before that."""
    before: dict[int, str] = {}
    joined: dict[int, str] = {}
    for found in tree.floating:
        conjunction = found.conjunctions[-1]
        stay = [member for member in found.members if member in words]
        if not stay or conjunction is None:
            continue
        starts = [min(tree.below(member, words)) for member in stay]
        comma = "," if conjunction and tree.clause.after[conjunction - 1] and len(stay) > 1 else ""
        for start in starts[:-1]:
            joined[start] = ","
        joined[starts[-1]] = comma
        before[starts[-1]] = tree.clause.words[conjunction].text
    return before, joined


def _separator(tree: Tree, left: int, right: int, selected: Collection[int]) -> str:
    after = tree.clause.after
    if right == left + 1:
        return after[left]
    for run in absolutes(tree.clause):
        if right == run[0]:
            return ","
        if left == run[-1]:
            return after[left]
    wanted = [after[at] for at in range(left, right) if after[at] and _comma_needed(tree, at, selected)]
    return max(wanted, key=len, default="")


def _comma_needed(tree: Tree, at: int, selected: Collection[int]) -> bool:
    """A comma belongs to what it sets off: the phrase that begins after it, or a fronted or inserted one before it."""
    clause = tree.clause
    for word in selected:
        first, last = tree.spans[word]
        if clause.top(word).dep in _NEVER_SET_OFF:
            continue
        head = tree.heads[word]
        if first == at + 1 and (head < first or clause.after[last]):
            return True
        if last == at and (head > last or (first > 0 and clause.after[first - 1])):
            return True
    return False


def _article(tree: Tree, at: int, following: int | None) -> str:
    text = tree.clause.words[at].text
    if following is None or following == at + 1 or text.lower() not in {"a", "an"}:
        return text
    after = tree.clause.words[following].text.lstrip("\"'“‘(")
    right = "an" if _VOWEL_SOUND.match(after) and not _CONSONANT_SOUND.match(after) else "a"
    return right.capitalize() if text[0].isupper() else right


def _closed(tree: Tree, text: str) -> str:
    first = next((at for at, letter in enumerate(text) if letter.isalnum()), 0)
    text = text[:first] + text[first].upper() + text[first + 1 :]
    return text if _CLOSED.search(text) else text + (tree.clause.end or ".")
