"""What no describer would say: the faults of a line's wording, by its words, its grammar and the lines before it.

Judged for drafted lines and for a model's answers alike. A fault is only reported where it is nearly certain: what
cannot be decided counts as right. The grammar is English; in other languages only the words of the screen (camera, we)
and of a narrator (I) are recognised, in those of `_VIEWERS`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from adstudio.core.language_tags import primary_subtag
from adstudio.drafting.text.fragments import says_nothing
from adstudio.drafting.text.language.grammar import (
    LONGEST_TEXT,
    Sentence,
    Word,
    parsed,
    verb_lemmas,
    word_set,
)
from adstudio.drafting.text.language.people import (
    Gender,
    acts_on,
    could_be_named,
    is_name,
    names_a_person,
    person_noun,
    pronoun,
)
from adstudio.drafting.text.segment.sentence_kind import CAMERA_MOVES, SentenceKind, sentence_kind
from adstudio.drafting.text.segment.verbs import present
from adstudio.drafting.text.sounds_alone import is_sound_alone
from adstudio.drafting.text.unfilmable import cannot_be_seen

ENGLISH = "en"


class LineFault(Enum):
    """A kind of fault; its value completes “The line …”, for a describer or for a model that is to rewrite it."""

    VIEWER = "speaks of “I”, “we”, “you” or the viewer"
    CAMERA = "speaks of the camera, the shot or the cut"
    PRODUCTION = "gives a production direction, such as a beat"
    SOUND = "only says what is heard"
    NEGATION = "says what does not happen"
    UNFILMABLE = "says what no picture can show"
    TORN = "breaks off, or is a word that says nothing by itself"
    TENSE = "is not in the present tense"
    SUBJECT = "gives a verb or a participle the wrong subject"
    PRONOUN = "has a pronoun before anybody whom it could mean is named"
    SAME_NAME = "opens with the name that opened the two lines before it"


@dataclass(frozen=True)
class LineContext:
    """What a line follows: the language, and the wordings of the lines before it in its scene, in order."""

    language: str = ENGLISH
    before: tuple[str, ...] = ()


NO_CONTEXT = LineContext()
IN_A_ROW = 3
"""So many lines that open with one name are one too many."""

_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|«[^»]*»|(?<!\w)‘[^’]*’(?!\w)|(?<!\w)'[^']*'(?!\w)|(?<=\w): [^.]*")
"""What is written or said: the line's own words are judged, not these. So is what stands after a colon."""
_VIEWERS = {
    "en": r"we|us|our|ours|ourselves|you|your|yours|let['’]s|(?:the|this) viewers?|one can (?:see|hear)|those watching",
    "de": r"wir|uns|unser\w*|man sieht|man hört|(?:der|die|den|dem) Zuschauer\w*",
    "fr": r"nous|on voit|on entend|on aperçoit|on découvre|(?:le|la|les) spectat\w+",
    "es": r"nosotros|vemos|oímos|se ve|se oye|(?:el|la|los|las) espectador\w*",
}
_US = re.compile(r"\bUS\b")
_LETTER_I = (
    r"(?<!\ban )(?<!\bthe )(?<!\bletter )(?<!\bletters )(?<!\bcapital )(?<!\bnumeral )(?<!\bnumber )(?<!\btype )"
    r"(?<!\bpart )(?<!\bact )(?<!\bphase )(?<!\bclass )(?<!\bsection )(?<!\bplatform )(?<!\bwar )(?<!\breads )"
)
"""What “I” does not follow where it is no letter or numeral."""
_OPENING = (
    r"And|But|So|Or|Then|Now|Here|There|When|Where|While|As|If|Because|Before|After|Until|What|Who|That|Once|Though"
    r"|Today|Tonight|Yesterday|Suddenly|Finally|[A-Z]\w+ly"
)
"""What “I” may follow with a capital; behind other capitals it is a numeral: Elizabeth I."""
_NARRATORS = {
    "en": (
        r"\bI['’](?:m|ve|d|ll)\b"
        rf"|(?:^|[.!?…;“”\"(—–] *|\b(?:{_OPENING}) |(?<![\w'’-])[a-z][\w'’-]*,? ){_LETTER_I}I(?=,? [a-z])"
        r"|\b(?:me|my|myself)\b|\bMyself\b|(?:^|[.!?…] +)My(?= [a-z])|(?:^|[.!?…] +)Me(?= and\b)"
        r"|\b(?:is|are|was|were|of|than|like|in|with|beside|to|from) mine(?=[.,;!?]|$)"
    ),
    "de": r"\b[Ii]ch\b|\bmich\b|\bmir\b|\b[Mm]ein(?:e[mrs]?)?\b|\b[Mm]einen(?= [A-ZÄÖÜ])",
    "fr": r"\b[Jj]e\b|\b[Jj]['’](?=[a-zà-ÿ])|\bmoi\b|\bme\b|\bm['’](?=[a-zà-ÿ])|\b(?:mon|ma|mes)\b"
    r"|^(?:Mon|Ma|Mes)(?= [a-z])",
    "es": r"(?<!-)\b[Yy]o\b(?!-)|\bme\b|\bmí\b|\bconmigo\b|\b(?:mi|mis)\b(?! (?:mayor|menor|bemol)\b)|^Mis?(?= [a-z])",
}
"""What narrators call themselves, by language; here capitals count."""
_SHOTS = {
    "en": (
        rf"(?:the |our )?camera (?:slowly |then |now |also )?(?:{CAMERA_MOVES}|finds|reveals|follows|shows|discovers"
        r"|rises|falls|descends|ascends|turns|rests|circles|swings|flies|rotates|starts|begins|continues|travels)\b"
        r"|(?:into|in|to|toward|towards|at|past|from|by|facing|on|before|behind) (?:the )?camera"
        r"(?=[.,;!?]|$| (?:as|and)\b)"
        r"|(?:close|wide|medium|long|tracking|establishing|aerial|overhead|crane|two|reverse|dolly|insert|point-of-view)"
        r"[ -]shots?\b(?! (?:of (?:whisky|whiskey|gin|vodka|tequila|rum)|glass|gun))"
        r"|(?:a|an|the|in|extreme|tight)[ -]close[ -]?ups?|p\.?o\.?v\b|angle on|close on"
        r"|(?:enters?|leaves?|exits?|in|into|out of|through|across|from|off|fills?)"
        r" (?:the )?frame(?=[.,;!?]|$)"
        r"|off[ -]?screen|off[ -]?camera|on[ -]camera|voice[ -]over|split[ -]screen|intercuts?(?: with)?"
        r"|(?:smash|match|jump|hard|quick) cuts?|cuts? (?:back )?to(?= black| white|:| (?:a|an|the|his|her)\b)"
        r"|dissolves? (?:in)?to|fades? (?:in|out|up)(?=[.,;:!?]|$| on\b| to\b)"
        r"|(?:the )?scene (?:changes|shifts|cuts|opens|ends)\b"
        r"|montage|superimposed?|jump[ -]cuts?|crane (?:up|down)|pan(?:s|ning)? (?:up|down|left|right|across|over|to)\b"
        r"|in the (?:fore|back)ground of the (?:shot|frame)|zooms? (?:in|out)\b|freeze(?:s|[ -]frame)? on\b"
        r"|(?<=[,;”\"’] )reveal (?:an?|the|that|two|three|his|her)\b"
    ),
    "de": r"die Kamera (?:schwenkt|fährt|zoomt|zeigt|folgt|blickt)|Kameraschwenk|Nahaufnahme|Großaufnahme|Totale"
    r"|Schnitt auf|(?:Auf|Ab|Über)blende|im Bild|aus dem Off",
    "fr": r"la caméra|gros plan|plan (?:large|moyen|serré|rapproché|séquence|d['’]ensemble)|travelling|panoramique"
    r"|fondu (?:au|enchaîné)|hors champ|voix off|contrechamp",
    "es": r"la cámara (?:se|sigue|muestra|gira|enfoca|recorre|avanza|retrocede)|primer(?:ísimo)? plano|plano (?:general"
    r"|medio|corto|detalle|secuencia)|fundido (?:a|en)|corte a|fuera de (?:campo|cuadro)|voz en off",
}  # fmt: skip
_IMPERATIVES = re.compile(
    r"(?:(?:the )?camera\b|(?:a |the )?(?:title card|first shot|opening shot|last shot|shot of)\b|this (?:scene|shot)\b"
    r"|follow|stay (?:on|with)|hold on|push in|pull (?:back|out)"
    r"|(?:on|off) (?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)?,|(?:up|down|high|low|reverse|closer)[ -]angle"
    r"|(?:pan|tilt|crane) (?:up|down|left|right|to|over)|zoom|move in|go in|return to|reveal(?:ing)?|imagine|widen)\b",
    re.IGNORECASE,
)
"""What a sentence that begins so asks of the camera, or of whoever reads."""
_BEATS = re.compile(
    r"(?:^|[.,;–—(] *)(?:a )?(?:long |short |brief |another |quick |tense |[\w-]+-second )?(?:beat|pause)"
    r"(?=[.,;–—)]|$)"
    r"|\b(?:takes?|after|for|hold(?:s)? (?:for|on)) (?:a|one|another) (?:\w+ )?beat\b|\(beat\)",
    re.IGNORECASE,
)
_BROKEN_OFF = re.compile(
    r"\b(?:into|onto|towards?|and|but|or|because|when|while|until|where|the|an?|than"
    r"|and (?:we )?(?:finally |then )?(?:see|hear)"
    r"|(?:he|she|they|we|who)(?: \w+ly)?|(?:faced|confronted|covered|filled) with)[.!…—– ]*$"
    r"|\b(?:at|of|for|with|from|almost|nearly|directly)[.!]$"
    r"|\b(?:on|in|at|of|for|with|from|to|by|about)(?:\.\.\.| ?…| ?--| ?[—–])[.!]?$"
    r"|\b(?<!comes )(?<!come )to[.!]$|\bto (?:greet|reveal|meet|find|see)[.!]$"
    r"|\b(?:sees|finds|reveals|greets|becomes)[.!]$"
    r"|^(?!.*\b(?:what|who|whom|where|how|than|as|like|way|all)\b).*(?:\b(?:is|are|was|were)|^(?:\w+ )?\w+['’]s)[.!]$"
    r"|^(?:\w+ )?\w+ (?:do|does|did|has|have|(?:can|will) too)(?: too)?[.!]$"
    r"|^(?:he|she|they|it|we|you) (?:can|will)[.!]$"
    r"|^(?:as|while|when) (?:he|she|they|it|the|an?|his|her|their|(?-i:[A-Z])\w+) [^,;]*[.!…]$",
    re.IGNORECASE,
)
_JOINED_ON = re.compile(
    r"(?:so that|just so|where|is (?:\w+ing|there|in|on|at)\b|because|which|whose|as if|as though|rather than)\b",
    re.IGNORECASE,
)
"""What leads a clause that another sentence lacks: So that it fills the room."""
REFUSALS = word_set(
    "move look see notice turn answer react open stop let respond reply budge flinch smile find reach speak hear wake"
    " realise realize meet touch take eat drink say come go work stir return blink sleep fit start"
)
"""Not doing this can be seen: she does not look up."""
_ONLY_THINGS = word_set(
    "glint gleam flicker glitter shimmer rustle creak flutter billow dangle gush blaze boil chime clang beep shatter"
    " tick bubble crackle ring rattle clatter sizzle fizz ooze seep trickle drip evaporate unfurl toll swirl cascade"
)
_THINGS = word_set(
    "rain snow wind sun moon light lamp door window wall house street road car train bus ship boat plane gun knife ring"
    " phone bell clock picture camera table chair bed cup glass bottle box bag letter paper book key hat coat shoe"
    " tree leaf flower grass river lake sea water fire smoke fog sky cloud star room building city town village bridge"
    " tower church castle hill mountain valley field beach curtain floor ceiling stair corridor hallway elevator"
    " lift engine motor wheel screen monitor television radio candle flame blood tear shadow storm music"
)
_PARTS = word_set("hand eye face hair head arm leg finger foot mouth lip cheek knee shoulder back heart tear")
_DEEDS = word_set(
    "walk look turn see smile nod kneel hear open enter cross hold carry wave climb reach grab pick step stare watch"
    " gaze glance listen lift push pull take put hurry wipe read write drive ride drink eat laugh cry shout grin frown"
)
"""What only somebody does: an opening “walking down the road, the rain …” lacks him."""


def faults_of(text: str, context: LineContext = NO_CONTEXT) -> tuple[LineFault, ...]:
    """The faults of a line, each once, in the order of `LineFault`; none for an empty line.

    Raises:
        OutsideFailureError: for English, if the parser or its model is not installed.
    """
    return faults_of_lines([(text, context)])[0]


def faults_of_lines(lines: Sequence[tuple[str, LineContext]]) -> tuple[tuple[LineFault, ...], ...]:
    """As `faults_of` for many lines, which are parsed together, each text once."""
    english = [(text, context) for text, context in lines if primary_subtag(context.language) == ENGLISH]
    wanted = dict.fromkeys(_own_words(each) for text, context in english for each in (text, *context.before))
    short = [text for text in wanted if len(text) <= LONGEST_TEXT]
    grammar = dict(zip(short, parsed(short), strict=True))
    return tuple(_faults(text, context, grammar) for text, context in lines)


def speaks_of_viewers(text: str) -> bool:
    """Whether an English wording says “I”, “we” or “you” in its own words, not in what it quotes."""
    return _says_who_watches(_own_words(text), ENGLISH)


def _says_who_watches(own: str, language: str) -> bool:
    """Whether a line's own words speak of its narrator or of its viewers; never in an unknown language."""
    if language not in _VIEWERS:
        return False
    viewers = re.search(rf"\b(?:{_VIEWERS[language]})\b", _US.sub("", own), re.IGNORECASE)
    return viewers is not None or _narrates(own, language)


def speaks_of_narrator(text: str, language: str) -> bool:
    """Whether a wording says “I” in its own words, in English, German, French or Spanish."""
    return _narrates(_own_words(text), primary_subtag(language))


def _narrates(own: str, language: str) -> bool:
    return language in _NARRATORS and re.search(_NARRATORS[language], own) is not None


def _faults(text: str, context: LineContext, grammar: dict[str, tuple[Sentence, ...]]) -> tuple[LineFault, ...]:
    own = _own_words(text)
    found: set[LineFault] = set()
    language = primary_subtag(context.language)
    # A cut, a shot or a viewer is spoken of in the line's own words only.
    if _says_who_watches(own, language):
        found.add(LineFault.VIEWER)
    if language in _SHOTS and re.search(rf"\b(?:{_SHOTS[language]})", own, re.IGNORECASE):
        found.add(LineFault.CAMERA)
    if language == ENGLISH:
        sentences = grammar.get(own, ())
        found.update(_english(text, own, sentences))
        before = [sentence for each in context.before for sentence in grammar.get(_own_words(each), ())]
        if _unnamed(sentences, before):
            found.add(LineFault.PRONOUN)
        openings = [grammar.get(_own_words(each), ()) for each in context.before[1 - IN_A_ROW :]]
        if _same_name(sentences, openings):
            found.add(LineFault.SAME_NAME)
    return tuple(fault for fault in LineFault if fault in found)


def _english(text: str, own: str, sentences: Sequence[Sentence]) -> set[LineFault]:
    found: set[LineFault] = set()
    kind = sentence_kind(text, text)
    if kind is SentenceKind.PRODUCTION or _BEATS.search(own):
        found.add(LineFault.PRODUCTION)
    if _IMPERATIVES.match(own):
        found.add(LineFault.CAMERA)
    if kind is SentenceKind.SOUND or is_sound_alone(own, sentences):
        found.add(LineFault.SOUND)
    if any(map(_denies, sentences)):
        found.add(LineFault.NEGATION)
    if _BROKEN_OFF.search(own) or _JOINED_ON.match(own) or (len(sentences) == 1 and says_nothing(sentences[0])):
        found.add(LineFault.TORN)
    if text.rstrip("”’\"' ").endswith("?") or cannot_be_seen(own, sentences):
        found.add(LineFault.UNFILMABLE)
    if any(map(_not_present, sentences)):
        found.add(LineFault.TENSE)
    if any(map(_wrong_subject, sentences)):
        found.add(LineFault.SUBJECT)
    return found


def _own_words(text: str) -> str:
    return _QUOTED.sub(lambda quoted: ": so" if quoted[0].startswith(":") else "“so”", text).strip()


def _subjects(sentence: Sentence, verb: int) -> list[int]:
    return [at for at in sentence.children[verb] if sentence.words[at].dep in ("nsubj", "nsubjpass") and at < verb]


def _denies(sentence: Sentence) -> bool:
    """Whether a main clause says that something is not, other than what can be seen not to be done."""
    words = sentence.words
    for root in sentence.roots:
        negated = any(words[at].dep == "neg" and words[at].text.lower() != "no" for at in sentence.children[root])
        helped = any(words[at].dep in ("aux", "auxpass") for at in sentence.children[root])
        finite = helped or words[root].tag not in ("VBN", "VBG")  # "Walls not covered by pictures are bare"
        if negated and finite and words[root].lemma.lower() not in REFUSALS:
            return True
        subjects = _subjects(sentence, root)
        if any(words[at].text.lower() in ("nothing", "nobody", "none", "neither") for at in subjects):
            return True
    return False


_WILL = word_set("will 'll ’ll wo would shall")


def _not_present(sentence: Sentence) -> bool:
    words = sentence.words
    if any(words[root].text.lower() in ("was", "were") and _subjects(sentence, root) for root in sentence.roots):
        return True  # "Tom was ready and jumps in"
    if any(word.tag in ("VBZ", "VBP") for word in words):
        return False  # "Tom stares into space, his hair dishevelled": what looks like the past is a participle
    for root in sentence.roots:
        verb = words[root]
        helpers = [words[at] for at in sentence.children[root] if words[at].dep in ("aux", "auxpass") and at < root]
        if any(helper.text.lower() in _WILL or helper.tag == "VBD" for helper in helpers):
            return True
        # As the parser errs, what may be a present form, such as “put”, counts as one; so does a lone participle.
        lower = verb.text.lower()
        now = lower in (verb.lemma.lower(), *(present(lemma, plural=False) for lemma in verb_lemmas(lower)))
        past = verb.tag == "VBD" and not helpers and not now
        if past and _subjects(sentence, root) and not _labelled(sentence, root):
            return True
    return False


def _labelled(sentence: Sentence, verb: int) -> bool:
    """Whether what looks like a past tense may be a participle: At his feet, a box marked with a cross."""
    words = sentence.words
    (subject, *_) = _subjects(sentence, verb)
    if sum(word.text == "," for word in words[subject:verb]) == 1:
        return True  # "Hat, felt: one Thursday"
    if subject > 1 and words[subject - 1].tag == "PRP$" and words[subject - 2].text == ",":
        return True  # "his hair dishevelled"
    return words[0].tag == "IN" and subject == verb - 1 and words[verb].text.lower().endswith("ed")


def _wrong_subject(sentence: Sentence) -> bool:
    words = sentence.words
    for root in sentence.roots:
        subjects = _subjects(sentence, root)
        if not subjects:
            continue
        subject = words[subjects[0]]
        someone = pronoun(subject) is not None or is_name(subject) or person_noun(subject) is not None
        acts = any(words[at].dep in ("dobj", "prt", "dative") for at in sentence.children[root])
        if someone and not acts and _plain_verb(words[root]) and words[root].lemma.lower() in _ONLY_THINGS:
            return True
    return _undone(words)


def _undone(words: Sequence[Word]) -> bool:
    """Whether a sentence opens with what only somebody does, and goes on with a thing: Walking home, the rain stops."""
    comma = next((at for at, word in enumerate(words) if word.text == ","), None)
    if comma is None or words[0].tag != "VBG" or words[0].lemma.lower() not in _DEEDS:
        return False
    noun = next((word for word in words[comma + 1 :] if word.tag not in ("DT", "PRP$", "JJ", "CD")), None)
    return noun is not None and noun.tag in ("NN", "NNS") and noun.lemma.lower() in _THINGS | _PARTS


def _plain_verb(word: Word) -> bool:
    return word.tag in ("VBZ", "VBP", "VBD")


def _unnamed(sentences: Sequence[Sentence], before: Sequence[Sentence]) -> bool:
    """Whether the first pronoun of a line stands before anybody whom it could mean, in it and in the lines before."""
    named: list[tuple[Sentence, int]] = []
    for sentence in sentences:
        for place, word in enumerate(sentence.words):
            gender = pronoun(word)
            if gender is not None:
                others = [(each, at) for each, at in named if each is not sentence or not acts_on(sentence, at, place)]
                here = any(names_a_person(each, at, gender) for each, at in others)
                if gender is Gender.THEY and word.text.lower() != "they":
                    here = here or bool(named)
                return not here and not _could_mean(before, gender) and not could_be_named(sentence, place, gender)
            if is_name(word) or word.tag in ("NN", "NNS") or word.text.lower() in ("both", "all", "each", "one"):
                named.append((sentence, place))
    return False


def _could_mean(before: Sequence[Sentence], gender: Gender) -> bool:
    if gender is Gender.THEY:
        return any(word.tag in ("NNS", "NNP", "NN") for sentence in before for word in sentence.words)
    return any(names_a_person(each, at, gender) for each in before for at in range(len(each.words)))


def _same_name(sentences: Sequence[Sentence], before: Sequence[Sequence[Sentence]]) -> bool:
    if len(before) < IN_A_ROW - 1:
        return False
    openings = {opening_name(each) for each in (sentences, *before)}
    return len(openings) == 1 and "" not in openings


def opening_name(sentences: Sequence[Sentence]) -> str:
    """The name that a line opens with, in small letters; "" if it opens with anything else."""
    if not sentences:
        return ""
    first, *others = sentences[0].words
    possessive = bool(others) and others[0].tag == "POS"
    return first.text.lower() if is_name(first) and not possessive else ""
