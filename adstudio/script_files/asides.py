"""What describers write into a script for the voice or the mix: cue words, pauses, directions, labels of lines.

Layouts seen: the dialogue that comes before, in quotation marks and brackets; [PAUSE] and [:02 PAUSE]; V/O 11.1 in
linking scripts; (fast); comments in braces (ESEF).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_QUOTES = "\"“”„«»‘’'"
_BRACKET = re.compile(
    r"\((?P<round>[^()]{0,300})\)|\[(?P<square>[^\[\]]{0,300})\](?!\()|\{(?P<brace>[^{}]{0,500})\}"
    r"|<(?P<angle>[^<>]{1,80})>"
)
_CUE_WORD = (
    r"(?:(?:in|dialogue|dialog|sound|sfx|visual|music|word)[ -]?)?cue(?: in| words?| line)?|dialogue|dialog|dial"
    r"|after|sfx|fx|"
    r"sound|stichworte?|nach|geräusch|réplique|après|son|diálogo|tras|después de|pie|sonido|battuta|dopo|suono|claus"
    r"|na|"
    r"реплика|после"
)
_NAMED_CUE = re.compile(rf"\s*(?:{_CUE_WORD})\s*[:：–—-]\s*(?P<words>\S.*)", re.IGNORECASE)
_AFTER = re.compile(rf"\s*(?:{_CUE_WORD})\s+(?P<words>[{_QUOTES}].*)", re.IGNORECASE)
_QUOTED = re.compile(r"\s*(?:[^\W\d_][\w .'’-]{0,30}:\s*)?[\"“„«‘].*[\"”“»’][.,;!?…]*\s*")
_LEFT_OUT = re.compile(r"\s*(?:[^\W\d_][\w .'’-]{0,30}:\s*)?(?:\.{2,}|…).+|.+(?:\.{2,}|…)\s*")
_PAUSE = re.compile(
    r"\s*(?:[:.]?\d{1,3}(?:[.,:]\d{1,2})?\s?(?:s|sec|secs|seconds?|sek|\"|″)?\s*[-–]?\s*)?"
    r"(?:(?:long|longer|short|slight|brief|kurze|lange|longue|courte|breve|larga|corta|lunga)\s+)?"
    r"(?:pause|pausa|pauze|paus|пауза|beat|breath|atem|hold|wait|stop|silence|stille)"
    r"(?:\s+(?:long|longue|larga|breve|lunga|courte|corta))?"
    r"(?:\s*[-–:]?\s*(?:for\s+)?[:.]?\d{1,3}(?:[.,:]\d{1,2})?\s?(?:s|sec|secs|seconds?|sek|\"|″)?)?\s*[.]?\s*"
    r"|\s*\d{1,3}(?:[.,]\d{1,2})?\s?(?:s|secs?|seconds?|sek|sekunden?|secondes?|segundos?)\.?\s*"
    r"|\s*:\d{1,2}(?:\.\d)?\s*|\s*/{1,3}\s*",
    re.IGNORECASE,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DIRECTIONS = _words(
    "fast faster quick quickly quicker rapid rapidly brisk briskly slow slowly slower soft softly softer loud "
    "loudly louder "
    "quiet quietly whisper whispered whispering hushed low lower calm calmly urgent urgently excited tense neutral "
    "flat "
    "gentle gently warm light lightly steady even measured tight squeeze squeezed snappy punchy clipped pacy pace "
    "pacey "
    "tempo speed up down overlap overlapping overlaps over under music song dialogue dialog sfx fx effects dip duck "
    "fade "
    "cont continued contd straight in out on cut immediately early late vo v.o. o.s. os off ov voiceover voice-over "
    "narrator describer ad music-up ad-lib optional opt extended ext "
    "schnell schneller zügig rasch langsam langsamer leise laut lauter ruhig flüssig getragen gehaucht geflüstert "
    "drüber "
    "rapide rapidement vite lent lente lentement doucement fort chuchoté enchaîner enchaîné calme "
    "rápido rápida rápidamente despacio lento lenta lentamente suave bajo alto susurrando susurro seguido "
    "veloce velocemente svelto piano forte sottovoce sussurrato calmo "
    "depressa devagar baixo sussurro snel sneller vlug langzaam zacht luid rustig "
    "szybko wolno cicho głośno snabbt långsamt tyst hurtigt hurtig langsomt stille nopeasti hitaasti hiljaa "
    "быстро быстрее медленно тихо громко шёпотом rychle pomalu tiše gyorsan lassan halkan hızlı yavaş"
)
_WITH_DIRECTIONS = _words(
    "very quite a bit little more less as read reading speak spoken say said deliver delivery please and then & , / "
    "- the "
    "to at with sehr etwas ganz bitte lesen gesprochen und noch très un peu plus et lire muy un poco más y leer molto "
    "più e leggere muito mais um pouco heel iets wat en очень и bardzo mycket meget"
)
_NOTE = re.compile(
    r"\s*(?:n\.?b\.?|notes?|pron(?:unciation|ounced)?\.?|phonetic|say|tbc|tbd|todo|check|query|nota|hinweis"
    r"|anm(?:erkung)?\.?|"
    r"remarque|sfx|fx|mus(?:ic)?|sound|ausspr(?:ache)?\.?|dur(?:ation)?|wpm|duck|mix|fade|reader|voice|narrator|ad|vo)"
    r"\s*[:：=–—].*|\s*(?:pron(?:ounced)?\.?|rhymes with|sounds like|gesprochen|ausgesprochen|se prononce)\s+\S.*"
    r"|\s*(?:sic|tbc|tbd|music|song|musik|musique|música|musica|end of (?:ad|description|script|reel)|no ad|ends?"
    r"|more|cont(?:['’]d|inued)?)\s*\.?\s*",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"/?(?:break|emphasis|prosody|speak|p|s|say-as|sub|phoneme|voice|i|b|u|br)(?:\s[^<>]*)?/?", re.IGNORECASE
)
_LABEL = re.compile(
    r"[\[(]?(?:"
    r"(?:v/?o|v\.o\.|a/?d|a\.d\.|desc(?:ription)?|narr(?:ator|ation)?|ad cue|describer|hf|ab"
    r"|aud(?:io)?desc(?:ription)?)"
    r"\s?[.:#-]?\s?(?:#|no\.?|nr\.?)?\s?\d{1,4}(?:[.\-]\d{1,3})*[a-z]?"
    r"|(?:line|event|cue|block|item|take|zeile|no\.|nr\.|n°|nº"
    r"|№)\s?[.:#]?\s?\d{1,4}(?:[.\-]\d{1,3})*[a-z]?(?=\s*(?:[:.)\]–—|-]|\t|\s{2}|$))"
    r"|\#\s?\d{1,4}(?:[.\-]\d{1,3})*"
    r"|(?:v/?o|v\.o\.|a/?d|a\.d\.|narr(?:ator|ation)?|describer|description|(?:audio|video)[ -]?descri(?:ption|ber)"
    r"|audiodeskription"
    r"|beschreibung|sprecher(?:in)?|audiodescription|description audio|audiodescripción|audiodescrizione|voce|voix"
    r"|тифлокомментарий)"
    r"(?:\s?\([^()]{1,30}\))?(?=\s*(?::|[\])]|$))"
    r")[\])]?(?:\s?[:.)\]–—|-]+)?(?=\s|$)\s*",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"(?P<name>[^\W\d_a-zß-öø-ÿ][^a-zß-öø-ÿ:]{0,30}?)\s*(?:\([^()]{1,30}\)\s*)?:\s*(?P<words>\S.*)")
_NARRATOR = re.compile(
    r"\b(?:ad|a\.d|narr\w*|(?:audio)?describers?|sprecher(?:in)?|erzähler(?:in)?|locutora?|диктор)\b", re.IGNORECASE
)
_SLASHES = re.compile(r"\s/{1,3}(?=\s|$)")


@dataclass(frozen=True)
class Piece:
    """A stretch of a line that is spoken; `cue` are the words, or the sound, before it, if they are given there."""

    text: str
    cue: str = ""


@dataclass(frozen=True)
class Spoken:
    """A line without what is not spoken: its pieces, and what was taken out of it, as written."""

    pieces: tuple[Piece, ...]
    asides: tuple[str, ...] = ()


def without_label(line: str) -> str | None:
    """A line without the label of a description that it begins with: V/O 11.1, AD 12:, #3; None if it has none."""
    line = line.lstrip()
    found = _LABEL.match(line)
    return line[found.end() :] if found is not None else None


def is_narrator(speaker: str) -> bool:
    """Whether a speaker's name is that of the voice of the description: AD, Female narrator, Sprecher 2."""
    return without_label(speaker.strip()) == "" or _NARRATOR.search(speaker) is not None


def named_cue(line: str) -> str | None:
    """The cue words of a line that is nothing but a cue: CUE: “…he’s gone.”; None for any other line."""
    line = line.strip()
    found = _NAMED_CUE.fullmatch(line) or _AFTER.fullmatch(line)
    return cue_words(found["words"]) if found is not None else None


def speech(line: str) -> str | None:
    """What a line of dialogue says, of a script that has the film's dialogue too (BEN: Did you?); None for others."""
    found = _SPEAKER.fullmatch(line.strip())
    return cue_words(found["words"]) if found is not None else None


def cue_words(text: str) -> str:
    """Words of dialogue without quotation marks, speaker and dots."""
    words = text.strip()
    speaker = re.match(rf"[^\W\d_][\w .'’-]{{0,30}}:\s*(?=[{_QUOTES}.…])|[^\Wa-z\d_][^\Wa-z]{{1,30}}:\s*", words)
    return (words[speaker.end() :] if speaker else words).strip(f"{_QUOTES}….–—- ")


def bracketed_line(line: str) -> str | None:
    """What a line holds that is nothing but one bracket; None for any other line."""
    found = _BRACKET.fullmatch(line.strip())
    return (found["round"] or found["square"] or "").strip() or None if found is not None else None


def spoken(line: str) -> Spoken:
    """A line in pieces: each bracket with cue words begins one; pauses, directions and notes are taken out."""
    pieces: list[Piece] = []
    asides: list[str] = []
    text = ""
    cue = ""
    at = 0
    for found in _BRACKET.finditer(line):
        inside = next((group for group in found.groups() if group is not None), "")
        is_cue = found["angle"] is None and found["brace"] is None and _is_cue(inside)
        if not is_cue and not _is_aside(found, inside):
            continue
        text += line[at : found.start()]
        at = found.end()
        if is_cue:
            if text.strip() or cue:
                pieces.append(Piece(text.strip(), cue))
            text, cue = "", _cue_inside(inside)
        else:
            text = text.rstrip() + (" " if line[at : at + 1].strip() and line[at : at + 1] not in ".,;:!?…" else "")
        asides.append(found[0])
    text += line[at:]
    if text.strip() or cue or not pieces:
        pieces.append(Piece(_SLASHES.sub("", text).strip() if text.strip() else "", cue))
    return Spoken(tuple(pieces), tuple(asides))


def _cue_inside(inside: str) -> str:
    found = _NAMED_CUE.fullmatch(inside) or _AFTER.fullmatch(inside)
    return cue_words(found["words"] if found is not None else inside)


def _is_cue(inside: str) -> bool:
    if _PAUSE.fullmatch(inside) or not any(map(str.isalpha, inside)):
        return False
    if _NAMED_CUE.fullmatch(inside) is not None or _AFTER.fullmatch(inside) is not None:
        return True
    if _NOTE.fullmatch(inside) is not None:
        return False
    return (
        _SPEAKER.fullmatch(inside) is not None
        or _QUOTED.fullmatch(inside) is not None
        or _LEFT_OUT.fullmatch(inside) is not None
    )


def _is_aside(found: re.Match[str], inside: str) -> bool:
    if found["brace"] is not None:
        return True
    if found["angle"] is not None:
        return _TAG.fullmatch(inside) is not None or _is_direction(inside)
    return bool(_PAUSE.fullmatch(inside) or _NOTE.fullmatch(inside)) or _is_direction(inside)


def _is_direction(inside: str) -> bool:
    words = re.findall(r"[^\s,;/&.+-]+(?:\.[^\s,;/&.+-]+)*\.?|[,;/&+-]", inside.lower())
    plain = [word.strip(".") if word.count(".") < 2 else word for word in words]
    known = [word in _DIRECTIONS for word in plain]
    return any(known) and all(
        is_one or word in _WITH_DIRECTIONS or word in ",;/&+-" for is_one, word in zip(known, plain, strict=True)
    )
