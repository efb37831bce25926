"""British spellings made American, so that a screenplay and subtitles of either side of the ocean match.

Whisper's normaliser has a table of 1,700 forms; these are its families as rules over stems that occur in talk, with the
single words that follow no rule. A form outside them stays as it is on both sides, so it still matches itself.
"""

from __future__ import annotations

import re

_OUR = "arb arm behavi cand clam col demean endeav fav ferv flav glam harb hon hum lab neighb od parl ranc rig rum sav"
_OUR_MORE = "splend succ tum val vap vig"
_RE = "cent theat met lit fib calib sab spect somb meag lust och"
_IS = """
agon american antagon apolog author bapt brutal cannibal capital categor central character civil colon commercial
critic crystall demoral dramat econom emphas energ equal familiar fantas fertil final formal general harmon hospital
hypnot ideal immortal immun item jeopard legal local magnet material maxim mechan memor mesmer minim mobil modern
monopol moral national natural neutral normal optim organ ostrac oxid patron penal personal philosoph plagiar polar
popular priorit public pulver random rational real recogn reorgan revital revolution romantic sanit satir scandal
scrutin sensational sensit social special stabil standard steril stigmat subsid summar symbol sympath synchron tantal
terror theor tranquill trauma traumat trivial union urban util vandal vapor verbal victim visual vocal western
"""
_YS = "anal paral catal"
_LL = """
bevel cancel channel counsel dial duel equal fuel initial jewel label level libel marvel model panel pedal quarrel
rival shovel shrivel signal snivel swivel total travel tunnel unravel
"""


def _any(stems: str) -> str:
    return "|".join(stems.split())


_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"^((?:un|dis|mis|en|multi)?(?:{_any(_OUR)}|{_any(_OUR_MORE)}))our(?!s?t)(.*)$"), r"\1or\2"),
    (re.compile(rf"^((?:[a-z]{{3,6}})?(?:{_any(_RE)}))re(s|d)?$"), r"\1er\2"),
    (re.compile(rf"^((?:un|dis|de)?(?:{_any(_IS)}))is(e|ed|es|er|ers|ing|able|ation|ations)$"), r"\1iz\2"),
    (re.compile(rf"^({_any(_YS)})ys(e|ed|es|er|ers|ing)$"), r"\1yz\2"),
    (re.compile(rf"^({_any(_LL)})l(ed|ing|er|ers|or|ors|ous|ously|ings)$"), r"\1\2"),
    (re.compile(r"^(def|off|pret)ence(s|less)?$"), r"\1ense\2"),
    (re.compile(r"^(catal|dial|anal)ogue(s)?$"), r"\1og\2"),
    (re.compile(r"^(pl)ough(s|ed|ing|man)?$"), r"\1ow\2"),
    (re.compile(r"^(m|sm)ould(s|y|ed|ing|er|ering)?$"), r"\1old\2"),
    (re.compile(r"^sceptic(s|al|ism)?$"), r"skeptic\1"),
    (re.compile(r"^manoeuvr(e|es|ed)$"), r"maneuver\1"),
    (re.compile(r"^(an)aesth(.*)$"), r"\1esth\2"),
    (re.compile(r"^(encyclop|p)aed(ia|ias|iatric|iatrician)$"), r"\1ed\2"),
)

_PAIRS = """
ageing:aging aeroplane:airplane aeroplanes:airplanes aluminium:aluminum archaeology:archeology axe:ax
cheque:check cheques:checks cosy:cozy doughnut:donut doughnuts:donuts draught:draft draughty:drafty
enrol:enroll foetus:fetus fulfil:fulfill grey:gray greys:grays haemorrhage:hemorrhage instalment:installment
jewellery:jewelry judgement:judgment kerb:curb licence:license licences:licenses maneuvere:maneuver
maneuveres:maneuvers maneuvered:maneuvered moustache:mustache moustaches:mustaches practise:practice
practised:practiced practising:practicing programme:program programmes:programs pyjamas:pajamas skilful:skillful
storey:story storeys:stories tyre:tire tyres:tires wilful:willful woollen:woolen yoghurt:yogurt
"""
_WORDS = {british: spelling for british, _, spelling in (pair.partition(":") for pair in _PAIRS.split())}


def american(word: str) -> str:
    """The American spelling of a word in small letters; any other word as it is."""
    found = _WORDS.get(word)
    if found is not None:
        return found
    if len(word) < 5:
        return word
    for pattern, spelling in _RULES:
        changed, count = pattern.subn(spelling, word)
        if count:
            return _WORDS.get(changed, changed)
    return word
