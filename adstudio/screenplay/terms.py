"""The words that mark headings, transitions, acts and casts in screenplays, in the languages in which they are written.

All are compared in capitals. Where a word is an ordinary one too, its form decides: a full stop or a stroke after it,
a number, a line of its own.
"""

from __future__ import annotations

import re

_INSIDE_SHORT = r"INT|ИНТ|ІНТ|INN|WN|WNĘ|SIS|ΕΣΩΤ|ΕΣ|İÇ|IÇ"
_OUTSIDE_SHORT = r"EXT|EST|ЭКСТ|ЕКСТ|НАТ|AUSS|AUß|PL|PLEN|ULK|EKST|EKS|ΕΞΩΤ|ΕΞ|DIŞ"
_INSIDE_WORDS = (
    r"INTERIORE?S?|INTÉRIEURE?|INTERIEUR|INTERNO|INTERNA|INTERIÉR|INTERIØR|INTERIÖR|INTERIJER|INNEN|BINNEN|WNĘTRZE"
    r"|ИНТЕРЬЕР|ПАВИЛЬОН|ІНТЕР.ЄР|SISÄ(?:LLÄ)?|BELSŐ|İÇ MEKAN|ΕΣΩΤΕΡΙΚΟ|INOMHUS"
)
_OUTSIDE_WORDS = (
    r"EXTERIORE?S?|EXTÉRIEURE?|EXTERIEUR|ESTERNO|EXTERNA|EXTERIÉR|EKSTERIØR|EXTERIÖR|EKSTERIJER|AUSSEN|AUßEN|BUITEN"
    r"|PLENER|НАТУРА|ЭКСТЕРЬЕР|УЛИЦА|ULKO(?:NA)?|KÜLSŐ|DIŞ MEKAN|ΕΞΩΤΕΡΙΚΟ|UTOMHUS"
)
SHORT_PLACES = rf"{_INSIDE_SHORT}|{_OUTSIDE_SHORT}"
"""Short forms of inside and outside, as in INT. and EXT."""
PLACES = rf"{SHORT_PLACES}|{_INSIDE_WORDS}|{_OUTSIDE_WORDS}"
"""Short forms and words of inside and outside, in scripts with capitals."""
UNCASED_PLACES = r"内景|外景|実内|室内|室外|屋内|屋外|실내|실외|פנים|חוץ|داخلي|خارجي|داخلی|خارجی"
"""The same in scripts without capitals."""
SCENE_WORDS = (
    r"SCENES?|SCÈNE|SC|SEC|SECUENCIA|SEQ|SÉQ|SEQUENCE|SÉQUENCE|SEQUENZ|SEQUENZA|ESCENA|ESC|CENA|SCENA|SZENE|SZ"
    r"|BILD|SZENENBILD|SCEN|KOHTAUS|JELENET|SAHNE|SCENĂ|OBRAZ|PRIZOR|ΣΚΗΝΗ|СЦЕНА|СЦ|ЭПИЗОД|ЕПІЗОД|TAKE|SHOT|씬|S"
)
"""Words before a scene's number."""
TIMES_OF_DAY = (
    r"DAY|NIGHT|MORNING|EVENING|AFTERNOON|NOON|MIDDAY|MIDNIGHT|DUSK|DAWN|SUNSET|SUNRISE|TWILIGHT|LATER|CONTINUOUS|SAME"
    r"|MOMENTS LATER|MAGIC HOUR|FLASHBACK|TAG|TAGS|NACHT|NACHTS|ABEND|ABENDS|MORGEN|MORGENS|MITTAG|NACHMITTAG|DÄMMERUNG"
    r"|SPÄTER|JOUR|NUIT|SOIR|MATIN|MIDI|AUBE|CRÉPUSCULE|PLUS TARD|DÍA|DIA|NOCHE|TARDE|MAÑANA|AMANECER|ATARDECER|GIORNO"
    r"|NOTTE|SERA|MATTINA|MATTINO|ALBA|TRAMONTO|POMERIGGIO|NOITE|MANHÃ|DAG|AVOND|OCHTEND|MIDDAG|DZIEŃ|NOC|WIECZÓR|RANEK"
    r"|RANO|MORGENGRAUEN|MORGENDÄMMERUNG|ABENDDÄMMERUNG|VORMITTAG|MITTERNACHT|NÄCHSTER (?:TAG|MORGEN)"
    r"|AM NÄCHSTEN (?:TAG|MORGEN)"
    r"|(?:LE )?LENDEMAIN|APRÈS-MIDI|PETIT MATIN|MATINÉE|SOIRÉE|MINUIT|FIN DE JOURNÉE|MÁS TARDE|MEDIODÍA|MEDIANOCHE"
    r"|ANOCHECER|MADRUGADA|CREPÚSCULO|(?:AL )?DÍA SIGUIENTE|MOMENTOS DESPUÉS"
    r"|ДЕНЬ|НОЧЬ|УТРО|ВЕЧЕР|НІЧ|РАНОК|ВЕЧІР|KVÄLL|NATT|MORGON|AFTEN|KVELD|NAT|DEN|VEČER|RÁNO|GÜN|GÜNDÜZ|GECE"
    r"|AKŞAM|SABAH|NAPPAL|ÉJSZAKA|ÉJJEL|ESTE|REGGEL|PÄIVÄ|YÖ|ILTA|AAMU|ZI|NOAPTE|SEARĂ|ΜΕΡΑ|ΝΥΧΤΑ|ΒΡΑΔΥ|ΠΡΩΙ"
)
"""What a heading ends with."""

END_WORDS = r"END|ENDE|FIN|FINE|FIM|FINAL|EINDE|SLUTT?|LOPPU|KONIEC|KONEC|KRAJ|VÉGE|SFÂRȘIT|КОНЕЦ|КІНЕЦЬ|ΤΕΛΟΣ"
"""What is written where a film ends."""
_ENGLISH_TRANSITIONS = (
    r"(?:SLOW(?:LY)? )?FADE[SD]?(?: BACK)?(?: UP)?(?: IN| OUT| TO| FROM| INTO| UP)?(?: ON)?(?: (?:A )?(?:BLACK|WHITE))?"
    r"|(?:SLOW |CROSS[ -]?|X-?)?(?:DISSOLVES?|FADE)(?: BACK)?(?: TO| INTO)?(?: BLACK| WHITE)?|(?:CROSS|X-)FADE(?: TO)?"
    r"|INTERCUT(?: WITH)?|BLACK ?OUT|TO (?:BLACK|WHITE)|(?:CLOCK |STAR |PUSH )?WIPE(?: TO)?|IRIS (?:IN|OUT)(?: ON)?"
    r"|RESET TO|BACK TO SCENE"
    r"|FLASH ?(?:BACK|FORWARD)?(?: CUT)? TO|TIME (?:CUT|JUMP)(?: TO)?|JUMP TO|LAP DISSOLVE|FREEZE FRAME"
    r"|(?:THE )?END(?: OF (?:FILM|SHOW|EPISODE|PILOT|SCRIPT|MOVIE|SCENE|FLASHBACK|MONTAGE))?"
    r"|(?:ROLL |END |CLOSING |OPENING |MAIN |OVER )*(?:CREDITS|TITLES)(?: ROLL| OVER| END| BEGIN)?"
)
_OTHER_TRANSITIONS = (
    # German
    r"(?:HARTER |WEICHER |HARTE[NR]? )?(?:ZWISCHEN)?SCHNITT(?: ZURÜCK)?(?: AUF| ZU| AN)?(?: SCHWARZ| WEISS)?"
    r"|(?:ÜBER|AUF|AB|AUS|EIN|WEG|SCHWARZ|WEISS|WEIß|WEICH|RÜCK)?-?BLEND(?:E|UNG|EN)(?: ZU| AUF| NACH| AUS| IN)?"
    r"(?: SCHWARZ| WEISS| WEIß)?|SCHWARZFILM|ZEITSPRUNG|PARALLELMONTAGE|ABSPANN|VORSPANN"
    r"|(?:AUF|AB|AUS|EIN)BLENDE VO[NM] (?:SCHWARZ|WEISS|WEIß)|ZURÜCK (?:IN DER GEGENWART|ZUR? (?:SZENE|GEGENWART))"
    r"|ENDE(?: DES FILMS| DER (?:RÜCKBLENDE|MONTAGE)| RÜCKBLENDE)?"
    # French
    r"|(?:OUVERTURE|FERMETURE)?(?: ?(?:AU|EN|PAR) )?FONDU(?: ENCHAÎNÉ| ENCHAINE| D.OUVERTURE| DE FERMETURE)?"
    r"(?: AU| À| A| EN| SUR| VERS(?: LE)?| DEPUIS LE| DU)?(?: NOIR| BLANC| LOUVERTURE)?"
    r"|(?:OUVERTURE|FERMETURE)(?: AU| SUR| DU)?(?: NOIR| BLANC)?|(?:RETOUR |COUPE |CUT |COUPEZ |CUTS )(?:SUR|À|A|AU"
    r"|VERS)"
    r"(?: NOIR| BLANC)?|COUPE(?: FRANCHE| SÈCHE| NETTE)?(?: SUR| À| A| VERS)?(?: NOIR| BLANC)?"
    r"|ENCHA[IÎ]N[ÉE](?: SUR)?|VOLET(?: VERS)?|GÉNÉRIQUE(?: DE (?:FIN|DÉBUT))?"
    r"|FONDU EN (?:OUVERTURE|FERMETURE)|RETOUR AU PRÉSENT|ELLIPSE|NOIR"
    r"|FIN(?: DU FLASH-?BACK| DU FILM| DE L.ÉPISODE)?|NOIR TOTAL"
    # Spanish and Portuguese
    r"|(?:CORTE|CORTA|CORTAR|INTERCORTE)(?: DIRECTO| SECO| FINAL| DE VUELTA)?(?: AL?| PARA| COM| CON| DE VUELTA A)?"
    r"(?: NEGRO| PRETO| BLANCO)?|(?:FUND(?:IDO|E|IR)|FUSÃO|FADE|ABRE|CIERRA|DISUELVE|DISOLVENCIA|ENCADENADO|ENCADENA)"
    r"(?: LENTO| CRUZADO| ENCADENADO)?(?: AL?| EN| DE| DESDE| PARA| CON| DEL)?(?: NEGRO| BLANCO| PRETO| BRANCO)?"
    r"|FUNDIDO DE (?:ENTRADA|SALIDA)|(?:VUELTA|VOLVEMOS) AL PRESENTE|(?:A )?NEGRO|CONTINUARÁ"
    r"|ESCURECIMENTO|CRÉDITOS(?: FINALES| INICIALES| FINAIS)?"
    # Italian
    r"|(?:STACCO|TAGLIO)(?: NETTO| INTERNO)?(?: SU| A| IN| AL)?(?: NERO)?|TITOLI DI (?:CODA|TESTA)"
    r"|(?:DIS|AS)SOLVENZA(?: INCROCIATA| LENTA)?(?: IN| A| SU| AL?| DA(?:L)?| VERSO)?"
    r"(?: NERO| BIANCO| CHIUSURA| APERTURA)?"
    # Dutch
    r"|(?:OVERGANG|KNIP|SNIJ|SNEDE|CUT|FADE|OVERVLOEIER|OVERVLOEIING)(?: TERUG)?(?: NAAR)?(?: ZWART| WIT)?"
    r"|(?:IN|UIT)FADEN|AFTITELING"
    # Scandinavian and Finnish
    r"|(?:HÅRT |HARDT )?KLIPP?(?: TILLBAKA| TILBAKE| TILBAGE)?(?: TIL| TILL)?(?: SVART| SORT)?"
    r"|(?:ÖVER|OVER)(?:TONING|BLENDING)(?: TIL| TILL)?|TONA? (?:IN|UT|NED|NER|UPP|OPP|OP|IND|UD)(?: TIL"
    r"| TILL)?(?: SVART| SORT)?"
    r"|NEDTONING|EFTERTEXTER|RULLETEKSTER|(?:RISTI)?LEIKKAUS|RISTIKUVA|HÄIVYTYS|LOPPU(?:TEKSTIT)?"
    # Polish, Czech, Slovak, Hungarian, Romanian, South Slavic, Turkish, Greek
    r"|(?:TWARDE )?CIĘCIE(?: DO| NA)?|PRZENIKANIE(?: DO)?|(?:Ś|WY|ZA)CIEMNIENIE|ROZJAŚNIENIE|NAPISY KOŃCOWE"
    r"|(?:OSTRÝ )?STŘIH(?: NA| DO)?|STRIH(?: NA)?|PROLÍNAČKA|PRELÍNAČKA|ZATMÍVAČKA|ROZTMÍVAČKA"
    r"|VÁGÁS|ÁTTŰNÉS|ELSÖTÉTEDÉS|KISÖTÉTEDÉS|TĂIETURĂ(?: LA| DIRECTĂ)?|REZ(?: NA)?|PRETAPANJE|ZATAMNJENJE"
    r"|KESME|GEÇİŞ|ZİNCİRLEME|KARARMA|AÇILMA|CUT ΣΕ|ΣΒΗΣΙΜΟ"
    # Russian, Ukrainian
    r"|(?:ИЗ |В )?ЗТМ|(?:ИЗ |В )?ЗАТЕМНЕНИ[ЕЯ]|СКЛЕЙКА|НАПЛЫВ|ВЫТЕСНЕНИЕ|ПЕРЕХОД(?: К| НА)?|СМЕНА КАДРА|ПЕРЕБИВКА"
    r"|(?:НАЧАЛЬНЫЕ |ФИНАЛЬНЫЕ )?ТИТРЫ|КОНЕЦ(?: ФИЛЬМА| СЕРИИ)?|КІНЕЦЬ(?: ФІЛЬМУ)?|ЗАТЕМНЕННЯ|ПЕРЕХІД|МОНТАЖНАЯ СКЛЕЙКА"
    # scripts without capitals
    r"|フェード(?:イン|アウト)|カット(?:トゥ|イン|バック)?|ワイプ|ディゾルブ|オーバーラップ|暗転|明転|溶暗|溶明|終わり|おわり|終|完|了"
    r"|切至|切到|切入|切|淡入|淡出|溶入|溶至|溶出|叠化|叠至|渐隐|渐显|化入|化出|黑场|剧终|全剧终"
    r"|컷 ?투|컷|페이드 ?(?:인|아웃)|디졸브|암전|끝"
    r"|قطع(?: إلى)?|اختفاء تدريجي|ظهور تدريجي|مزج إلى|النهاية|חיתוך(?: אל)?|קאט ל.{0,2}|דיזולב|פייד (?:אין|אאוט)|סוף"
    r"|कट टू|फेड (?:इन|आउट)|समाप्त"
)
_LATIN_CUT = r"[\w'’ -]{0,30}\bCUT(?: BACK)?(?: TO)?(?: (?:BLACK|WHITE|SCENE|PRESENT))?"
_STOPS = r"[\s.:：。…!,;–—-]*"
TRANSITION = re.compile(rf"[\s.…(\[–—-]*(?:{_ENGLISH_TRANSITIONS}|{_OTHER_TRANSITIONS}|{END_WORDS})[)\]]?{_STOPS}")
"""A line in capitals that is a transition, a title sequence or the end."""
CUT = re.compile(rf"(?:{_LATIN_CUT}|(?:{END_WORDS})(?: [\w'’-]+){{1,4}}){_STOPS}")
"""A cut with any words before it, or the end of something; only in a line written in capitals."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ACT_WORDS = _words(
    "ACT ACTS AKT ACTE ACTO ATTO ATO BEDRIJF NÄYTÖS PERDE FELVONÁS DĚJSTVÍ DEJSTVO ДЕЙСТВИЕ АКТ ДІЯ ΠΡΑΞΗ ACTUL "
    "PART TEIL PARTIE PARTE DEEL DEL OSA CZĘŚĆ ЧАСТЬ CHAPTER KAPITEL CHAPITRE CAPÍTULO CAPITOLO HOOFDSTUK "
    "ROZDZIAŁ ГЛАВА EPISODE FOLGE ÉPISODE EPISODIO EPISÓDIO AFLEVERING AVSNITT AFSNIT ODCINEK СЕРИЯ ЭПИЗОД SCENE "
    "SZENE SCÈNE ESCENA SCENA CENA BILD SCEN СЦЕНА SEQUENCE SÉQUENCE SECUENCIA SEQUENZA SEQUENZ SERIES SEASON "
    "STAFFEL SAISON TEMPORADA"
)
"""Parts of a script, with a number."""
ACTS_WITHOUT_NUMBER = _words(
    "TEASER TAG PROLOGUE PROLOG PRÓLOGO PROLOGO EPILOGUE EPILOG ÉPILOGUE EPÍLOGO EPILOGO ПРОЛОГ ЭПИЛОГ INTERVAL "
    "INTERMISSION ENTRACTE PAUSE ANTRAKT АНТРАКТ REPRISE COMMERCIAL BREAK"
)
UNMISTAKABLE_ACTS = ACTS_WITHOUT_NUMBER - _words("TAG PAUSE INTERVAL REPRISE COMMERCIAL BREAK")
"""Those that are no other word and nobody's name."""
NUMERALS = _words(
    "ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN FIRST SECOND THIRD FOURTH FIFTH LAST EINS ZWEI DREI VIER "
    "FÜNF SECHS SIEBEN ACHT ERSTER ZWEITER DRITTER VIERTER FÜNFTER ERSTE ZWEITE DRITTE VIERTE LETZTER UN DEUX "
    "TROIS QUATRE CINQ PREMIER PREMIÈRE DEUXIÈME SECONDE TROISIÈME QUATRIÈME CINQUIÈME UNO DOS TRES CUATRO "
    "CINCO PRIMERO PRIMER SEGUNDO TERCERO TERCER CUARTO QUINTO PRIMERA SEGUNDA TERCERA CUARTA DUE TRE QUATTRO "
    "CINQUE PRIMO SECONDO TERZO QUARTO PRIMA SECONDA TERZA QUARTA UM DOIS TRÊS QUATRO PRIMEIRO TERCEIRO PRIMEIRA "
    "TERCEIRA EEN TWEE DRIE VIJF EERSTE TWEEDE DERDE PIERWSZY DRUGI TRZECI CZWARTY PIERWSZA DRUGA TRZECIA "
    "FÖRSTA ANDRA TREDJE FØRSTE ANDEN ПЕРВЫЙ ВТОРОЙ ТРЕТИЙ ЧЕТВЁРТЫЙ ЧЕТВЕРТЫЙ ПЕРВОЕ ВТОРОЕ ТРЕТЬЕ ПЕРВАЯ ВТОРАЯ "
    "ТРЕТЬЯ ОДИН ДВА ТРИ"
)
BETWEEN_ACTS = _words(
    "END OF THE START BEGIN BEGINS ENDS OPEN COLD ENDE DES DER BEGINN FIN DE DU L DEL DELL FINE FIM DO DA "
    "CONTINUED CONT'D CONT EINDE VAN HET KONIEC КОНЕЦ NO NR AND"
)
"""Words that stand beside an act's word and number."""
CAST_WORDS = (
    r"CAST|CHARACTERS?|ROLES?|ROLLEN|PERSONEN|FIGUREN|DARSTELLER|BESETZUNG|PERSONNAGES?|DISTRIBUTION|PERSONAJES?"
    r"|PERSONAGGI|INTERPRETI|PERSONAGENS|REPARTO|ELENCO|ROLVERDELING|PERSONAGES|OSOBY|POSTACIE?|ROLLER|MEDVERKANDE"
    r"|MEDVIRKENDE|ПЕРСОНАЖИ|ДЕЙСТВУЮЩИЕ ЛИЦА|В РОЛЯХ|登場人物|人物|출연|등장인물"
)
CAST = re.compile(rf"(?:{CAST_WORDS}|IN SCENE|PRESENT)\s*[:：–—-].*")
"""A line that lists who is in a scene."""
_WORK = r"written|screenplay|teleplay|script|story|book|created|directed|produced|edited|adapted|draft|translated|music"
WRITTEN_BY = rf"(?:original )?(?:{_WORK})(?:,? (?:(?:and|&) \w+|{_WORK}))* by"
"""Who did what, up to the name."""
BYLINE = re.compile(
    rf"(?:{WRITTEN_BY}|by(?:\s*:)?(?:\s+(?-i:[A-ZÀ-ÞА-Я])|$)|based (?:up)?on|adapted from"
    r"|from (?:a|the) (?:story|novel|book|play)"
    r"|an? (?:original )?(?:screenplay|teleplay|script|short film)(?: by)?"
    r"|(?:ein |das )?(?:dreh)?buch(?: von)?(?!\w)|(?:geschrieben )?von(?= (?-i:[A-ZÄÖÜ]))|nach (?:einer|einem|dem"
    r"|der)(?= \w+ von)"
    r"|(?:un )?(?:scénario|film|court[ -]métrage)(?: (?:original )?de| écrit par)|(?:(?:écrit |réalisé )?par|por|di)"
    r"(?= (?-i:[A-ZÀ-Þ]))"
    r"|(?:un )?gui[oó]n(?: original)?(?: de)?(?!\w)|escrit[oa] por|(?:una )?sceneggiatura(?: di)?(?!\w)|scritto da"
    r"|roteiro(?: de)?(?!\w)|scenariusz(?!\w)|сценарий(?!\w)|автор(?: сценария)?(?!\w)"
    r"|(?:first |second |third |final |shooting |revised |production |polished |erste |zweite )*(?:draft|revision"
    r"|fassung|versión|versione|version)(?: \w+)?(?: ?[#:,–—-].*)?$"
    r"|rev(?:ised|\.)(?: |$)|copyright\b|©|\(c\) |all rights reserved|wga\b|registered\b.{0,20}(?:no|#)"
    r"|(?:contact|e-?mail|phone|tel|draft date|address|agent)\s*[:.]"
    r"|(?:\d{1,2}(?:st|nd|rd|th|\.)? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov"
    r"|dec)[a-z]*\.?,? (?:\d{1,2},? )?\d{4}$"
    r"|\d{1,4}[./-]\d{1,2}[./-]\d{2,4}$|[\w.+-]+@[\w-]+\.\w+|(?:https?://|www\.)\S+$|\+?[\d() /-]{7,20}$)",
    re.IGNORECASE,
)
"""How a line begins that names who wrote a screenplay, its draft or whom to ask."""
TITLE_KEYS = frozenset(("title", "titel", "titre", "título", "titulo", "titolo", "название", "タイトル", "tytuł"))
TITLE_PAGE_KEYS = TITLE_KEYS | frozenset(
    key.replace("_", " ")
    for key in _words(
        "credit author authors source draft_date date contact copyright notes revision format language autor auteur "
        "autore автор written_by episode series subtitle untertitel draft revised revision_date version production "
        "company studio producer director directed_by based_on story_by story writer writers screenplay_by genre "
        "email e-mail phone tel address agent website wga font logline kontakt datum fassung buch regie quelle "
        "contacto fecha versión guion guión dirección fuente contatto data versione sceneggiatura regia crédit crédits "
        "scénario réalisation adresse adaptation roteiro direção versão contato дата контакты версия режиссёр"
    )
)
"""Keys of a title page; one of them among its entries tells it from other text with colons."""

SPEECH_WORDS = _words(
    "i you me my your we us our i'm you're don't i'll i've can't it's that's what's we're didn't won't let's yes no "
    "yeah okay please thanks sorry well oh hey ? ! mine yours "
    "ich du mir mich dein wir uns ja nein bitte je tu moi toi vous nous oui non merci yo tú mi nosotros sí gracias "
    "io noi grazie eu você não"
)
"""Words and marks of speech, in small letters: what a file's rows are compared with before its own words are known."""
ACTION_WORDS = _words(
    "he she his her him they their walks looks turns sits stands opens enters the a er sie seine ihre elle il ses "
    "él ella su sus"
)
"""The same of action."""

FRONT_MATTER = re.compile(
    r"(?:SHORT |BRIEF )?SYNOPSIS|LOG ?LINE|TREATMENT|FOREWORD|PREFACE|INTRODUCTION|DISCLAIMER|PREMISE|BACKGROUND"
    r"|(?:AUTHOR|WRITER|DIRECTOR|PRODUCTION|PRODUCER)['’]?S? (?:NOTES?|STATEMENT)|SYNOPSE|INHALT|KURZINHALT|VORWORT"
    r"|RÉSUMÉ|NOTE D['’]INTENTION|AVANT-PROPOS|SINOPSIS|SINOSSI|SINOPSE|СИНОПСИС|АННОТАЦИЯ"
)
"""The heading of what stands before a script and is not of the film; in capitals, on a line of its own."""
