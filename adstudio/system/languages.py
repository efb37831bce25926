"""Which languages there are: tags (BCP 47) whose first part is a language of ISO 639, and the nearest of a wrong one.

The registry is `resources/languages.txt`. Tags for private use (`x-…`, and `qaa` to `qtz`) are languages too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from adstudio.core.errors import BadInputError
from adstudio.core.language_tags import is_well_formed
from adstudio.system.locations import resource

_PRIVATE = re.compile(r"x|q[a-t][a-z]")
UNKNOWN = "und"
_SHOWN = 40
_NEAREST = 3


@dataclass(frozen=True)
class _Registry:
    codes: dict[str, tuple[str, ...]]
    """By the tag of each language: its other codes, that of ISO 639-2 for terminology first."""
    tags: dict[str, str]
    """The tag by each code."""
    names: dict[str, str]
    """The tag by each name, in English and its own, in small letters."""


def canonical_language(text: str) -> str | None:
    """A language tag in its usual form: `de-AT` for “DE_at”, `en` for “eng”; None for what is no language."""
    parts = text.strip().replace("_", "-").split("-")
    first = parts[0].lower()
    tag = first if _PRIVATE.fullmatch(first) else _registry().tags.get(first)
    if tag is None:
        return None
    whole = "-".join((tag, *(_usual(part) for part in parts[1:])))
    return whole if is_well_formed(whole) else None


def require_language(text: str) -> str:
    """A language tag in its usual form, as `canonical_language`.

    Raises:
        BadInputError: for what is no language, with the nearest ones.
    """
    tag = canonical_language(text)
    if tag is None:
        near = [f"{each} ({_name(each)})" for each in nearest_languages(text)]
        near = near or ["a tag such as en or pt-BR"]
        raise BadInputError(f"“{text.strip()[:_SHOWN]}” is no language that is known: write {_either(near)}")
    return tag


def nearest_languages(text: str) -> tuple[str, ...]:
    """The tags of languages that somebody who wrote this may mean, by their names and codes; at most three."""
    typed = re.split(r"[-_\s,(]", text.strip().lower())[0][:_SHOWN]
    names = _registry().names
    if typed in names:
        return (names[typed],)
    named = [tag for name, tag in names.items() if typed and typed in name.split()]
    begun = [tag for name, tag in names.items() if len(tag) == 2 and len(typed) > 1 and name.startswith(typed)]
    alike = [names[name] for name in get_close_matches(typed, names, _NEAREST, 0.75)]
    return tuple(dict.fromkeys((*named, *begun, *alike)))[:_NEAREST]


def three_letters(tag: str) -> str:
    """The code of three letters (ISO 639-2/T) for the language of a tag; `UNKNOWN` where there is none."""
    language = tag.replace("_", "-").split("-")[0].lower()
    codes = (language, *_registry().codes.get(language, ()))
    return next((each for each in codes if len(each) == 3 and each.isascii() and each.isalpha()), UNKNOWN)


def _usual(part: str) -> str:
    if len(part) == 2:
        return part.upper()
    return part.title() if len(part) == 4 and part.isalpha() else part.lower()


def _either(texts: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))


def _name(tag: str) -> str:
    return next((name for name, each in _registry().names.items() if each == tag), tag).title()


@lru_cache(1)
def _registry() -> _Registry:
    found = _Registry({}, {}, {})
    for line in resource("languages.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        tag, tab, rest = line.partition("\t")
        if not tab:
            found.tags.update((each, each) for each in line.split())
            continue
        others, _, names = rest.partition("\t")
        found.codes[tag] = tuple(others.split())
        found.tags.update((each, tag) for each in (tag, *found.codes[tag]))
        found.names.update((name.lower(), tag) for name in names.split("; "))
    return found
