"""The words of a text as they are counted: case, punctuation and English function words taken off."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module

from adstudio.core.errors import OutsideFailureError
from adstudio.core.words import folded, words

_POSSESSIVE = re.compile(r"['\u2019]s?\Z")
_OUTSIDE = re.compile(r"^\W+|\W+$")


def terms(text: str) -> list[str]:
    """The words that carry meaning, in order, repetitions included: “Nora's wet coat.” gives nora, wet, coat."""
    found = (_POSSESSIVE.sub("", _OUTSIDE.sub("", folded(word))) for word in words(text))
    return [word for word in found if word and word not in _function_words()]


@cache
def _function_words() -> frozenset[str]:
    # The list that bm25s carries; “no” and “not” change what happens and stay.
    try:
        known: tuple[str, ...] = import_module("bm25s.stopwords").STOPWORDS_EN_PLUS
    except ImportError as error:
        raise OutsideFailureError(
            "the package for word matching (bm25s) is not installed: run packaging/setup.sh again"
        ) from error
    return frozenset(known) - {"no", "not", "nor"}
