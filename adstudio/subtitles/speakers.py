"""Speaker names at the start of a subtitle: `ANNA:`, `Anna:`, `[ANNA]`, `(ANNA)`, `>> ANNA:`, `（田中）`, `田中：`.

A name is distinguished from other words before a colon (“Remember: …”, “12:30”) and from sounds in brackets (“[SIGHS]”)
by its spelling and by word lists; in doubt it is not a name.
"""

from __future__ import annotations

import re


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


NO_NAMES = _set("""
    remember note notes warning caution danger question answer example fact rule rules look listen wait hint tip
    reminder ps nb re subject attention breaking update news result results conclusion problem solution reason goal
    plan mission step part chapter episode season scene title act volume book page item number point verse
    translation subtitles translated synced corrected captions captioned edited encoded www http https ftp today
    tomorrow yesterday tonight now then first second third fourth finally lastly next also but and so or because
    well okay ok yes no yeah please sorry one two three four five six seven eight nine ten option case file date
    time location place address phone tel fax email e-mail from to cc bcc at in on for with dear regards what who
    where when why how this that these those it he she they we i you my your our the a an all only just here there
    think guess imagine suppose remarks quote unquote verdict score total status breakfast lunch dinner ingredients
    contents inventory source sources credits directed written produced starring music lyrics story screenplay
    achtung hinweis frage antwort merke beispiel question réponse attention exemple remarque bref résultat nota
    pregunta respuesta ejemplo atención recuerda recuerde domanda risposta esempio attenzione ricorda
""")
"""Words that precede a colon without being a name."""

NAME_PARTICLES = _set("of the and as on in at from de la le du des von van der den el al y e i & o'")
"""Small words within names and roles."""

SOUND_STEMS = tuple(
    _set("""
    applau bang bark beat beep bell blare blow boom breath burp buzz cackl chatter cheer chirp chuckl clang clap
    clatter clear click clink close cough crack crash creak cri cry ding drip drum echo exhal explo fart footstep
    gasp giggl growl grunt groan gunfire gunshot hiccup hiss honk howl hum indistinct inaudibl inhal jingl knock
    laugh line meow moan mumbl murmur music mutter neigh no open pant pause phone pop purr rattl retch ring roar
    rumbl rustl scoff scream screech shout shriek shush sigh silence sing siren slam slurp smack snap sneez snicker
    sniff snor snort sob speak splash squeak squeal static stammer stutter swallow thud thump thunder tick toll tut
    tweet vomit wail weep wheez whimper whisper whistl whoop wind yawn yell yelp zip door tires engine dial doorbell
    seufz lach lacht stöhnt schrei hust rire rires soupir risas suspira ríe ride tosse
""")
)
"""How words for sounds start."""

BEGIN_LIKE_SOUNDS = _set("""
    noah nora norah norma norman noel noelle bella belle ringo windsor lineker linette poppy popeye crystal hume
    humphrey humbert clark doris zippy phoebe tutu singh sobel clapton beatrice beatrix barker drummond opal dingo
    crispin cricket lachlan rider
""")
"""Names that start like a sound."""

MANNERS = _set("""
    in on over off via through from to with into under at by as off-screen offscreen both all together continued
    cont'd v.o. vo o.s. os o.c. beat weakly loudly softly hoarsely
""")
"""First words of brackets that describe a manner of speaking."""


_NAME_WORD = r"[^\W\d_][\w.'’\-]{0,29}"
_PREFIX = re.compile(
    rf"(?P<name>{_NAME_WORD}(?:[ ](?:{_NAME_WORD}|\#?\d{{1,3}}|&|/)){{0,5}})"
    r"[ ]?(?P<label>[(\[][^()\[\]\n]{1,40}[)\]])?[ ]?:(?=\s|$|[\"“”'‘’«¿¡(\[♪—-])[ ]*",
)
_WIDE_PREFIX = re.compile(r"(?P<name>[^\s:：。、！？「」『』（）]{1,10})：[ \u3000]*")
_CHANGE = re.compile(r">>+[ ]*")
_WIDE_SOUND_ENDINGS = "音声笑息泣叫曲歌咳鳴響でてく"


def speaker_prefix(
    line: str, *, known: frozenset[str] = frozenset(), shouted: bool = False
) -> tuple[str, str, str] | None:
    """The name before a colon at the start of a line, its label, and the rest; None without a name.

    `known`: names found elsewhere in the file, in capitals. `shouted`: the whole cue is in capitals, which then say
    nothing about names.
    """
    change = _CHANGE.match(line)
    at = change.end() if change else 0
    match = _PREFIX.match(line, at)
    if match is not None and _is_name(match["name"], known, shouted=shouted):
        return match["name"], match["label"] or "", line[match.end() :]
    match = _WIDE_PREFIX.match(line, at)
    if match is not None and not match["name"].isascii():
        return match["name"], "", line[match.end() :]
    return None


def without_change_mark(line: str) -> str:
    """A line without the `>>` by which live captions mark a change of speaker."""
    match = _CHANGE.match(line)
    return line[match.end() :] if match else line


def _is_name(name: str, known: frozenset[str], *, shouted: bool) -> bool:
    if name.upper() in known:
        return True
    words = name.replace("&", " ").replace("/", " ").split()
    letters = [word for word in words if any(char.isalpha() for char in word)]
    if not letters or letters[0].lower().strip(".'’") in NO_NAMES or len(name) > 40:
        return False
    if name.upper() == name and sum(char.isalpha() for char in name) >= 2:
        return not shouted or len(words) <= 3
    if not all(word[0].isupper() or word.lower() in NAME_PARTICLES for word in letters) or not letters[0][0].isupper():
        return False
    return len(letters) <= 3 and not any(word.lower().strip(".'’") in NO_NAMES for word in letters)


def bracket_is_name(
    inner: str, *, wide: bool, known: frozenset[str] = frozenset(), sounds: frozenset[str] = frozenset()
) -> bool:
    """Whether the words of a bracket before speech name the speaker instead of a sound or manner.

    `wide`: the brackets are full-width, as in Japanese. `known`: names, and `sounds`: labels that stand alone
    elsewhere, where nobody speaks; both in capitals.
    """
    text = inner.strip()
    if not text or "\n" in text or len(text) > 30:
        return False
    if text.upper() in known:
        return True
    if " ".join(text.split()).upper() in sounds:
        return False
    if text[0].isalpha() and not (text[0].isupper() or text[0].islower()):
        return len(text) <= (8 if wide else 6) and text[-1] not in _WIDE_SOUND_ENDINGS
    words = text.split()
    if len(words) > 3 or not all(word[0].isupper() or word.strip("#").isdecimal() for word in words):
        return False
    return not _is_sound_or_manner([word.lower().strip(".,") for word in words])


def _is_sound_or_manner(words: list[str]) -> bool:
    first, last = words[0], words[-1]
    if first in MANNERS or first in NO_NAMES or first.endswith("ly"):
        return True
    if any(word.startswith(SOUND_STEMS) and word not in BEGIN_LIKE_SOUNDS for word in words):
        return True
    # “Door creaks”, “Anna sighs”: a verb at the end describes a sound.
    if len(words) > 1 and last.endswith("s") and not last.endswith("ss"):
        return True
    return last.endswith("ing") and len(last) > 5
