"""Adjectives without which a noun would be another thing: hot dog, wooden leg, polar bear, sliding door."""

from __future__ import annotations

from adstudio.drafting.text.language.grammar import noun_lemmas, word_set

_CLASSIFYING = word_set(
    "polar electric electrical electronic postal dental medical surgical military nuclear naval royal solar lunar "
    "musical mechanical automatic remote public private general common national federal presidential legal chemical "
    "optical spinal facial spare grand teddy folding revolving sliding cutting ironing wrapping writing landing "
    "loading boarding diving climbing hearing vending visiting chopping baking filing rolling watering skipping "
    "knitting paddling wading bathing fitting weighing spinning typing counting milking mixing measuring beating "
    "walking running dancing talking flying burning "
    "blind deaf mute naked nude pregnant headless one-armed one-legged one-eyed armless legless invisible "
    "secret hidden disguised severed decapitated stuffed frozen painted imaginary artificial synthetic "
    "inflatable clockwork model miniature plastic rubber paper cardboard marble "
    "unloaded loaded unlit lit empty-handed deserted drowned drowning hanged dying lifeless dead-end nearest "
    "wanted prime vice deputy assistant acting ex"
)
"""Adjectives that say of what kind a thing is, or what cannot be left unsaid of somebody."""
_AFTER_ALL_THE_SAME = {
    "burning": "house home farm ship car building wood tree roof bridge town city man woman field",
    "running": "shoe water board mate gear",
    "walking": "stick frame boot shoe",
    "dancing": "shoe bear master lesson",
    "talking": "dog cat bird parrot doll head animal",
    "flying": "saucer fish carpet machine doctor horse",
    "rolling": "pin stock mill",
    "frozen": "pea food meal pizza fish lake river pond sea ground",
    "painted": "face lady bird",
    "deserted": "child wife village town",
    "common": "room cold sense law ground",
    "general": "store staff election",
    "private": "eye detective part school plane jet view",
    "public": "house school bar servant",
    "grand": "piano prix duke master jury slam canyon",
    "hidden": "camera door room compartment gun microphone",
    "plastic": "surgeon surgery flower fruit gun soldier duck bag",
    "paper": "boat plane flower hat bag cup aeroplane airplane dragon",
    "hearing": "aid",
    "common-law": "wife husband",
}
"""Of some of them, the nouns with which they do: a running man may go without."""
_MATERIALS = word_set("wooden glass stone iron steel bronze golden silver stuffed woollen knitted tin wax straw snow")
_LIVING = word_set(
    "leg arm hand foot eye ear nose tooth teeth head heart finger hook horse bear dog cat bird duck lion tiger bull "
    "deer fish swan owl eagle wolf fox rabbit man woman girl boy child soldier angel knight king queen god goddess "
    "saint virgin head body figure doll puppet baby elephant monkey crocodile snake frog flower rose fruit apple"
)
"""Living things and their parts: of wood or glass they are none."""
_PAIRS = {
    "hot": "dog water plate tub spot potato",
    "high": "chair heel court school priest jump street",
    "single": "bed room malt",
    "double": "bed room bass door agent bill decker",
    "dark": "glass room",
    "light": "bulb switch year aircraft",
    "black": "eye box market belt hole magic coffee ice sheep",
    "white": "flag wine noise lie water",
    "red": "wine carpet card cross flag light",
    "green": "light room card tea salad bean",
    "blue": "cheese whale print movie",
    "brown": "bread rice bear",
    "yellow": "card page",
    "cold": "cream water sweat shower meat",
    "open": "fire air sea wound mind",
    "short": "cut circuit story sleeve",
    "long": "jump johns",
    "big": "wheel top toe dipper bang brother",
    "little": "finger toe brother sister",
    "small": "talk print change arms",
    "great": "aunt uncle dane grandmother grandfather",
    "hard": "hat disk drive shoulder boiled",
    "soft": "drink toy top",
    "wet": "suit nurse",
    "dry": "dock ice cleaner",
    "fresh": "air water",
    "still": "life",
    "wild": "boar goose cat horse animal strawberry flower",
    "live": "wire bullet ammunition round",
    "loud": "speaker hailer",
    "raw": "meat egg fish steak",
    "safe": "house",
    "sour": "cream milk",
    "sweet": "potato pea corn",
    "bloody": "mary",
    "broken": "glass arm leg wrist ankle nose rib bone neck",
    "bare": "foot feet",
    "deep": "freeze freezer end",
    "dirty": "trick joke",
    "fine": "art",
    "flat": "tyre tire line",
    "free": "kick fall",
    "full": "moon stop",
    "half": "moon time",
    "guinea": "pig fowl",
    "old": "people age master guard",
    "young": "people lady offender",
    "round": "trip",
    "second": "hand floor",
    "square": "root",
    "straight": "jacket razor flush",
    "tight": "rope",
    "top": "hat secret",
    "emergency": "exit",
    "married": "couple man woman",
    "best": "man",
    "maternal": "uncle aunt grandmother",
    "moving": "picture van",
    "pop": "concert star",
    "rubber": "stamp band boat duck glove bullet",
    "silent": "film movie alarm",
    "slow": "motion",
    "sticky": "tape",
    "strong": "box room",
    "unmarked": "car grave",
    "virtual": "reality",
    "wrong": "way number",
    "civil": "servant war",
    "dark-room": "light",
    "electric": "chair",
    "lost": "property",
    "burning": "bush",
    "toilet": "paper",
    "unconscious": "man woman boy girl body",
    "wounded": "man woman soldier",
    "sick": "bag bay bed leave",
    "working": "class day",
    "true": "story love",
    "shanty": "town",
    "watering": "can",
    "comic": "book strip opera relief",
    "whole": "way time night day world",
    "new": "year moon",
    "last": "rites post",
    "first": "aid class lady floor",
    "bad": "breath",
    "good": "luck job",
    "mad": "house",
    "smart": "phone card",
    "digital": "watch clock",
    "alarm": "clock",
    "manual": "labour labor work",
}
FIRM_WITH = frozenset(
    (modifier, noun)
    for pairs in (_PAIRS, _AFTER_ALL_THE_SAME)
    for modifier, nouns in pairs.items()
    for noun in nouns.split()
)
"""An adjective and its noun that are one thing's name."""


def makes_another_thing(modifier: str, noun: str) -> bool:
    """Whether a noun without a modifier would be, or be taken for, another thing or person."""
    modifier, noun = modifier.lower().strip("\"'“”‘’"), noun.lower()
    nouns = {noun, *noun_lemmas(noun)}
    if any((modifier, each) in FIRM_WITH for each in nouns) or f"{modifier}-{noun}" in _HYPHENED:
        return True
    if modifier in _MATERIALS and nouns & _LIVING:
        return True
    return modifier in _CLASSIFYING and modifier not in _AFTER_ALL_THE_SAME


_HYPHENED = word_set("merry-go-round jack-in-the-box")
