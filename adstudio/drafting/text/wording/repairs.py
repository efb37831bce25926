"""Faulty wordings put right by rule: We see a key → A key; Tom walks into frame → Tom walks into view.

Only what can be left out, or said in another way, without changing the rest of the sentence.
"""

from __future__ import annotations

import re

from adstudio.drafting.text.language.grammar import Sentence, verb_lemmas
from adstudio.drafting.text.segment.screenplay_cleanup import capitalised, with_full_stop
from adstudio.drafting.text.segment.verbs import present

_CAMERA = r"(?:the |our )?camera"
_REVEALING = r"(?:reveal|show|find|discover|see|follow)(?:s|ing)?"
_SIGHT = "see|watch|notice|find|discover|glimpse|spot|meet|follow|make out|get a glimpse of|catch a glimpse of"
_OFF = "off[ -]?screen|off[ -]?camera|on[ -]camera|on screen"
_SIZE = "wide|medium|long|tracking|establishing|aerial|overhead|close|full|high|low"
_ASIDES = (
    "truth be told|naturally|of course|obviously|actually|sure enough|needless to say|so to speak"
    "|in other words|as usual|as always"
)
_DASH = r" ?(?:--+|–|—| - ) ?"
_ASKED = r"(?:what|who|where|why|how|when|is|are|does|did|do|can|could|will|would|has|have)\b[^?]*\?"
_SAID = "be|don['’]t|let['’]s|please|no|yes|oh|wait|hey"
_NO_CLAUSE = r"(?!(?:that|how|what|why|if|where|it|this|them|him|he|she|they)\b)"
_WHITHER = "(?:to|into|toward|towards)"
_OFF_SOMEWHERE = f"(?: (?:up|out|over|back|off))? {_WHITHER}"
_WE_FOLLOW = "we (?:follow|watch|track|stay with)"
_AGAIN = "(?: (?:once more|again|now))?"
_END = r"(?=[.,;]|$| and\b| from\b)"
_REWORDED: tuple[tuple[str, str], ...] = (
    # What the camera or “we” do, up to what is then seen.
    (rf"^(?:as )?{_CAMERA} [^,.;]{{0,60}}?\b(?:to |and )?{_REVEALING} {_NO_CLAUSE}", ""),
    (rf"^(?:as )?(?:{_CAMERA}|we) [^,.;]{{0,50}}, (?:to )?(?:{_REVEALING} )?(?=\w)", ""),
    (rf"^{_WE_FOLLOW} (?:him|her|it|them){_AGAIN} as (?=(?:he|she|it|they) \w)", ""),
    (rf"^{_WE_FOLLOW} ([^,.;]+?){_AGAIN} as (?:he|she|it|they) (?=\w)", r"\1 "),
    (rf"^(?:(?:now|then|here|there|and) )?we (?:(?:now|then|also|can|just|slowly) )*(?:{_SIGHT}) {_NO_CLAUSE}", ""),
    (r"^we(?: are|['’]re) (?:now |back |still )*(?=(?:in|on|at|outside|inside|under|by)\b)", ""),
    (rf",? (?:as|while|and|then) (?:{_CAMERA}|we) [^,.;]*(?=[.;]?$)", ""),
    (r"^(?:the )?scene (?:changes|shifts|cuts) to (?:the )?inside (?:of )?", "Inside "),
    (r"^(?:the )?scene (?:changes|shifts|cuts|opens) (?:to|on)(?: a shot of| the image of)? ", ""),
    (rf"^(?:an? )?(?:extreme |tight |very )?(?:close[- ]?up|(?:{_SIZE})[ -](?:angle )?shot)s?(?: of| on)? ", ""),
    (r"^in (?:a|one) (?:single|long|continuous|unbroken) (?:shot|take), ", ""),
    # Where somebody moves, by what is seen.
    (rf"\b(?:(?:steps?|comes?|walks?) into|enters?) (?:the )?(?:frame|shot){_END}", "appears"),
    (rf"\b(?:(?:steps?|goes) out of|exits?|leaves?) (?:the )?(?:frame|shot){_END}", "leaves"),
    (r"\binto (?:the )?frame\b", "into view"),
    (r"\bout of (?:the )?frame\b", "out of view"),
    (rf",? \(?\b(?:from |to )?(?:{_OFF}|in (?:extreme )?close[ -]?up)\b\)?", ""),
    (r" (?:directly |straight |right )?(?:in)?to(?:ward|wards)? (?:the )?camera\b", ""),
    (r" (?:toward|towards) us\b", " closer"),
    (r" (?:to|from|past|at|before|in front of) us\b", ""),
    # What somebody thinks, or why that is so, after a dash: Will looks over – what did he say?
    (rf"(?<=\w){_DASH}(?:{_ASKED}|that['’]s (?:how|why|what|where|when)\b[^–—]*|(?:{_SAID})\b[^–—]*)$", ""),
    (r"(?<=\w),? (?:and )?then(?=[.:…–— -]*$)", ""),
    (r"^(?:\.\.\.|…) ?(?:(?:where|and|as|but|then|to) )?", ""),
    # Beats, and what the writer says to whoever reads.
    (r"\b(there(?:['’]s| is) a (?:long |short |brief )?)beat\b", r"\1pause"),
    (r"(?<=\w) for a (?:long |short |brief )?beat,(?= )", ","),
    (r",? ?(?:\(beat\)|(?:after |for |takes? )?a (?:long |short |brief )?beat\b),?(?= |[.;]|$)", ""),
    (rf"^(?:{_ASIDES}|clearly),? ", ""),
    (rf",? (?:{_ASIDES})\b,?(?= |[.;]|$)", ""),
    (r"^in an? (?:\w+ ){1,2}(?:sequence|shot|montage|move),? ", ""),
    # What a likeness does, no picture shows: like a racer turning on the gas.
    (r", like an? (?:\w+ ){1,3}(?:that|who|which|\w{2,}ing) \w[^,.;]*(?=[.;]?$)", ""),
    (r" from (?:earlier|before)(?=[.,;]|$)", ""),
    (r", (?:ouch|wow|whoa|oops|yikes|ugh|huh|phew|yuck|eww?)(?=[,.!])", ""),
    (rf"(?<=\w){_DASH}[a-z]+!$", ""),
    # A cry or a crash spelt out before what is seen, what stands in brackets, and what a page or a heading cuts off.
    (r"^[^\W\d_]+!{2,} +(?=\w)", ""),
    (r"^\(([^()]+)\)\.?$", r"\1"),
    (r"(?<=\w),? ?\([^()]* [^()]*\)(?=[ ,.;:]|$)", ""),
    (rf"(?<=\w){_DASH}(?:this|that|it)(?: is|['’]s| was)\b(?:(?!--| - )[^–—])*$", ""),
    (rf"(?<=\w),? (?:and|then|and then) (?!comes to\b)(?:[a-z]+ly )?[a-z]+s{_OFF_SOMEWHERE}\.?$", ""),
    (rf"(?<=\w), [a-z]+ing(?: (?:him|her|it|them))? {_WHITHER}\.?$", ""),
    (r"(?<=\w), to (?:greet|meet|find|see|face|reveal)\.?$", ""),
    (r"(?<=\w),? and (?:sees|finds|meets|reveals|notices|spots)\.?$", ""),
)
_RULES = tuple((re.compile(pattern, re.IGNORECASE), new) for pattern, new in _REWORDED)


def repaired(text: str) -> str:
    """A wording without what it says of the camera, of us, of beats and to its reader; unchanged if nothing is left."""
    new = text
    for pattern, instead in _RULES:
        new = pattern.sub(instead, new)
    new = with_full_stop(capitalised(" ".join(new.split())))
    return new if new != text and any(map(str.isalpha, new)) else text


def in_the_present(text: str, sentence: Sentence) -> str:
    """A sentence in the past tense as it is in the present; unchanged where a verb has no sure present form.

    Only the verbs of the main clauses are changed.
    """
    words = sentence.words
    changes: list[tuple[int, int, str]] = []
    for place, word in enumerate(words):
        owner = word.head if word.dep in ("aux", "auxpass") else place
        if word.tag != "VBD" or not _in_main_clause(sentence, owner):
            continue
        lower = word.text.lower()
        lemma = {"was": "be", "were": "be", "had": "have", "did": "do"}.get(lower, word.lemma.lower())
        if lemma == lower or lemma not in {"be", "have", "do", *verb_lemmas(lower)}:
            return text
        changes.append((word.start, word.end, present(lemma, plural=_plural(sentence, place))))
    for start, end, verb in reversed(changes):
        text = text[:start] + verb + text[end:]
    return text


def _in_main_clause(sentence: Sentence, verb: int) -> bool:
    while sentence.words[verb].dep == "conj":
        verb = sentence.words[verb].head
    return verb in sentence.roots


def _plural(sentence: Sentence, place: int) -> bool:
    words = sentence.words
    if words[place].text.lower() in ("was", "were"):
        return words[place].text.lower() == "were"
    owner = words[place].head if words[place].dep in ("aux", "auxpass") else place
    while words[owner].dep == "conj" and not _subject(sentence, owner):
        owner = words[owner].head
    subject = _subject(sentence, owner)
    if subject is None:
        return False
    several = any(words[at].dep == "conj" for at in sentence.children[subject])
    return several or words[subject].tag in ("NNS", "NNPS") or words[subject].text.lower() in ("they", "who", "both")


def _subject(sentence: Sentence, verb: int) -> int | None:
    return next((at for at in sentence.children[verb] if sentence.words[at].dep in ("nsubj", "nsubjpass")), None)
