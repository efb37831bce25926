"""Word lists that distinguish speakers' names from lead-ins, sounds and manners of speaking."""

from __future__ import annotations


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
