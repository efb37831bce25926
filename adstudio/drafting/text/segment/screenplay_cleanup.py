"""Screenplay shouting and camera talk taken out of a description: ANNA (30s), a KEY, CUT TO."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from adstudio.drafting.text.language.grammar import is_word, verb_lemmas, word_set
from adstudio.drafting.text.language.people import Gender, could_be

_SHORT_FORMS = re.compile(
    r"TV|DVD|CD|US|USA|UK|EU|UN|FBI|CIA|NYPD|LAPD|SUV|ATM|VIP|ID|DJ|MC|PA|OK|DNA|MRI|ER|IV|SOS|BBC|CCTV|NASA"
    r"|SWAT|POV|GTI|GPS|RAF|IBM|AM|PM|PC|HQ|DC|LA|NYC|WC|II|III|VI|VII|VIII|IX|XI|XII"
    r"|UFO|ICBM|NATO|USSR|IQ|IRS|EKG|ECG|EMT|ETA|CEO|CFO|AK|IED|USB|LCD|EEG|UCLA|MIT|NSA|DEA|ATF|ICU|AI|ATV|UV"
    r"|(?!MRS?\b|DR\b|ST\b|JR\b|SR\b|MS\b|HM+\b|SH+\b)[BCDFGHJKLMNPQRSTVWXZ]{2,4}"
)
_LOUD = r"[^\W\d_](?:[^\W\d_]|[’'\-](?=[^\W\d_]))+"
_SHOUTED_WORD = rf"(?=[^a-zß-öø-ÿ\s]+\b){_LOUD}"
_SHOUTED = re.compile(rf"\b(?-i:(?:[AI] )*{_SHOUTED_WORD}(?: (?:[AI] )*{_SHOUTED_WORD})*)\b")
"""Words in capitals; a single letter is one of them only before another, as in A CAT or KNOCKS OVER A CUP."""
_TITLES = frozenset({"MR", "MRS", "MS", "MISS", "DR", "LORD", "LADY", "SIR"})
_ALSO_KNOWN_AS = "aka"
"""What stands between two names and is none: THE BOSS, AKA DAN."""
_PHRASE = 3
"""This many words in capitals in a row are not a name but a sentence in capitals."""
_WRITTEN = re.compile(r"\b(?:marked|reads?|reading|says|saying|labell?ed|titled|stamped|spells|called):?\s+$")
_OWNER = re.compile(r"[’']s$", re.IGNORECASE)
_COMMON = word_set(
    "in on at off out up down over into from with the and but of to two three four five six seven eight nine ten "
    "eleven twelve twenty thirty hundred first second third half o'clock several old young "
    "small big loud his her away back forward inside outside together behind through around across above below "
    "everywhere nowhere here there now then never is are was were for like when as it he she they we them him by "
    "under past a an or their its again slowly suddenly very not who that this all both"
)
_ASIDE = re.compile(r"(?<=[A-Z’'])\s*\([^()\n]{1,40}\)")
_AGE_FOLLOWS = re.compile(r"\s*\([^()\n]*\d[^()\n]*\)|,\s\d{1,2}s?,")
_AGE = re.compile(
    r"\s*\((?:(?:early|mid|late)[ -]?)?(?:\d{1,2}s?|teens|twenties|thirties|forties|fifties|sixties)"
    r"(?:, [^()\n]{1,40})?\)"
)
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|‘[^’]*’")
_WHOSE = re.compile(r"\b(who)['’]s(?= \w+ (?:is|are|was|were)\b)", re.IGNORECASE)
"""The word that a slip writes as “who’s”: a man who’s hat is gone."""
_BEFORE_A_THING = re.compile(
    r"(?:^|[\s(])(?:a|an|the|his|her|its|their|my|our|your|this|that|these|those|some|any|no|one|two|three|four|five|several|"
    r"many|of|another|each|every|[a-z]+(?:ed|ing|y|ish|ous|ful|en))\s+$",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?…。！？｡．؟۔।፧။][”’\"')\]»」』）]*$")
"""The stops of all scripts are stops."""
_GOES_ON = re.compile(
    r"(?<=[^\W_]) (?:--+|[–—]) (?:A(?=(?:t|nd|s) )|W(?=ith )|I(?=nto )|T(?=hrough )|F(?=rom )|T(?=oward\w* ))"
)
"""A dash before what the sentence goes on with, although it has a capital."""
_NEXT_SENTENCE = re.compile(
    r"(?:(?<=[^\W_]) (?:--+|[–—]) (?=[A-Z][\w’']*(?: [^\s.!?–—-][^\s.!?–—]*){2,}[.!?…])"
    r"|(?<=[^\W_]) - (?=(?:The|A|An|He|She|They|It|This|His|Her)\b(?![^.!?]* - ))|(?<=[a-z])- (?=[A-Z][a-z]))"
)
_CUTTING = r"(?:smash |match |jump |hard |quick )?(?:cut|dissolve|fade) (?:back )?(?:to|in|out|up)(?: black)?\s*[:.]\s+"
_TO_WHAT = r"(?:smash |match |jump |hard |quick )?(?:cut|dissolve) (?:back )?to\s+(?!(?:black|white)\b)"
_TO_WHOM = rf"{_TO_WHAT}(?:[\w’'-]+ ){{0,3}}[\w’'-]+:\s+"
_CAPTION = re.compile(
    r"^\s*(?:super(?:impose)?d?|(?:super)?title(?: card)?(?: over black)?|intertitle|caption|chyron|legend"
    r"|on[ -]?screen(?: text)?|text on (?:the )?screen|lower third)"
    r"\s*(?:[:–—-]+\s*|(?=[“\"]))[“\"]?(?P<said>[^”\"]*)[”\"]?[.\s]*$",
    re.IGNORECASE,
)
_FLASHBACK = re.compile(r"^\s*(?:a )?flash ?back(?: to)?\s*[:–—-]+\s+(?=\S)", re.IGNORECASE)
_CUT = re.compile(rf"^\s*(?:{_CUTTING}|{_TO_WHOM})", re.IGNORECASE)
_CUES = re.compile(
    rf"^\s*(?:{_CUTTING}|{_TO_WHOM}|{_TO_WHAT}|(?:flash ?back|montage|dream sequence|series of shots|split screen"
    r"|slow motion|in slow motion|pov)(?: to)?\s*[:–—-]+\s+"
    r"|(?:view|seen|shot|angle) from [^:.]{1,30}:\s+"
    r"|(?:fade in|hold|fade up) on\s+|(?:(?:extreme |very )?(?:wide|long|medium|full|aerial|establishing) )shot of\s+"
    r"|(?:(?:extreme |tight |very )?close(?:[ -]?up)? (?:on|of)|angle on|insert(?: on)?(?= |:)|reverse on"
    r"|wide on|pov on|reverse to|reverse angle(?: on)?|single shots?(?= ?:)"
    r"|(?:the )?camera (?:finds|reveals|follows|shows|discovers))\s*[:–—-]*\s+)",
    re.IGNORECASE,
)


def with_stops(text: str) -> str:
    """A text of the same length with a full stop for each dash after which another sentence begins.

    Ned fires -- They drop flat. → Ned fires. They drop flat. Ned stares -- At the sea. → Ned stares at the sea. What a
    second dash closes is an aside, and stays; so does what is quoted.
    """

    def stopped(dash: re.Match[str]) -> str:
        return dash[0] if _is_quoted(text, dash.start()) else "." + " " * (len(dash[0]) - 1)

    def gone_on(dash: re.Match[str]) -> str:
        return dash[0] if _is_quoted(text, dash.start()) else " " * (len(dash[0]) - 1) + dash[0][-1].lower()

    return _NEXT_SENTENCE.sub(stopped, _GOES_ON.sub(gone_on, text))


def _is_quoted(text: str, place: int) -> bool:
    return text.count("“", 0, place) > text.count("”", 0, place) or text.count('"', 0, place) % 2 == 1


def without_shouting(description: str, names: Collection[str] = ()) -> str:
    """A description of the same length whose shouted words are written as others are and whose asides are blanks.

    ANNA (30s) lifts a KEY becomes Anna       lifts a key: offsets stay what they were. Words within quotation marks
    and short forms (FBI) stay. `names` are those of the film's characters.
    """
    quoted = {place for found in _QUOTED.finditer(description) for place in range(*found.span())}
    named = {part.lower() for name in names for part in name.split()} - _COMMON
    named |= {
        word.lower()
        for run in _SHOUTED.finditer(description)
        for word in _surname(run.group().split(" "), named, description[run.end() : run.end() + 1])
    }
    for run in _SHOUTED.finditer(description):
        named |= _first_name(run.group().split(" "), named, description[run.end() : run.end() + 1])
        if _AGE_FOLLOWS.match(description, run.end()) and not _of_a_thing(description, run):
            named |= {word.lower() for word in run.group().split()}

    def quiet(run: re.Match[str]) -> str:
        if not _OWNER.sub("", run.group()).isupper():
            return run.group()  # the pattern knows only Latin letters
        before = description[max(0, run.start() - 60) : run.start()]
        written = run.start() in quoted or (_WRITTEN.search(before) and not _is_of_somebody(before))
        return run.group() if written else _quiet(run, description, named)

    def blank(found: re.Match[str]) -> str:
        return found.group() if found.start() in quoted else " " * len(found.group())

    return _SHOUTED.sub(quiet, _AGE.sub(blank, _ASIDE.sub(blank, _WHOSE.sub(r"\1se", description))))


def _quiet(run: re.Match[str], text: str, named: Collection[str]) -> str:
    words = run.group().split(" ")
    article = words[0] == "A" and len(words) > 1
    before = text[max(0, run.start() - 40) : run.start()].rstrip()
    begins = not before or before[-1] in ".!?…" or (before[-1] == ":" and not _is_shouted_up_to(text, run.start()))
    thing = article or _of_a_thing(text, run)
    phrase = len(words) - article >= _PHRASE
    owner = any(_OWNER.search(word) for word in words)
    a_name = not thing and not phrase and not owner and not all(map(_is_common, words))
    said: list[str] = []
    for at, word in enumerate(words):
        lower = word.lower()
        first = begins and at == 0
        if len(word) == 1:
            said.append(word if first or word == "I" else lower)
            continue
        proper = (
            _OWNER.sub("", lower) in named or a_name or not (phrase or _is_common(word) or (thing and at == article))
        )
        proper = proper and lower != _ALSO_KNOWN_AS and not (thing and _is_what_somebody_is(lower))
        cased = "-".join(part.capitalize() for part in lower.split("-")) if first or proper else lower
        said.append(word if _SHORT_FORMS.fullmatch(word) or len(cased) != len(word) else cased)
    return " ".join(said)


def _is_of_somebody(before: str) -> bool:
    """Whether a name follows what somebody is, which is not written anywhere: a boy of ten called ODDO."""
    said = re.search(r"\b(?:an?|the) ([^,.;:!?]*),? called\s+$", before, re.IGNORECASE)
    return said is not None and any(_is_what_somebody_is(word.lower()) for word in said[1].split())


def _is_shouted_up_to(text: str, place: int) -> bool:
    """Whether a sentence is in capitals up to a place: then capitals do not show that something written follows."""
    sentence = re.split(r"[.!?…]\s", text[:place])[-1]
    return not any(letter.islower() for letter in sentence)


def _surname(run: Sequence[str], named: Collection[str], after: str) -> Sequence[str]:
    """Words in capitals after a character's name that are not verbs, or precede a comma: TOM FINCH, the clerk."""
    if len(run) == 2 and run[0].rstrip(".") in _TITLES:
        return run[1:]
    follows = run[1:] if len(run) == 2 and run[0].lower() in named else ()
    return [word for word in follows if after == "," or not (verb_lemmas(word.lower()) or word.lower() in _COMMON)]


def _first_name(run: Sequence[str], named: Collection[str], after: str) -> set[str]:
    """The word in capitals before a character's name and a comma, where it is no verb: PENNY FROST, his sister."""
    if len(run) != 2 or after != "," or run[1].lower() not in named:
        return set()
    word = run[0].lower()
    return set() if word in _COMMON or verb_lemmas(word) or not word.isalpha() else {word}


def _is_common(word: str) -> bool:
    lower = _OWNER.sub("", word).lower()
    if len(lower) == len("Al"):
        return lower in _COMMON  # so short, what the lists have are signs of elements and the like
    return is_word(lower) or lower in _COMMON


def _is_what_somebody_is(word: str) -> bool:
    return could_be(word, Gender.HE) or could_be(word, Gender.SHE)


def _of_a_thing(text: str, run: re.Match[str]) -> bool:
    return _BEFORE_A_THING.search(text[max(0, run.start() - 40) : run.start()]) is not None


def without_capitals(sentence: str, names: Collection[str], language: str) -> str:
    """A sentence in capitals written as others are, names with theirs; one that has any small letter is left as it is.

    German is left too: which of its words are nouns, the capitals do not say.
    """
    if language == "de" or not is_in_capitals(sentence):
        return sentence
    lower = (sentence.replace("İ", "i").replace("I", "ı") if language == "tr" else sentence).lower()
    for part in {part for name in names for part in name.split() if part.lower() not in _COMMON}:
        lower = re.sub(rf"\b{re.escape(part.lower())}\b", part.capitalize(), lower)
    return capitalised(lower)


def is_in_capitals(sentence: str) -> bool:
    """Whether a sentence of a few words or more has no small letter."""
    return len(sentence.split()) >= _PHRASE and all(letter == letter.upper() for letter in sentence if letter.isalpha())


def without_cue(sentence: str) -> str:
    """A sentence without the camera's direction that it begins with: Close on the key. → The key.

    What is written over the picture is said to be a caption: SUPER: “Thursday” → A caption: Thursday.
    """
    if caption := _CAPTION.match(sentence):
        return f"A caption: {capitalised(caption['said'].strip())}" if caption["said"].strip(" .") else sentence
    if flashback := _FLASHBACK.match(sentence):
        first, *others = sentence[flashback.end() :].split(" ", 1)
        small = first.lower() if first.lower() in _COMMON else first
        return " ".join(["In a flashback,", small, *others])
    rest = _CUES.sub("", sentence)
    return capitalised(rest) if rest.strip(" .") else sentence


def shows_a_thing(sentence: str) -> bool:
    """Whether a sentence is a camera's direction to look at something, which says nothing of what happens."""
    found = _CUES.match(sentence)
    return found is not None and _CUT.match(sentence) is None


def tidy_sentence(description: str, names: Collection[str] = ()) -> str:
    """A description, or a part of one, as a describer would write it: one line, nothing shouted, capital, full stop."""
    return with_full_stop(capitalised(without_cue(" ".join(without_shouting(description, names).split()))))


def capitalised(text: str) -> str:
    """A text whose first letter is a capital."""
    at = next((place for place, letter in enumerate(text) if letter.isalnum()), None)
    return text if at is None else text[:at] + text[at].upper() + text[at + 1 :]


def with_full_stop(text: str) -> str:
    """A text that ends as a sentence does; a comma, colon or dash at its end goes."""
    text = re.sub(r"(?:[\s,;:–—-]|\b(?:and|but|or)$)+$", "", text.strip())
    if not text or _ENDED.search(text):
        return text
    return text + "."
