"""German, French, Spanish, Italian sentences as prose writes them: nothing shouted, no ages, full stops.

HANNA (34) hebt einen SCHLÜSSEL auf: Hanna hebt einen Schlüssel auf. What stands in quotation marks stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from adstudio.drafting.text.language.grammar import word_set
from adstudio.drafting.text.segment.screenplay_cleanup import capitalised, is_in_capitals, with_full_stop

_WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_SHORT_FORMS = re.compile(
    r"TV|POV|DVD|CD|USA|UK|EU|UNO|ONU|FBI|CIA|BND|LKW|PKW|SUV|VIP|DJ|OK|DNA|DNS|ADN|SOS|BBC|NASA|GPS|HLM|SMS|RER|TGV"
    r"|SNCF|ID"
    r"|EE|UU|II|III|IV|VI|VII|VIII|IX|XI|XII|(?!(?:MRS?|DR|SRS?|ST|HR|FR)\b)[BCDFGHJKLMNPQRSTVWXZ]{2,4}"
)
_QUOTED = re.compile(r"“[^”]{0,300}”|„[^“”]{0,300}[“”]|«[^»]{0,300}»|\"[^\"]{0,300}\"")
_ABOUT = r"(?:(?:anfang|mitte|ende|etwa|circa|ca\.?|um die|gut|knapp|environ|la|unos|de unos|sobre los) )?"
_YEARS = (
    rf"{_ABOUT}(?:\d{{1,2}}(?:er|s)?(?:[-–/]\d{{1,2}})?(?: (?:jahre(?: alt)?|jährig|ans|años(?: de edad)?|j\.))?"
    r"|(?:vingt|trent|quarant|cinquant|soixant)aine|(?:veinti|treinti|cuarenti|cincuenti)tant[oa]s)"
)
_AGE_IN_BRACKETS = re.compile(rf"\s*\({_YEARS}(?:, [^()\n]{{1,40}})?\)", re.IGNORECASE)
_ASIDE = re.compile(r"(?<=[A-ZÀ-ÖØ-Þ])\s*\([^()\n]{1,40}\)")
_AGE = re.compile(rf",\s{_YEARS}(?=[,;])(?P<comma>[,;])", re.IGNORECASE)
_COMMA_SOON = re.compile(r"(?:\s+[^\s,;.:!?]+){1,4},")
_ARTICLES = word_set(
    "der die das den dem des ein eine einen einem einer eines kein keine keinen dieser diese dieses diesen diesem"
    " sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer mein meine meinen jeder jede jedes zwei drei"
    " vier im am zum zur vom beim ins ans"
)
_GERMAN_VERB = re.compile(r"[a-zäöüß]{2,}(?:t|en|eln|ern)\Z")
_GERMAN_NOUN = re.compile(r"(?:ung|heit|keit|schaft|tät|tion|ion|ment|tor|nis|ling|chen|lein|haft|licht|nacht|geist)\Z")
_GERMAN_SUBJECTS = word_set("er sie es man wir ich du ihr jemand niemand und oder")
_PREPOSITIONS = word_set(
    "mit ohne aus bei nach von zu in an auf über unter vor hinter neben zwischen durch für gegen um bis als wie"
)
_SMALL = (
    _ARTICLES
    | _GERMAN_SUBJECTS
    | _PREPOSITIONS
    | word_set(
        "ab ein los weg her hin zurück hinaus heraus hinein herein hinauf herauf hinunter herunter vorbei zusammen"
        " um nicht nur noch schon so dann da hier dort sich ihn ihm ist sind hat wird"
    )
)
_MEASURES = word_set(
    "tasse flasche kanne dose schale packung kiste reihe gruppe menge scheibe kette tüte schüssel handvoll hälfte"
)
_ADJECTIVE = re.compile(r"[a-zäöüß]{3,}(?:e|en|er|es|em)\Z")
_ELIDED = re.compile(r"(?:[ldjmnstc]|qu)['’](?=.)", re.IGNORECASE)
_NEAR = 120
"""Characters before a word in which it is looked what precedes it."""
_TITLES = word_set("dr prof mme mlle mm sr sra srta don doña herr frau m")


def prose_of(sentence: str, names: Collection[str], language: str) -> str:
    """A sentence without shouting, ages and asides, with a capital and a full stop; `names` are the characters'."""
    if language == "de" and is_in_capitals(sentence):
        return sentence  # which of its words are nouns, the capitals do not say
    named = {part.lower() for name in names for part in name.split()}
    named |= {word.lower() for word in _aged(sentence)}
    quoted = [found.span() for found in _QUOTED.finditer(sentence)]
    inside = {place for start, end in quoted for place in range(start, end)}
    sentence = _ASIDE.sub(lambda aside: aside[0] if aside.start() in inside else "", sentence)
    quoted = [found.span() for found in _QUOTED.finditer(sentence)]

    def quiet(word: re.Match[str]) -> str:
        if any(start <= word.start() < end for start, end in quoted):
            return word[0]
        return _quiet(sentence, word, named, language)

    # Words are taken one by one, so that what stands before each is known.
    text = _without_ages(re.sub(_WORD, quiet, sentence))
    return with_full_stop(capitalised(" ".join(text.split())))


def _aged(sentence: str) -> list[str]:
    """The words in capitals directly before an age: somebody's name."""
    found: list[str] = []
    for age in (*_AGE_IN_BRACKETS.finditer(sentence), *_AGE.finditer(sentence)):
        for word in reversed(_before(sentence, age.start())[-3:]):
            if not _is_shouted(word.strip(".,")):
                break
            found.append(word.strip(".,"))
    return found


def _before(text: str, at: int) -> list[str]:
    """The last words before a place."""
    return text[max(at - _NEAR, 0) : at].split()


def _is_shouted(word: str) -> bool:
    letters = word.replace("ß", "")
    return len(letters) > 1 and letters.upper() == letters and letters.lower() != letters


def _quiet(sentence: str, found: re.Match[str], named: Collection[str], language: str) -> str:
    word = found[0]
    elided = _ELIDED.match(word)
    if elided and _is_shouted(word[elided.end() :]):
        rest = word[elided.end() :].lower()
        return elided[0].lower() + (_proper(rest) if rest in named else rest)
    if not _is_shouted(word) or _SHORT_FORMS.fullmatch(word):
        return word
    before = _before(sentence, found.start())
    lower = word.lower()
    titled = bool(before) and before[-1].lower().rstrip(".") in _TITLES
    if lower in named or lower in _TITLES or titled:
        return _proper(lower)
    if language != "de":
        return lower
    following = re.match(rf"\s+({_WORD})", sentence[found.end() :])
    described = following is not None and _is_shouted(following[1]) and following[1].lower() not in named
    # “eine alte FLASCHE WEIN”: what an adjective stands before is a noun, and so is a measure.
    last = before[-1].lower() if before else ""
    noun = lower in _MEASURES or (last not in _ARTICLES and _ADJECTIVE.match(last) is not None)
    return lower if described and _ADJECTIVE.match(lower) and not noun else _german(lower, before, named)


def _german(word: str, before: list[str], named: Collection[str]) -> str:
    """A German word: a noun has a capital; a verb after its subject and an adjective before a noun have none."""
    if word in _SMALL:
        return word
    last = re.sub(r"\W+$", "", before[-1]) if before else ""
    last = last.lower() if _is_shouted(last) and last.lower() not in named else last
    if not last or _GERMAN_NOUN.search(word) or last.lower() in _ARTICLES or last.lower() in _PREPOSITIONS:
        return _proper(word)
    joined = last.lower() in named or last.lower() in _GERMAN_SUBJECTS or not _ADJECTIVE.match(last)
    verb = joined and not before[-1].endswith((",", ".", ";", ":", "!", "?")) and _GERMAN_VERB.match(word) is not None
    return word if verb else _proper(word)


def _proper(word: str) -> str:
    return "-".join(part[:1].upper() + part[1:] for part in word.split("-"))


def _without_ages(text: str) -> str:
    text = _AGE_IN_BRACKETS.sub("", text)

    def gone(age: re.Match[str]) -> str:
        if not re.match(r"\W*[A-ZÀ-ÖØ-Þ]", "".join(_before(text, age.start())[-1:])):
            return age[0]  # no name's
        # “Claire, 42 ans, boulangère, pétrit” keeps a comma; “Claire, 42 ans, pétrit” has none left.
        return age["comma"] if _COMMA_SOON.match(text, age.end()) else ""

    return _AGE.sub(gone, text)
