"""Sentences that say what no picture shows: what people think or once did, remarks of the writer, what has no body.

English. A sentence counts as filmable unless its words or its grammar show otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from adstudio.drafting.text.language.grammar import Sentence, Word, noun_lemmas, word_set
from adstudio.drafting.text.language.people import is_name, person_noun, pronoun

_UNSEEN = re.compile(
    r"\b(?:ha(?:s|ve|d|sn['’]t|ven['’]t|dn['’]t)(?: \w+){1,7} (?:for|in)(?: \w+){0,3} "
    r"(?:years?|months?|weeks?|days?|decades?|ages?|hours?|seasons?|centuries)"
    r"|ha(?:s|ve) (?:\w+ ){1,5}before(?=[.,])|ha(?:s|ve) (?:\w+ ){1,4}than any\b"
    r"|something(?: is|['’]s) (?:off|wrong|amiss)|every \w+ (?:matters|has a (?:role|purpose|reason|story))"
    r"|since (?:childhood|birth|then|the (?:war|morning|day|accident|night)|\d{4})"
    r"|used to \w+(?= |\.)|in (?:years|ages|decades)|for (?:years|decades|ages)|years ago|all (?:his|her|their) life"
    r"|every (?:day|morning|night|evening|week|year)|always|usually|normally|typically|never before|as usual|as always"
    r"|no surprises?|there['’]s the rub|could be (?:an?|the|any)|would seem|nothing to do but"
    r"|ha(?:s|ve) no (?:idea|clue|intention|choice|doubt|memory|reason)|no way (?:of|to) (?:tell|know)\w*"
    r"|(?:this|that)(?: is|['’]s) all (?:he|she|they) needs?|(?:this|that|it)(?: is|['’]s) going to be"
    r"|(?<!changes )(?<!changing )(?:his|her|their) (?:mind|soul|conscience)|memor(?:y|ies) of"
    r"|(?:his|her|their) heart (?:melts?|sinks?|breaks?|leaps?|races?|aches?|stops?|skips?)"
    r"|there(?: is|['’]s) something (?:more|else|about)"
    r"|cut from the same cloth|like there['’]s no tomorrow|fish out of water|star of the show"
    r"|(?:look|seem|sound)s? like (?:someone|somebody|an? (?:man|woman|guy|girl|boy|person|kid)) who"
    r"|comes? across as (?:an?|very|rather|quite|being|\w+(?=[.,;]))|has been for (?:an? )?(?:while|long time)"
    r"|^(?:the|an?|his|her|their) (?:\w+ ){1,2}where (?:he|she|they) (?:works?|lives?|grew up)"
    r"|truth be told|a lot (?:is|goes) (?:un)?said"
    r"|(?:it|the \w+|\w+ly) (?:tastes?|smells?)(?= \w+[.;,]?$)"
    r"|of course|obviously|sure enough|in other words|which is to say|needless to say|so to speak|to be honest|actually"
    r"|(?:it|this|that)(?: is|['’]s) (?:clear|obvious|evident|apparent|no secret)"
    r"|(?:must|might|could|would|should) have|secretly|unbeknownst|little (?:does|do|did) (?:he|she|they))\b",
    re.IGNORECASE,
)
_TO_THE_READER = re.compile(
    r"(?:well|oh|yes|no|yeah|okay|ok|alas|indeed|what indeed|or not|maybe|perhaps|apparently|presumably|naturally"
    r"|unfortunately|fortunately|luckily|ironically|who knows)(?:,| ?[—–]| --| - |[.!]$)",
    re.IGNORECASE,
)
"""How a remark of the writer’s begins."""
_THOUGHTS = word_set(
    "know think believe remember recall regret hope wish doubt suspect assume understand love hate want mean intend"
    " imagine forget trust expect deserve belong own represent symbolize suppose guess prefer"
)
_MAY_BE_SEEN = word_set("think want own hope love hate mean wish forget belong")
"""Seen in a look or a label where nothing more is said: she thinks; the sign means; they stand, in love."""
_MODALS = word_set("could would might may should must ought 'd ’d")
"""With these a main clause says what may be, not what is; “can” may say what is seen: He can barely walk."""
_BODILESS = word_set(
    "rumor rumour tension rhythm economy truth reform time moment hope fear love hatred history life fate destiny"
    " memory thought idea reason question answer secret doubt guilt grief sorrow joy happiness anger rage fury panic"
    " curiosity instinct feeling emotion sense mood atmosphere freedom justice peace faith belief pride shame honor"
    " honour duty chance luck plan intention purpose future past childhood youth innocence loneliness relief"
    " realization realisation confusion awkwardness determination desire lust suspicion pressure stress danger threat"
    " problem situation relationship marriage friendship career effect result mystery miracle irony reality illusion"
    " spirit soul attitude personality reputation experience knowledge wisdom education progress civilization"
    " civilisation society culture tradition ambition courage confidence jealousy envy despair desperation sadness"
    " madness sanity evil victory defeat revenge vengeance strength weakness mercy agony hunger adrenaline"
    " trust conscience logic possibility opportunity decision choice matter fact lesson story legend word"
    " world universe nature flattery bond connection chemistry silence implication meaning magic"
)
"""What has no body: as the subject of a sentence it does what no picture shows (Rumours whisper through the halls)."""
_SHOWN_ON = word_set(
    "face eye eyes lip lips mouth brow forehead cheek cheeks features body hand hands screen wall page paper sign"
    " expression smile voice frown board monitor poster map"
)
"""Where what has no body is seen: Relief spreads over her face."""
_BODIED = word_set("life world nature word story time answer plan question magic")
"""Nouns that may also be things: in a phrase with of, or as the subject of these verbs, they may be seen."""
_SEEN_TO = word_set("appear flash flicker scroll drain hang stand fly cross spread fall wash come lie")
_LIKENESSES = word_set(
    "testament symbol reminder metaphor epitome embodiment definition antithesis opposite equivalent proof answer"
    " reason problem question flattery truth lie lesson reply best worst kind type sort master expert legend disaster"
    " nightmare miracle mystery matter tradition habit ritual idea"
)
"""What a thing or somebody is said to be that no picture shows: Her office is a testament to a life of searching."""


def cannot_be_seen(own: str, sentences: Sequence[Sentence]) -> bool:
    """Whether a line, without what it quotes, says what no picture can show."""
    return bool(_UNSEEN.search(own) or _TO_THE_READER.match(own)) or any(
        _thinks(each) or _may_be(each) or _is_bodiless(each) or _is_likened(each) for each in sentences
    )


def has_no_body(word: Word) -> bool:
    """Whether a noun is what nobody can touch: courage, a rumour."""
    lower = word.text.lower()
    lemmas = {lower, *noun_lemmas(lower)}
    return bool(lemmas & _BODILESS) and not lemmas & _BODIED


def _thinks(sentence: Sentence) -> bool:
    words = sentence.words
    # "Tom knows better, so he waits": the first clause depends on the second.
    first = [
        at for at, word in enumerate(words) if word.dep == "ccomp" and at < word.head and word.head in sentence.roots
    ]
    for root in (*sentence.roots, *first):
        lemma = words[root].lemma.lower()
        if lemma == "feel" and _is_a_mood(sentence, root):
            return True
        if words[root].pos != "VERB" or lemma not in _THOUGHTS or not _subjects(sentence, root):
            continue
        more = any(words[at].dep in ("ccomp", "xcomp", "dobj") for at in sentence.children[root])
        if more or lemma not in _MAY_BE_SEEN:
            return True
    return False


def _is_a_mood(sentence: Sentence, verb: int) -> bool:
    """Whether somebody feels good, bad or honest, not something to the touch."""
    words = sentence.words
    somebody = any(
        pronoun(words[at]) is not None or is_name(words[at]) or person_noun(words[at]) is not None
        for at in _subjects(sentence, verb)
    )
    return somebody and any(words[at].dep == "acomp" for at in sentence.children[verb])


def _may_be(sentence: Sentence) -> bool:
    """Whether a main clause says what could or would be: Anything could jump out of them."""
    words = sentence.words
    return any(
        words[at].tag == "MD" and words[at].text.lower() in _MODALS
        for root in sentence.roots
        for at in sentence.children[root]
    )


def _is_bodiless(sentence: Sentence) -> bool:
    """Whether what the sentence is about has no body, and nothing shows it: Tension hangs over the town."""
    words = sentence.words
    if any(word.lemma.lower() in _SHOWN_ON for word in words):
        return False
    for root in sentence.roots:
        subjects = _subjects(sentence, root) or _opening_noun(sentence)
        if any(words[at].dep == "expl" for at in sentence.children[root]):
            subjects = [at for at in sentence.children[root] if words[at].dep == "attr"]  # “there is tension”
        for at in subjects:
            lower = words[at].text.lower()
            lemmas = {lower, *noun_lemmas(lower)}
            if lemmas & _BODILESS and not (lemmas & _BODIED and words[root].lemma.lower() in _SEEN_TO):
                return True
    return False


def _opening_noun(sentence: Sentence) -> list[int]:
    """The noun that a sentence opens with where the parser finds no subject: Rumours of war whisper."""
    words = sentence.words
    at = next((at for at, word in enumerate(words) if word.tag not in ("DT", "PRP$", "JJ")), len(words))
    follows = words[at + 1].tag if at + 1 < len(words) else ""
    return [at] if at < len(words) and words[at].tag in ("NN", "NNS") and not follows.startswith("NN") else []


def _is_likened(sentence: Sentence) -> bool:
    """Whether the sentence says that something is what no picture shows: It is the truth."""
    words = sentence.words
    for root in sentence.roots:
        there = any(words[at].dep == "expl" for at in sentence.children[root])
        if words[root].lemma.lower() != "be" or not (there or _subjects(sentence, root)):
            continue
        for at in sentence.children[root]:
            lower = words[at].text.lower()
            if words[at].dep == "attr" and _is_common(words[at]) and {lower, *noun_lemmas(lower)} & _LIKENESSES:
                return True
    return False


def _is_common(word: Word) -> bool:
    return word.tag in ("NN", "NNS", "JJS")


def _subjects(sentence: Sentence, verb: int) -> list[int]:
    return [at for at in sentence.children[verb] if sentence.words[at].dep in ("nsubj", "nsubjpass") and at < verb]
