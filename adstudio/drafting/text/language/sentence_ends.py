"""Where the sentences of a wording end, in any language: whether it is a single one, or where it may be cut.

A splitter for running text (`grammar.sentence_starts`) tends to split once too often; here a sentence too many costs a
describer a good wording, so a mark is an end only if nothing speaks against it. Quoted sentences do not count. Marks of
other scripts are known too (Unicode, annex 29).
"""

from __future__ import annotations

import re
from itertools import pairwise

from adstudio.core.language_tags import primary_subtag
from adstudio.drafting.text.language.grammar import word_set

_CLOSING = '"”’“»«)\\]›』」）】'
_OPENING = '"“‘„«»(\\[‹『「（【¿¡—–-'
_MARKS = ".!?…。！？｡．।॥؟۔։።"
_END = re.compile(rf"(?P<mark>[.!?…]+|[。！？｡．।॥؟۔։።]+)(?P<closing>[{_CLOSING}]*)")
_LAST = re.compile(rf"[{_MARKS}][{_CLOSING}]*\Z")
_NEXT = re.compile(rf"(?P<gap>\s*)[{_OPENING}]*\s*(?P<letter>\w)")
_QUOTED = re.compile(r"“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|»[^«»]*«|\"[^\"]*\"|「[^「」]*」|『[^『』]*』")
_WORD = re.compile(r"[^\s“”„«»()\[\]\"‘]*\Z")
_GREEK_QUESTION = re.compile(r"[;\u037e](?=\s+\w)")
_PIECES = re.compile(r"[^\W\d_]{1,4}(?:\.[^\W\d_]{1,4})+\Z")
_ORDINAL = re.compile(r"\d{1,3}\Z")


_TITLES = word_set(
    "Mr Mrs Ms Mx Dr Dra Prof Profa St Ste Sta Sto Sgt Lt Cpl Pvt Capt Cpt Col Maj Gen Adm Cmdr Rev Fr Hon Gov Sen Rep"
    " Det Insp Supt Messrs Jr Sr Sra Srta Srs Mme Mlle MM Hr Hrn Frl Mag Dipl Ing Mons Msgr Mgr Pfr Sig Dott Avv Arch"
    " Exmo Exma Ud Uds Inc Ltd Co Corp Bros Mt vs approx"
)
"""Short forms in front of a name, or inside one, wherever they are written so."""
_NUMBERED = word_set(
    "no nos nr nrn n p pp pg s str vol vols fig figs art bd kap abb ch chap ca c tel op pag pág núm num ext rm apt sq"
    " st jan feb mar apr jun jul aug sep sept oct okt nov dec dez kl klo стр рис гл №"
)
"""Short forms in front of a number, in small letters."""
_OTHERS = {
    "en": word_set("esp"),
    "de": word_set(
        "bzw ca vgl evtl ggf inkl exkl sog Hl hl Nr max min mind Str geb gest verh Jh Abb Bd Kap Tel Sankt zzgl abzgl"
    ),
    "fr": word_set("av bd env cf dr st ste no"),
    "es": word_set("sr sra srta sres dr dra av avda ud uds pág núm aprox prof"),
    "pt": word_set("sr sra dr dra av prof profa exmo exma aprox núm"),
    "it": word_set("sig sigg sigra dott dottssa prof avv ing arch ca es cfr"),
    "nl": word_set("bijv dhr mevr ca nr drs ir mr mw ds"),
    "sv": word_set("ca ex kl nr dvs resp St"),
    "da": word_set("ca kl nr hr fr dvs"),
    "no": word_set("ca kl nr hr fr dvs"),
    "pl": word_set("np tzn tj ul al pl dr prof płk ppłk gen kpt por św nr ok inż mgr ks"),
    "cs": word_set("např tj tzv ul sv č čp pí sl ing mgr doc prof"),
    "sk": word_set("napr tj tzv ul sv č pí ing mgr doc prof"),
    "hu": word_set("dr özv ifj id kb ún pl"),
    "ro": word_set("dl dna dr prof str nr ex"),
    "tr": word_set("dr prof sn av yrd doç"),
    "ru": word_set("ул им св см гр пр тов проф акад стр напр ок др г-н г-жа"),
    "uk": word_set("вул ім св див гр пр тов проф акад напр ін"),
    "el": word_set("κ κα κος δρ δηλ αγ Αγ Δρ"),
    "hi": word_set("डॉ प्रो श्री पं"),
}
"""Short forms that are words, or mean nothing, elsewhere; a form with a capital is meant with it alone."""
_DOTS_AFTER_ORDINALS = word_set("de da nb nn no is fo lb nds fi et lv lt cs sk sl hr sr bs pl hu tr")
"""Languages in which “1.” is “the first”."""


def sentence_breaks(text: str, language: str = "en") -> tuple[int, ...]:
    """The places, in order, at which a sentence of a text ends and another one follows."""
    main = primary_subtag(language)
    plain = _QUOTED.sub(_masked, text)
    found = {each.end() for each in _END.finditer(plain) if _ends(plain, each, main)}
    if main == "el":
        found |= {each.end() for each in _GREEK_QUESTION.finditer(plain)}
    return tuple(sorted(found))


def sentences(text: str, language: str = "en") -> int:
    """How many sentences a text is: at least one."""
    return len(sentence_breaks(text, language)) + 1


def is_ended(text: str) -> bool:
    """Whether a text ends with a mark that ends a sentence, before any closing quotes or brackets."""
    return _LAST.search(text) is not None


def ends_in_short_form(text: str, language: str = "en") -> bool:
    """Whether the full stop at the end of a text is a short form's, an initial's or an ordinal's."""
    text = text.rstrip()
    return text.endswith(".") and _is_short(text, len(text) - 1, language)


def whole_sentences(text: str, language: str = "en") -> str:
    """A text that broke off, without the sentence in which it did; empty where it did in the first."""
    final = [found for found in _END.finditer(text) if not text[found.end() :].strip()]
    last = final[-1] if final else None
    if last is not None and ("." not in last["mark"] or not _is_short(text, last.start(), language)):
        return text.rstrip()
    breaks = sentence_breaks(text, language)
    return text[: breaks[-1]] if breaks else ""


def split(text: str, language: str = "en") -> tuple[str, ...]:
    """The sentences of a text, line by line; those without a letter or a digit are left out."""
    found: list[str] = []
    for line in text.split("\n"):
        bounds = (0, *sentence_breaks(line, language), len(line))
        found += [line[start:end].strip() for start, end in pairwise(bounds)]
    return tuple(each for each in found if any(map(str.isalnum, each)))


def _masked(quoted: re.Match[str]) -> str:
    """A quotation of the same length, of which only how it begins and ends is left."""
    text = quoted[0]
    inside = text[1:-1]
    if len(inside) < 3:
        return text
    tail = re.search(r"[.!?…。！？]*\Z", inside)
    tail_length = len(tail[0]) if tail else 0
    hidden = "".join(" " if letter.isspace() else "x" for letter in inside[1 : len(inside) - tail_length])
    return f"{text[0]}{inside[0]}{hidden}{inside[len(inside) - tail_length :]}{text[-1]}"


def _ends(text: str, found: re.Match[str], language: str) -> bool:
    mark, after = found["mark"], _NEXT.match(text, found.end())
    before = text[: found.start()]
    if after is None or not any(map(str.isalpha, before)):
        return False
    letter = after["letter"]
    if mark[0] not in ".!?…":
        # A Japanese sentence goes on behind what it quotes; nothing tells that from the next one.
        return not found["closing"] or bool(after["gap"])
    if letter.islower():
        return False
    if not after["gap"]:
        return _run_together(text, found, after, language)
    if mark != ".":
        return True
    # A mark that closes a quotation is no short form's.
    return bool(found["closing"]) or not _is_short(text, found.start(), language, before_number=letter.isdigit())


def _run_together(text: str, found: re.Match[str], after: re.Match[str], language: str) -> bool:
    """Whether two sentences stand there without a space between them, as in “She waits.He runs.”; “list.PDF” is one."""
    following = text[after.end() : after.end() + 1]
    if not after["letter"].isupper() or not (following.islower() or following.isspace()):
        return False
    if found["mark"] != ".":
        return text[found.start() - 1].isalpha()
    word = _before(text, found.start())
    return len(word) > 1 and word[-1].islower() and "." not in word and not _is_short(text, found.start(), language)


def _before(text: str, end: int) -> str:
    found = _WORD.search(text[max(end - 40, 0) : end])
    return found[0] if found else ""


def _is_short(text: str, end: int, language: str, *, before_number: bool = False) -> bool:
    """Whether the full stop at a place belongs to a short form, an initial or an ordinal."""
    main = primary_subtag(language)
    word = _before(text, end).rsplit("-", 1)[-1].lstrip("'’")
    if len(word) == 1 and word.isalpha():
        return True
    if _PIECES.match(word) or word in _TITLES or word in _OTHERS.get(main, ()):
        return True
    if before_number and word.lower() in _NUMBERED:
        return True
    return main in _DOTS_AFTER_ORDINALS and _ORDINAL.match(word) is not None
