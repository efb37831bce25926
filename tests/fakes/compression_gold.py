"""Our own sentences with what their shortening must not do: two thirds for tuning, one third never looked at.

A file has a heading (`# kind`) and sentences. Where a kind is a fault, a wording that has the words in braces must have
the first and the last word in brackets too: `Harry points [away from the playground] {off to the east}.` The sentence
without what is in brackets is a bad wording of it. After `||` stand other sentences of the same film. Of a sound
sentence (`# sound`) what is in brackets may go, all of it or some.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

GOLD = Path(__file__).parents[1] / "drafting" / "text" / "gold"
TUNING = GOLD / "compression_tuning.txt"
HELD_OUT = GOLD / "compression_held_out.txt"
SOUND = "sound"


@dataclass(frozen=True)
class GoldSentence:
    """`needs`: words that `when`'s words must not be without; `short`: the sentence without what is in brackets."""

    kind: str
    text: str
    short: str
    when: tuple[str, ...]
    needs: tuple[str, ...]
    optional: tuple[str, ...]
    film: tuple[str, ...]

    def spoils(self, wording: str) -> bool:
        """Whether a wording has the fault that the sentence is there for."""
        remaining = _words(wording)
        rest = iter(remaining)
        if not all(word in rest for word in self.when):
            return False
        return any(_words(self.text).count(word) - _words(self.short).count(word) > 0
                   and remaining.count(word) <= _words(self.short).count(word) for word in self.needs)  # fmt: skip

    def drops_what_may_go(self, wording: str) -> bool:
        """Whether a wording is without some of what a sound sentence can do without."""
        return any(_plain(part) not in _plain(wording) for part in self.optional)


def read_gold(path: Path) -> tuple[GoldSentence, ...]:
    """The sentences of a file, in order."""
    found: list[GoldSentence] = []
    kind = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            kind = line[2:]
            continue
        marked, *film = line.split(" || ")
        optional = tuple(re.findall(r"\[(.*?)\]", marked))
        when = " ".join(re.findall(r"\{(.*?)\}", marked))
        needed = _words(optional[0])
        short = re.sub(r"\s+([,.])", r"\1", re.sub(r",?\s*\[.*?\]", "", _unbraced(marked))).strip()
        short = re.sub(r"\ba (?=[aeiou])", "an ", re.sub(r"\ban (?=[^aeiou])", "a ", short))
        found.append(
            GoldSentence(
                kind,
                re.sub(r"[\[\]]", "", _unbraced(marked)),
                short[0].upper() + short[1:],
                tuple(_words(when)),
                tuple(dict.fromkeys((needed[0], needed[-1]))),
                optional,
                tuple(film[0].split(". ")) if film else (),
            )
        )
    return tuple(found)


def _unbraced(text: str) -> str:
    return re.sub(r"[{}]", "", text)


def _words(text: str) -> list[str]:
    return re.findall(r"[\w'-]+", text.lower())


def _plain(text: str) -> str:
    return " ".join(_words(text))
