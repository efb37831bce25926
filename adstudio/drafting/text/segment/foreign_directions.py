"""Talk of production, sounds alone, captions in German, French, Spanish, Italian; camera and “we see” taken out.

As in English, talk of production is recognised only where the whole sentence is nothing else. A sentence that says
“we see” is reworded where the grammar is plain, and left as it is elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from adstudio.drafting.text.segment.foreign_clauses import french_seen, german_seen, italian_seen, spanish_seen
from adstudio.drafting.text.segment.sentence_kind import DATED, SentenceKind

_FEW = r"(?: [\w’'-]+){0,14}"
_SOMEBODY_TOO = re.compile(
    r"\b(?:und|während|et|tandis que|y|mientras|e|ed|mentre)\s+"
    r"(?:[A-ZÄÖÜÀ-Þ]|(?:er|sie|es|der|die|das|ein|il|elle|ils|elles|un"
    r"|une|le"
    r"|la|les|él|ella|ellos|el|los|las|una)\b)"
)
"""A direction that goes on with what somebody does: “Die Kamera fährt zurück, und Anna lacht”."""
_WE_ARE = re.compile(
    r"(?:wir (?:sind|befinden uns) (?=in\b|im\b|auf\b|am\b|an\b|bei\b)|nous sommes (?=dans\b|sur\b|à\b|au\b|chez\b"
    r"|en\b)"
    r"|estamos (?=en\b)|siamo (?=in\b|nel\b|nella\b|su\b))",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"(?:dann|plötzlich|da|puis|ensuite|soudain|alors|luego|entonces|de pronto|después|poi|all['’]improvviso),? ",
    re.IGNORECASE,
)
_POINT_OF_VIEW = re.compile(r"P\.?O\.?V\.?(?: [\w’'-]+){0,2}\s*[:–—]\s*(?=\S)", re.IGNORECASE)
_ENDS = " \t\n.:;,…!–—-()¡"
_QUOTES = '“”„"«»‹›‚‘’ '


@dataclass(frozen=True)
class _Directions:
    """What a language's directions look like.

    `shows` opens a sentence whose rest is what is seen, `seen` rewords that rest or gives None where it cannot.
    `caption` captures what is written over the picture, `captioned` says that it is.
    """

    production: re.Pattern[str]
    sound: re.Pattern[str]
    shows: re.Pattern[str]
    caption: re.Pattern[str]
    captioned: str
    seen: Callable[[str], str | None]


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _captions(words: str, if_quoted: str) -> re.Pattern[str]:
    return _compiled(
        rf"\s*(?:(?:{words})\s*(?:[:–—-]+\s*|(?=[“„\"«]))|(?:{if_quoted})\s*[:–—-]*\s*(?=[“„\"«]))(?P<said>.*)"
    )


_GERMAN = _Directions(
    production=_compiled(
        r"(?:(?:langsam|dann|nun|jetzt|schließlich) )?(?:die|eine) (?:hand)?kamera (?:langsam )?(?:schwenkt|fährt|zoomt"
        r"|folgt|zieht|geht|gleitet|bewegt|nähert|entfernt|bleibt|hält|verharrt|kippt|kreist|steigt|sinkt|dreht|schwebt"
        rf"|wandert|neigt|verlässt|blickt)\b{_FEW}|kamera(?:schwenk|fahrt){_FEW}"
        rf"|(?:schwenk|zoom|fahrt|(?:um|zwischen|gegen)?schnitt)(?: (?:auf|über|zu[mr]?|nach|in|durch|zurück)\b{_FEW})?"
        r"|wir (?:schwenken|fahren|folgen|zoomen|bleiben|schneiden|blenden|springen|nähern uns|entfernen uns)\b"
        rf"{_FEW}|(?:eine )?(?:kurze |lange |kleine )?(?:pause|beat)|(?:ein )?(?:kurzer |langer )?(?:moment|augenblick)"
        r"|(?:ende (?:der )?)?(?:rückblende|(?:parallel)?montage|traumsequenz|zeitlupe|zeitraffer)(?: ende)?"
        r"|in zeitlupe|(?:auf|ab|über)blende(?: (?:auf|zu|nach|von) \w+)?|(?:titel|vorspann|abspann)"
        r"(?: (?:läuft|beginnt|endet|über schwarz))?|standbild|schwarz(?:bild|blende)|weißblende|fortsetzung"
        r"|(?:sfx|musik|ton|geräusche?|effekte?)\s*[:–—-].{1,80}"
    ),
    sound=_compiled(
        r"(?:(?:das|die|der|ein|eine|ihr|sein|irgendwo) )*(?:\w+ )?(?:telefon|handy|wecker|(?:tür)?klingel"
        r"|(?:kirchen)?glocken?|sirenen?|alarm|hupe|martinshorn|türglocke|nebelhorn) (?:klingelt|läute[nt]|schrillt"
        r"|piept"
        r"|summt|vibriert|heul(?:t|en)|ertön(?:t|en)|schlägt|schlagen|hupt|bimmel[nt]|tutet)"
        r"(?: (?:wieder|erneut|laut|leise|draußen|einmal|zweimal|nebenan|weiter|in der ferne|im off|aus dem off))*"
        r"|es (?:klingelt|klopft|läutet|donnert|knallt)(?: (?:an der (?:haus)?tür|wieder|laut|leise|erneut|draußen"
        r"|zweimal))*|(?:leise |laute |traurige |sanfte |dramatische |fröhliche )*musik(?: (?:setzt|schwillt|ertönt"
        r"|erklingt|verklingt|wird|spielt|läuft|endet|verstummt|hört|beginnt|aus)(?: \w+){0,3})?"
        r"|(?:man|wir) hör(?:t|en) (?:(?!\bund\b)[^,;]){1,60}|donner|stille|applaus|gelächter|schritte|schüsse"
        r"|ein (?:schuss|schrei|knall)|sirenengeheul|glockengeläut|hundegebell"
        r"|(?:irgendwo |in der ferne |draußen )?(?:bellt (?:ein|der) hund|bellen (?:die )?hunde)"
        r"|(?:ein hund bellt|hunde bellen)(?: (?:\w+ ){0,2}\w+)?|(?:(?!\bund\b)[^,;]){1,50} (?:ist|sind) (?:\w+ ){0,2}"
        r"zu hören|(?:\w+ ){1,4}(?:ertön|erkling)(?:t|en)(?: (?!und\b)\w+){0,4}"
    ),
    shows=_compiled(
        r"(?:(?:nun|jetzt|dann|hier|dort|im hintergrund) )?(?:(?:wir|man) (?:sehen|sieht|erkenn(?:en|t)"
        r"|erblick(?:en|t))"
        r"|(?:sehen wir|sieht man)|die kamera (?:zeigt|erfasst|findet|enthüllt))(?: (?:nun|jetzt|nur))?,?\s+"
        r"|(?:nah|groß|detail)(?:aufnahme)?\s*(?:[:–—]|-\s|auf\s)\s*|(?:halb)?totale\s*[:–—-]\s*|insert\s*[:–—-]\s*"
        r"|close(?:[ -]?up)?\s+(?:auf|on)\s+"
    ),
    caption=_captions(
        r"text(?:tafel|einblendung)|einblendung|schrifttafel|untertitel|bauchbinde|zwischentitel|super|titel",
        "insert|schrift",
    ),
    captioned="Eine Einblendung: ",
    seen=german_seen,
)
_FRENCH = _Directions(
    production=_compiled(
        r"(?:(?:lentement|puis|maintenant),? )?la caméra (?:lentement )?(?:s['’]\s?|se |nous |le |la |les )?(?:approche"
        r"|éloigne|avance|recule|suit|panote|zoome|monte|descend|pivote|tourne|glisse|balaie|balaye|attarde|reste"
        r"|quitte"
        rf"|plonge|remonte|traverse|longe|déplace|fixe|retourne|revient|recadre|arrête)\b{_FEW}"
        rf"|(?:travelling|panoramique|zoom|contrechamp)\b{_FEW}|nous (?:suivons|panotons|zoomons|avançons|reculons"
        rf"|restons"
        rf"|revenons|nous (?:approchons|éloignons))\b{_FEW}|on (?:suit|reste sur|revient (?:sur|à)|s['’](?:approche"
        rf"|éloigne))\b{_FEW}|(?:un )?(?:long |court |bref |petit )?temps|pause|beat"
        r"|(?:(?:fin|début) du |retour au )?flash-?back|(?:fin du )?retour en arrière"
        r"|(?:fin du )?montage(?: alterné| parallèle)?|(?:au )?ralenti"
        r"|arrêt sur image|noir|écran noir|(?:ouverture|fermeture|fondu) (?:au|en|à) \w+|fondu(?: enchaîné)?|ellipse"
        r"|générique(?: de (?:début|fin))?|coupe(?: sur \w+)?|(?:sfx|musique|son|bruit(?:age)?s?"
        r"|effets? sonores?)\s*[:–—]"
        r".{1,80}"
    ),
    sound=_compiled(
        r"(?:(?:le|la|les|un|une|des|son|sa) |l['’])?(?:\w+ )?(?:téléphone|portable|réveil|sonnette|sonnerie"
        r"|clochettes?"
        r"|cloches?|sirènes?|alarme|klaxon|horloge|interphone|minuteur) (?:sonne(?:nt)?|retenti(?:t|ssent)|hurle(?:nt)?"
        r"|tinte(?:nt)?|bipe|vibre|klaxonne|carillonne(?:nt)?)(?: (?:encore|de nouveau|à nouveau|dehors|au loin|fort"
        r"|doucement|deux fois|hors champ))*"
        r"|(?:(?:une|la|douce) )*musique(?: (?:douce|triste|dramatique|classique|joyeuse|off|d['’]ambiance))?"
        r"(?: (?:monte|démarre|commence|s['’]arrête|cesse|reprend|joue|s['’]élève|retentit|enfle))?"
        r"|(?:on|nous) entend(?:ons)? (?:(?!\bet\b)[^,;]){1,60}|tonnerre|applaudissements|rires|(?:un |le )?(?:long "
        r"|bref )?"
        r"silence|(?:un )?coups? de feu|un cri|(?:bruits? de |des )pas|(?:un|des) chiens? aboie(?:nt)?(?: (?:\w+ ){0,2}"
        r"\w+)?|on (?:frappe|sonne|toque)(?: à la porte)?|(?:(?!\bet\b)[^,;]){1,50} (?:se fait|se font) entendre"
        r"(?: (?:\w+ ){0,2}\w+)?|(?:(?!\bet\b)[^,;]){1,40} retenti(?:t|ssent)(?: (?:\w+ ){0,2}\w+)?"
    ),
    shows=_compiled(
        r"(?:(?:puis|maintenant|ici|là),? )?(?:(?:on|l['’]on) (?:voit|aperçoit|découvre|distingue)|nous (?:voyons"
        r"|apercevons"
        r"|découvrons)|la caméra (?:montre|découvre|révèle|dévoile|cadre))(?: alors| maintenant)?,?\s+"
        r"|(?:très )?(?:gros )?plan(?: (?:large|moyen|serré|rapproché|général|d['’]ensemble))? (?:sur\s+"
        r"|de\s+(?=la\b|l['’]|sa\b|son\b|ses\b|leurs?\b)|:\s*)|insert(?: sur\s+|\s*[:–—-]\s*)"
    ),
    caption=_captions(
        r"carton|intertitre|surimpression|(?:en )?incrustation|sous-titre|titre|texte à l['’]écran",
        "insert|panneau|légende",
    ),
    captioned="Un carton : ",
    seen=french_seen,
)
_SPANISH = _Directions(
    production=_compiled(
        r"(?:(?:lentamente|luego|ahora),? )?la cámara (?:lentamente )?(?:se |nos |la |lo )?(?:acerca|aleja|mueve"
        r"|desplaza"
        r"|detiene|queda|eleva|gira|sigue|panea|hace|avanza|retrocede|sube|baja|recorre|vuela|viaja|regresa|vuelve"
        rf"|permanece|barre|asciende|desciende|entra|sale|desenfoca|cae)\b{_FEW}"
        rf"|(?:paneo|travell?ing|barrido|zoom|panorámica)\b{_FEW}|(?:seguimos|nos acercamos|nos alejamos|paneamos"
        rf"|permanecemos|volvemos|cortamos|nos quedamos)\b{_FEW}|(?:una )?(?:larga |breve |corta |pequeña )?pausa"
        r"(?: larga| breve| corta)?|beat|(?:un )?(?:breve |largo )?(?:momento|instante|compás)"
        r"|(?:fin del? )?(?:flash-?back|montaje)(?: paralelo)?|(?:(?:a|en) )?cámara lenta|imagen congelada"
        r"|(?:pantalla )?(?:en )?negro|créditos(?: iniciales| finales)?|elipsis|fund(?:ido|e)(?: \w+){0,3}"
        r"|corte a(?: negro)?"
        r"|(?:sfx|música|sonido|efectos?(?: de sonido)?)\s*[:–—].{1,80}"
    ),
    sound=_compiled(
        r"(?:(?:el|la|los|las|un|una|su|unas?) )?(?:teléfono|móvil|celular|despertador|timbre|campanas?|sirenas?|alarma"
        r"|claxon|bocina|silbato|interfono|campanilla) (?:suenan?|repican?|pitan?|aúllan?|vibra|retumba|tañen?)"
        r"(?: (?:otra vez|de nuevo|fuera|a lo lejos|fuerte|dos veces))*"
        r"|(?:suenan?|se oyen?|se escuchan?|oímos|escuchamos) (?:(?!\b[ye]\b)[^,;]){1,60}"
        r"|(?:la )?música(?: (?:suave|triste|dramática|de fondo|alegre))?(?: (?:sube|suena|empieza|comienza|termina"
        r"|cesa"
        r"|aumenta|para))?|truenos?|aplausos|risas|(?:un |el )?(?:largo |breve )?silencio|disparos|un (?:disparo|grito)"
        r"|pasos"
        r"|(?:un perro ladra|ladra un perro|ladran (?:unos )?perros)(?: (?:\w+ ){0,2}\w+)?"
        r"|(?:llaman|tocan|golpean) a la puerta"
    ),
    shows=_compiled(
        r"(?:(?:luego|ahora|aquí|allí),? )?(?:vemos|podemos ver|observamos|descubrimos|se ven?|la cámara (?:muestra"
        r"|revela"
        r"|descubre|enfoca|encuentra))(?: ahora)?,?\s+"
        r"|(?:primer(?:ísimo)? |gran )?plano(?: (?:general|medio|corto|detalle|entero))?(?:\s*:\s*|\s+(?=del?\b))"
        r"|detalle\s+(?=del?\b)|inserto(?:\s*:\s*|\s+(?=del?\b))"
    ),
    caption=_captions(
        r"rótulo|sobreimpresión|sobreimpreso|intertítulo|cartela|título|texto en pantalla|super", "inserto|leyenda"
    ),
    captioned="Un rótulo: ",
    seen=spanish_seen,
)
_ITALIAN = _Directions(
    production=_compiled(
        r"(?:(?:lentamente|poi|ora),? )?(?:la camera|la cinepresa|la telecamera|la macchina da presa|la m\.?d\.?p)\.?"
        r" (?:lentamente )?(?:si |ci |lo |la |li |le )?(?:avvicina|allontana|muove|sposta|ferma|sofferma|alza|abbassa"
        r"|gira|ruota|segue|inquadra (?=di nuovo)|panoramica|zooma|avanza|arretra|indietreggia|sale|scende|scorre|vola"
        rf"|torna|resta|rimane|attraversa|entra|esce|stringe|allarga|carrella)\b{_FEW}"
        rf"|(?:carrellata|panoramica|zoom|controcampo)\b{_FEW}|(?:seguiamo|ci avviciniamo|ci allontaniamo|restiamo su"
        rf"|torniamo su|stringiamo su|stacchiamo su)\b{_FEW}|(?:una )?(?:lunga |breve |piccola )?pausa"
        r"(?: lunga| breve)?|beat|(?:un )?(?:breve |lungo )?(?:momento|istante)|(?:fine (?:del )?|inizio )?"
        r"(?:flash-?back|montaggio)(?: alternato| parallelo)?|(?:al )?rallentatore|fermo immagine|(?:schermo )?nero"
        r"|titoli di (?:testa|coda)|ellissi|(?:dissolvenza|assolvenza)(?: \w+){0,3}|stacco(?: (?:su|a) .{1,40})?"
        r"|(?:sfx|musica|suono|rumori?|effetti?(?: sonori)?)\s*[:–—].{1,80}"
    ),
    sound=_compiled(
        r"(?:(?:il|lo|la|i|gli|le|un|una|suo|sua) |l['’])*(?:telefono|cellulare|sveglia|campanello|campan[ae]|siren[ae]"
        r"|allarme|clacson|citofono) (?:squilla|suona|suonano|trilla|vibra|ulula|ululano|rintocca|rintoccano)"
        r"(?: (?:di nuovo|ancora|fuori|in lontananza|forte|due volte))*"
        r"|(?:si sente|si sentono|sentiamo|udiamo|si ode|si odono) (?:(?!\be\b)[^,;]){1,60}"
        r"|(?:la )?musica(?: (?:dolce|triste|drammatica|di sottofondo|allegra))?(?: (?:sale|suona|parte|inizia|finisce"
        r"|cessa|aumenta|sfuma))?|tuon[oi]|applausi|risate|(?:un |il )?(?:lungo |breve )?silenzio|spari"
        r"|uno sparo|un grido|passi|(?:un cane abbaia|abbaia un cane|dei cani abbaiano)(?: (?:\w+ ){0,2}\w+)?"
        r"|(?:bussano|suonano) alla porta"
    ),
    shows=_compiled(
        r"(?:(?:poi|ora|qui|lì),? )?(?:vediamo|si ved(?:e|ono)|scorgiamo|osserviamo|scopriamo"
        r"|(?:la camera|la cinepresa|la telecamera|la macchina da presa) (?:mostra|rivela|scopre|inquadra))"
        r"(?: ora| adesso)?,?\s+"
        r"|(?:primo |primissimo )?piano(?: (?:lungo|medio|americano|ravvicinato))?(?:\s*:\s*|\s+su\s+)"
        r"|dettaglio(?:\s*:\s*|\s+su\s+)|inserto(?:\s*:\s*|\s+su\s+)"
    ),
    caption=_captions(
        r"didascalia|sovr(?:a)?impressione|sottotitolo|cartello|titolo|scritta in sovr(?:a)?impressione|super",
        "inserto|scritta",
    ),
    captioned="Una scritta: ",
    seen=italian_seen,
)
_OF = {"de": _GERMAN, "fr": _FRENCH, "es": _SPANISH, "it": _ITALIAN}
KNOWN = frozenset(_OF)
"""The languages whose directions are known, by their ISO 639-1 codes."""


def foreign_kind(text: str, language: str) -> SentenceKind:
    """The kind of a sentence; in a language that is not one of `KNOWN` it counts as seen."""
    directions = _OF.get(language)
    plain = " ".join(text.split()).strip(_ENDS)
    if directions is None or not plain:
        return SentenceKind.SEEN
    is_direction = any(map(directions.production.fullmatch, (plain, DATED.sub("", plain))))
    if is_direction and not _SOMEBODY_TOO.search(plain):
        return SentenceKind.PRODUCTION
    return SentenceKind.SOUND if directions.sound.fullmatch(_THEN.sub("", plain, count=1)) else SentenceKind.SEEN


def without_direction(sentence: str, language: str) -> str:
    """A sentence that says what is seen without saying that it is seen; what cannot be reworded is left as it is."""
    directions = _OF.get(language)
    if directions is None:
        return sentence
    if view := _POINT_OF_VIEW.match(sentence) or _WE_ARE.match(sentence):
        sentence = sentence[view.end()].upper() + sentence[view.end() + 1 :]
    caption = directions.caption.fullmatch(sentence)
    said = caption["said"].rstrip(". ").strip(_QUOTES) if caption else ""
    if said:
        return directions.captioned + said[0].upper() + said[1:]
    shows = directions.shows.match(sentence)
    if shows is None:
        return sentence
    return directions.seen(sentence[shows.end() :]) or sentence
