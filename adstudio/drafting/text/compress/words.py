"""A sentence as the words that are counted, each with its governor; the marks between them are separate."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from adstudio.drafting.text.language.grammar import Sentence, Word

_SEPARATOR = re.compile(r"(?P<core>.*?)(?P<after>[,;:]*)$", re.DOTALL)
_DASH = re.compile(r"[–—-]+")
_END = re.compile(r"[.!?…]+$")


@dataclass(frozen=True)
class Counted:
    """One word as it is counted, with its tokens.

    `head` is the word that it depends on, its own place for the root; `top` the token by which it does; `firm` is
    false where its parts have different governors.
    """

    text: str
    tokens: tuple[int, ...]
    top: int
    head: int
    firm: bool


@dataclass(frozen=True)
class Clause:
    """The words of a sentence in order, `after[i]` what separates word i from the next, `end` its last mark."""

    sentence: Sentence
    words: tuple[Counted, ...]
    after: tuple[str, ...]
    end: str

    def top(self, at: int) -> Word:
        """The token by which a word depends on another."""
        return self.sentence.words[self.words[at].top]

    def lower(self, at: int) -> str:
        """A word in small letters."""
        return self.words[at].text.lower()

    def below(self, at: int, *relations: str) -> tuple[int, ...]:
        """The words that depend on a word by one of these relations, in order."""
        return tuple(child for child in self.children[at] if self.top(child).dep in relations)

    def relations_below(self, at: int) -> set[str]:
        """How the words that depend on a word do so."""
        return {self.top(child).dep for child in self.children[at]}

    def words_below(self, at: int) -> set[str]:
        """The words that depend on a word, in small letters."""
        return {self.lower(child) for child in self.children[at]}

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each word, those that depend on it, in order."""
        below: list[list[int]] = [[] for _ in self.words]
        for at, word in enumerate(self.words):
            if word.head != at:
                below[word.head].append(at)
        return tuple(map(tuple, below))

    @cached_property
    def root(self) -> int:
        """The word that depends on no other."""
        return next(at for at, word in enumerate(self.words) if word.head == at)

    @cached_property
    def spans(self) -> tuple[tuple[int, int, bool], ...]:
        """For each word the first and last of those under it, itself among them, and whether they are all between."""
        first, last, size = (list(range(len(self.words))), list(range(len(self.words))), [1] * len(self.words))
        for at in self.leaves_first:
            head = self.words[at].head
            if head != at:
                first[head], last[head] = min(first[head], first[at]), max(last[head], last[at])
                size[head] += size[at]
        return tuple((a, b, b - a + 1 == count) for a, b, count in zip(first, last, size, strict=True))

    @cached_property
    def leaves_first(self) -> tuple[int, ...]:
        """All words, each before its governor."""
        order: list[int] = []
        waiting = [self.root]
        while waiting:
            at = waiting.pop()
            order.append(at)
            waiting.extend(self.children[at])
        return tuple(reversed(order))

    @cached_property
    def depth(self) -> tuple[int, ...]:
        """The number of governors above each word."""
        found = [0] * len(self.words)
        for at in reversed(self.leaves_first):
            if self.words[at].head != at:
                found[at] = found[self.words[at].head] + 1
        return tuple(found)


def clause(sentence: Sentence) -> Clause | None:
    """The sentence by counted words; None unless it is one tree with at least one word."""
    if len(sentence.roots) != 1:
        return None
    pieces = _pieces(sentence)
    if not pieces:
        return None
    owner = {token: at for at, (_, tokens, _) in enumerate(pieces) for token in tokens}
    depths = _depths(sentence)
    words: list[Counted] = []
    for at, (text, tokens, _) in enumerate(pieces):
        top = min(tokens, key=lambda token: (depths[token], token))
        head = owner.get(sentence.words[top].head)
        outside = {owner.get(sentence.words[token].head) for token in tokens} - {at, None}
        if head is None:
            return None  # it depends on a mark
        words.append(Counted(text, tokens, top, head, len(outside) <= 1 or "-" in text))
    if sum(word.head == at for at, word in enumerate(words)) != 1:
        return None
    *afters, last = [after for *_, after in pieces]
    end = _END.search(last)
    return Clause(sentence, tuple(words), (*afters, ""), end.group() if end else "")


def _pieces(sentence: Sentence) -> list[tuple[str, tuple[int, ...], str]]:
    """Each counted word: its text without separators, its tokens, the separator after it."""
    found: list[tuple[str, tuple[int, ...], str]] = []
    matches = list(re.finditer(r"\S+", sentence.text))
    token = 0
    for number, match in enumerate(matches):
        tokens: list[int] = []
        while token < len(sentence.words) and sentence.words[token].start - sentence.start < match.end():
            tokens.append(token)
            token += 1
        text = match.group()
        if not any(letter.isalnum() for letter in text):
            if found and (_DASH.fullmatch(text) or text in {",", ";", ":"}):
                core, own, after = found[-1]
                found[-1] = (core, own, after + (" " + text if _DASH.fullmatch(text) else text))
            elif found:
                core, own, after = found[-1]
                found[-1] = (core + " " + text, (*own, *tokens), after)
            continue
        parts = _SEPARATOR.match(text)
        core, after = (parts["core"], parts["after"]) if parts else (text, "")
        if number == len(matches) - 1 and (end := _END.search(core)) and not after:
            core, after = core[: end.start()], end.group()
        own = tuple(
            at for at in tokens if any(letter.isalnum() for letter in sentence.words[at].text)
        )  # marks bring no governor of their own
        found.append((core, own or tuple(tokens), after))
    return found


def _depths(sentence: Sentence) -> list[int]:
    depths = [-1] * len(sentence.words)
    waiting = [(root, 0) for root in sentence.roots]
    while waiting:
        at, depth = waiting.pop()
        depths[at] = depth
        waiting.extend((child, depth + 1) for child in sentence.children[at])
    return depths
