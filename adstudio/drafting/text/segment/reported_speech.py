"""Speech that prose reports: a quotation with who says it. No describer says it, since the film does.

A quotation of what is written (a sign, a letter) is none. What is found is a whole sentence, or several where a speech
goes on behind who says it: “You are early,” said Fenn. “The nets are not dry.”
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_SAYS = (
    r"s(?:aid|ays?)|ask(?:ed|s)?|repl(?:ied|ies|y)|answer(?:ed|s)?|whisper(?:ed|s)?|shout(?:ed|s)?|cr(?:ied|ies|y)"
    r"|call(?:ed|s)?(?: out)?|murmur(?:ed|s)?"
    r"|mutter(?:ed|s)?|mumble[sd]?|yell(?:ed|s)?|scream(?:ed|s)?|exclaim(?:ed|s)?"
    r"|snap(?:ped|s)|snarl(?:ed|s)?|growl(?:ed|s)?|hiss(?:ed|es)?|add(?:ed|s)?|continue[sd]?|insist(?:ed|s)?|beg(?:ged|s)"
    r"|repeat(?:ed|s)?|stammer(?:ed|s)?|sigh(?:ed|s)?|warn(?:ed|s)?|wonder(?:ed|s)?|admit(?:ted|s)|agree[sd]?"
    r"|demand(?:ed|s)?|declare[sd]?|announce[sd]?|explain(?:ed|s)?|laugh(?:ed|s)?|remark(?:ed|s)?|observe[sd]?|told|tells?"
    r"|sagt(?:e|en)?|fragt(?:e|en)?|antwortet(?:e|en)?|rief|ruft|flüstert(?:e|en)?|murmelt(?:e|en)?|meint(?:e|en)?"
    r"|erwidert(?:e|en)?|schrie|schreit|entgegnet(?:e|en)?"
    r"|d(?:it|isent)|demand(?:a|e|èrent)|répond(?:it|s|irent)?|murmur(?:a|e)|(?:s['’]é)?cri(?:a|e)|s['’]écri(?:a|e)"
    r"|chuchot(?:a|e)|repr(?:it|end)|ajout(?:a|e)"
    r"|dijo|dice|dijeron|pregunt(?:ó|a)|respond(?:ió|e)|grit(?:ó|a)|susurr(?:ó|a)|murmur(?:ó|a)|contest(?:ó|a)|añad(?:ió|e)"
)
_QUOTATION = r"(?:“[^”]{1,2000}”|\"[^\"]{1,2000}\"|„[^“”]{1,2000}[“”]|«[^»]{1,2000}»|»[^«]{1,2000}«)"
_TO_STOP = r"[^.!?…“”\"„«»]{0,120}(?:[.!?…]+|(?=[“\"„«»])|$)"
_WHO = r"(?:[\w’'-]+\s+){0,4}"
_BEHIND = re.compile(
    rf"(?P<said>{_QUOTATION})\s*[,–—-]?\s*{_WHO}(?:{_SAYS})\b(?!\s*[,:]\s*{_QUOTATION}){_TO_STOP}"
    rf"(?:\s*{_QUOTATION}(?!(?<=[,?!…].)\s*{_WHO}(?:{_SAYS})\b)[.!?…]*)?",
    re.IGNORECASE,
)
"""A speech and who says it behind it, up to the sentence's end; with what is said after that."""
_ENDS_A_SENTENCE = re.compile(r"\w\.\W?$")
_THINGS = (
    r"signs?|tag|label|note|letters?|poster|placard|board|screen|card|caption|text|titles?|line|ledger|plaque|banner"
    r"|headline|paper|newspaper|page|book|cover|clock|display|message|inscription|writing|ticket|wall|door|it|which|that"
    r"|schild|zettel|brief|tafel|plakat|panneau|affiche|lettre|cartel|letrero|carta|nota"
)
_AHEAD = re.compile(
    rf"(?:(?<=[.!?…”\"»]\s)|^|(?<=\n))(?P<who>[^.!?…“”\"„«»]{{0,120}}?)\b(?:{_SAYS})\b[^.!?…“”\"„«»:,]{{0,60}}[,:]\s*"
    rf"{_QUOTATION}(?:[.!?…]+|(?=\s+(?-i:[a-zà-ÿ])|\s*,){_TO_STOP})?",
    re.IGNORECASE,
)
"""Who says it, a comma or a colon, and the speech, up to the sentence's end."""
_NAMES_A_THING = re.compile(rf"\b(?:{_THINGS})\b[^,]{{0,40}}$", re.IGNORECASE)
_ALONE = re.compile(rf"\s*{_QUOTATION}\s*")
_OF_SPEECH = re.compile(r"[.!?…,–—-]\W*$")
_INSIDE = re.compile(r"[“\"„«»]([^“”\"„«»]*)[”\"“»«]")


class Speech(NamedTuple):
    """A reported speech, by its first and last character in a text, and the words that are said."""

    start: int
    end: int
    said: str


def reported_speech(text: str) -> tuple[Speech, ...]:
    """The speeches that a paragraph reports and says whose they are, in order, not overlapping."""
    found: list[Speech] = []
    for start, end in sorted(_spans(text)):
        if not found or start >= found[-1].end:
            found.append(Speech(start, end, " ".join(_INSIDE.findall(text[start:end]))))
    return tuple(found)


def names_a_thing(who: str) -> bool:
    """Whether what has the words is something with writing on it, such as a sign, by the last words of its name."""
    return _NAMES_A_THING.search(who) is not None


def quotation_alone(text: str) -> str:
    """What is between the marks of a paragraph that is one quotation and ends as speech does; "" for any other."""
    is_alone = _ALONE.fullmatch(text) is not None and _OF_SPEECH.search(text.strip()) is not None
    return " ".join(_INSIDE.findall(text)) if is_alone else ""


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for found in _BEHIND.finditer(text):
        if _ENDS_A_SENTENCE.search(found["said"]) is None:  # else what says it is of the next sentence
            yield found.span()
    for found in _AHEAD.finditer(text):
        if not names_a_thing(found["who"]):
            yield found.span()
