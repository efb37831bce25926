"""Words about names: titles, roles, names that are words too, nicknames, and what a name may be part of."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HIS_TITLES = _words(
    "mr mister sir lord father brother uncle grandpa king prince monsieur señor sr signor herr herrn hr pan pán senhor"
    " profesor"
)
HER_TITLES = _words(
    "mrs ms miss mme mlle madame mademoiselle señora sra señorita srta signora signorina doña dña frau fräulein frl"
    " lady aunt auntie grandma sister mother queen princess madam dame pani paní senhora dra doctora profesora"
    " professorin kommissarin inspectora comisaria"
)
TITLES = (
    HIS_TITLES
    | HER_TITLES
    | _words(
        "mx dr doctor doktor docteur prof professor professeur captain colonel sergeant lieutenant major general"
        " admiral commander corporal private inspector detective officer agent constable sheriff deputy reverend rabbi"
        " imam judge senator president minister ambassador chief nurse coach master kommissar inspektor leutnant maître"
        " commissaire capitaine inspecteur capitán comisario coronel sargento teniente"
    )
)
"""Words before a name; none of them is one."""
TITLES_OF_LANGUAGES = {
    "de": {"fr": "frau"},
    "fr": {"m": "monsieur", "me": "maître"},
    "es": {"don": "señor"},
}
"""Titles that are names, initials or words elsewhere, with one of `TITLES` that means the same."""
SHORT_TITLES = _words("mr mrs ms mx dr prof mme mlle st sgt lt capt col gen hr frl fr m me sr sra srta dña dra")
"""Titles that may end with a stop."""
WRITE_TITLES_SMALL = frozenset({"fr", "es", "it", "pt", "ca"})
"""Languages that write a title before a name with a small letter: la señora Vale."""
ADJECTIVES_OF_NAMES = _words("young old little big poor dear sweet darling crazy saint good")
"""What stands before a name with a capital and belongs to it: Young Nora."""

HIS_NAMES = _words(
    "aaron abraham adam adrian alan albert alfred andrew anthony antonio arnold arthur barry ben benjamin bernard"
    " bill billy bob bobby boris brad brandon brendan brian bruce bruno carl carlos charles chester christopher"
    " clarence claude colin connor craig curtis cyril damian daniel danny dave david dennis derek dmitri dominic"
    " donald doug douglas duncan earl ed eddie edgar edmund edward edwin elijah elliot emil enrique eric erik ernest"
    " ernie ethan eugene felix fernando finn francisco franklin franz fred frederick gareth gary geoff geoffrey george"
    " gerald gilbert giovanni gordon graham greg gregory gustav hank hans harold harry harvey hector henrik henry"
    " herbert herman homer horace howard hugh hugo ian igor isaac ivan jack jacob jacques jake james jan jared jason"
    " jeff jeffrey jerome jerry jim jimmy joe joel john johnny jonathan jorge jose josef joseph joshua juan julius"
    " karl keith ken kenneth kevin klaus kurt larry lars lawrence leo leon leonard lewis liam louis luca lucas luigi"
    " luis luke magnus malcolm marcus mario mark martin marvin matt matthew maurice michael miguel mike mikael milo"
    " mohammed moses nathan nathaniel ned neil neville nicholas nigel noah norman oliver omar oscar oskar otto owen"
    " pablo patrick paul pedro percy pete peter philip pierre ralph raymond reginald richard rick ricky robert roberto"
    " rodney roger roland ron ronald roy rudolf rufus rupert russell samir samuel scott sean sebastian sergei seth"
    " sidney simon spencer stan stanley stefan stephen steve steven stuart ted theodore thomas tim timothy toby todd"
    " tom tommy tony trevor victor viktor vince vincent vladimir wallace walter warren wayne wilbur wilfred willem"
    " william winston wolfgang xavier zach zachary"
)
HER_NAMES = _words(
    "abigail ada adele agatha agnes alice alicia alison amanda amelia amy anastasia angela angelina anita ann anna"
    " anne annie anya audrey barbara beatrice becky belinda bella bernadette beth bethany betty beverly bianca bonnie"
    " brenda bridget camilla carla carmen carol caroline carolyn carrie catherine cecilia celia charlotte chloe"
    " christina christine cindy claire clara claudia colleen cora cordelia daisy daphne debbie deborah delia denise"
    " diana diane dolores donna dora doris dorothy edith edna eileen elaine eleanor elena eliza elizabeth ella ellen"
    " elsa elsie emily emma erica esmeralda esther eva eve evelyn fiona florence frances freda gabriella gemma"
    " genevieve georgia georgina geraldine gertrude gina giulia gladys gloria greta gretchen gwen hanna hannah harriet"
    " heather heidi helen helena helga henrietta hilda ida ines ingrid irene irina isabel isabella isabelle ivy jane"
    " janet janice jeanette jennifer jenny jessica jill joan joanna josephine joyce judith judy julia julie juliet"
    " karen kate katherine kathleen kathy katie kirsten kristin lara laura lauren leila lena lillian lily linda lisa"
    " lois lorraine louise lucia lucille lucy lydia mabel maggie marcia margaret maria marianne marie marina marjorie"
    " marlene martha mary matilda maud maureen maya megan melanie melissa mildred millie mina mira miranda miriam"
    " moira molly mona monica muriel myra nadia nancy naomi natalia natalie natasha nicole nina nora norah norma olga"
    " olive olivia ophelia pamela patricia patty paula pauline peggy penelope petra phoebe phyllis polly priscilla"
    " rachel rebecca rhonda rita roberta rosa rosalind rose rosemary rosie ruth sabrina sally samantha sandra sara"
    " sarah selma serena sheila shirley silvia sofia sonia sophia sophie stella stephanie sue susan suzanne sylvia"
    " tabitha tamara tanya teresa tess tessa theresa tina ulrike ursula valerie vanessa vera veronica victoria viola"
    " violet virginia vivian wanda wendy wilma winifred yvonne zoe"
)
"""English given names that are one gender’s and hardly ever the other’s: no Alex, Sam, Kim or Robin."""

GENERIC = _words("man woman boy girl person child kid baby figure guy stranger voice lady gentleman teenager")
"""What so many people are that “the man” may be anybody."""
ROLES = GENERIC | _words(
    "men women boys girls children kids crowd all both narrator announcer reporter host guard soldier driver nurse"
    " waiter waitress clerk teacher student customer guest priest judge lawyer mum mom mummy mommy dad daddy papa mama"
    " grandma grandpa granny son daughter wife husband the an of and old young first second third one two three four"
    " five radio television phone computer robot policeman policewoman cop officer detective doctor barman bartender"
    " cook chef butler maid servant secretary receptionist boss manager owner neighbour neighbor passenger conductor"
    " pilot steward stewardess sailor captain passer-by bystander worker farmer mechanic cashier salesman saleswoman"
    " vendor janitor cleaner thief burglar robber killer kidnapper prisoner inmate hostage victim witness bride groom"
    " king queen prince princess father mother brother sister uncle aunt tailor postman mailman fireman firefighter"
    " paramedic surgeon patient singer dancer musician pianist painter photographer librarian hunter zombie vampire"
    " monster ghost alien witch wizard giant bouncer bodyguard henchman gangster dealer in with at on hat tall short"
    " thin fat bald blonde bearded elderly drunk"
)
"""What characters are called instead of a name, and the words about it: OLD MAN, GUARD 2, WOMAN IN HAT."""

PERSON_NOUNS = ROLES - _words(
    "all both crowd the an of and old young first second third one two three four five radio television phone computer"
    " robot in with at on hat tall short thin fat bald blonde bearded elderly drunk voice"
) | _words(
    "fellow guy teenager teen adult youth friend couple twin cousin aide adviser assistant partner colleague widow"
    " widower orphan heir actor actress dancer drummer guitarist composer writer author poet journalist editor"
    " director producer scientist engineer programmer architect designer artist professor principal headmaster pupil"
    " undergraduate accountant banker broker trader businessman businesswoman salesgirl shopkeeper grocer baker"
    " butcher barber hairdresser carpenter plumber electrician builder gardener fisherman sheriff ranger spy assassin"
    " mercenary hacker psychiatrist therapist dentist vet attorney mayor senator president minister ambassador monk"
    " nun pastor vicar bishop knight peasant villager elder warrior fighter boxer athlete coach referee player tourist"
    " traveller hitchhiker stranger beggar drifter junkie gambler landlord landlady tenant lodger housekeeper nanny"
    " babysitter chauffeur"
)
"""Nouns that say what somebody is."""
CALENDAR = _words(
    "april may june august january july march summer autumn winter spring monday friday wednesday dawn eve"
)
"""Names that are times too."""
TIME_WORDS = _words(
    "in on of this last next since until till by every early late mid during before after from to through at"
)
"""What stands before a time."""
WORD_NAMES = CALENDAR | _words(
    "will rose grace hope faith joy mark bill pat sue art frank rich ray drew chase grant lance miles pierce rob rusty"
    " sandy stormy ivy lily daisy violet iris heather holly olive poppy ginger hazel ruby pearl jade amber opal crystal"
    " coral sky skye star sunny melody harmony harper carol angel destiny charity patience prudence constance honor"
    " honour mercy verity victor ernest guy gene robin wren dale glen cliff clay brook forest heath rock"
    " stone reed rush lane ford west hunter mason cooper tanner carter taylor tailor smith baker cook page king prince"
    " duke earl baron bishop pope dean major marshal judge justice sterling penny buck chuck skip chip dash"
    " sonny buddy bud junior ace rocky tiger fox wolf bear hawk drake colt dolly kitty bunny stew herb basil"
    " sage rosemary saffron ash oak willow laurel myrtle fern flora blue scarlet raven storm trip chance ransom creed"
    " trace case curt ward wade hank woody brad tab dot polly kit pip gill young long short white black brown green"
    " gray grey little strong sharp savage wise good best love day knight weeks banks brooks hill woods fields rivers"
    " moon snow rain frost winters fisher archer butler turner porter parker walker farmer gardener miller potter"
    " shepherd singer speaker bell bond church cross field fields flowers gold golden hand hook house keys law light"
    " marsh mills moss nail park parks peel pike pool power price read rice rider rivers sand shade shore silver"
    " snipes speed spring street sweet swift temple tower town trout vale wall water waters wood worth finch bird crane"
    " crow dove eagle gull heron jay lark nightingale partridge peacock pigeon starling swan swift teal bliss"
    " charm glory liberty mystery noble precious promise royal serenity true trinity welcome wonder bean pepper apple"
    " cherry clementine peaches plum honey candy brandy sherry coco mocha maple cinnamon lucky happy smiley sparky"
    " spike spot shadow ghost jet"
)
"""Names that are ordinary English words as well."""
UNCOUNTED_NAMES = CALENDAR | _words(
    "hope grace faith joy art ivy holly heather ginger amber crystal coral harmony charity patience prudence constance"
    " honor honour mercy verity justice clay rock stone heath snow rain frost light gold silver power sand shade water"
    " wood worth bliss glory liberty mystery serenity basil sage rosemary saffron ash oak willow laurel myrtle moss"
    " rice pepper honey candy brandy sherry cinnamon maple love day melody marsh reed blue white black brown green gray"
    " grey fern flora iron price law angel destiny welcome rush ford brook dale"
)
"""Of these those that may begin a sentence without an article: Hope is gone; Snow falls."""

PERSONS_ACT = _words(
    "looks walks sits smiles nods stares glances gazes hurries kneels leans grabs watches laughs kisses hugs reads"
    " writes drinks eats listens sighs frowns shrugs wears speaks hesitates blinks winces grins gasps sobs strides"
    " tiptoes crouches straightens unlocks enters undresses dresses whispers shouts mutters stammers chuckles smirks"
    " scowls swallows yawns stretches sprints jogs limps staggers stumbles paces dashes scrambles squints peers"
)
"""What only somebody does, as a line says it: after such a word a name that is a word is a name."""
ACTS = PERSONS_ACT | _words(
    "is was has does turns stands opens closes takes puts picks holds shakes comes goes steps reaches pulls pushes"
    " drives lies lifts lowers raises rushes moves follows waves cries throws catches falls gets gives hands points"
    " wakes sleeps tries begins starts stops keeps waits climbs crawls drops carries sees hears finds shows joins bends"
    " rises wipes touches slips slides strokes hides says tells asks leaves runs returns rolls hits kicks punches"
    " shoots cuts ties lets makes removes sets lays places presses pours brings leads helps checks searches"
    " studies examines adjusts folds unfolds unrolls wraps fills empties rings knocks pauses ducks jumps leaps"
    " lands rides swings spins tosses hurls snatches tucks buttons straps drags presents offers hovers"
    " lingers disappears appears emerges exits"
)
FUNCTION_WORDS = _words(
    "a an the and or but so as if when while where who whom whose which that this these those there here then now again"
    " also only just even still too very not no yes of in into on onto at to toward towards from for by up down out off"
    " over under through across along around about behind before after between beside beneath against with without"
    " upon until till is are was were be being been has have had does did do can could will would may might must shall"
    " should he she it they him her them his hers its their theirs himself herself itself themselves i you we me us my"
    " your our outside inside near suddenly slowly quickly later meanwhile finally once both all some any each every"
    " what why how oh hey hello hi hallo okay ok well look come wait please thanks thank goodbye bye dear darling let"
    " let's don't i'm i'll i've i'd you're it's that's what's who's where's"
)
"""Words that carry no meaning by themselves, or open a sentence before a name: Then Nora; Hey Tom."""
AFTER_ADDRESS = _words(
    "come wait look listen stop don't do please i i'm i'll i've you you're we we're get go what where why is are can"
    " could would it's let let's no yes this that there darling dear honey who how have did give tell run hurry help"
)
"""What follows the comma after somebody is addressed: Rose, wait."""
NOT_OWNED = _words("a an the not no my your his her gone been lost got going always never here there just so too been")
"""What follows “Hope’s” where that means “hope is”."""
PART_OF_PLACES = _words(
    "street road avenue lane square station hotel house school park bridge company inc ltd co corp airport hospital"
    " church farm river lake hall college university brothers bros sons industries enterprises estate castle island"
    " county city town village theatre theater museum library bank building tower court drive boulevard club bar inn"
    " restaurant café cafe foundation institute award prize day palace mansion residence apartment flat office manor"
    " villa diner garage shop store market saloon motel ranch cottage cabin stadium arena gallery studio studios place"
)
"""What follows a name that is not a person’s there: Vale Street."""
_KOREAN = """
은 는 이 가 을 를 의 에게 에게서 한테 와 과 랑 이랑 도 만 씨 님 아 야 이는 이가 이를 이의 이도 에 로 으로 부터 까지
보다 처럼 라고 이라고 입니다 이다
"""
KOREAN_PARTICLES = frozenset(_KOREAN.split())
"""What Korean writes behind a name without a space."""
HONORIFICS = ("さん", "様", "君", "先生", "氏", "殿", "ちゃん", "くん", "小姐", "太太", "女士", "夫人", "老师", "老師")
"""What Japanese and Chinese say after a name."""
GENITIVE_S = frozenset({"de", "nl", "sv", "da", "no", "nb", "nn", "lb", "nds", "fy", "af"})
"""Languages whose genitive adds an s without an apostrophe."""
UNINFLECTED = frozenset({"en", "fr", "es", "it", "pt", "ca", "vi", "id", "ms", "zh", "ja", "th", "ko"})
"""Languages in which a name has no endings, or only those that are known here."""

_NICKNAMES = """
abigail abby gail, abraham abe, albert bert al bertie, alexander alex al sandy xander sasha,
alexandra alex sandra alexa, alfred alf fred alfie, alice ali, amanda mandy, andrew andy drew, angela angie,
ann annie nan, anne annie nan, anna annie, anthony tony ant, antonia toni, archibald archie, arnold arnie,
arthur art artie, augustus gus, barbara barb babs, barnabas barney, bartholomew bart, beatrice bea trixie,
benedict ben, benjamin ben benny benji, bernard bernie, bridget biddy, caroline carrie caro,
catherine cathy kate katie kitty cat, charles charlie chuck chas, charlotte lottie charlie,
christina chris tina christie, christine chris chrissie, christopher chris kit topher, clara clare, cynthia cindy,
daniel dan danny, david dave davy, deborah deb debbie, diana di, dominic dom, donald don donnie,
dorothy dot dottie dolly, douglas doug, edith edie, edmund ed eddie ned, edward ed eddie ned ted teddy,
eleanor ellie nell nora, elizabeth liz lizzie beth betty betsy eliza libby bess, emily em emmy, ernest ernie,
eugene gene, evelyn evie, florence flo flossie, frances fran fanny, francis frank frankie, franklin frank,
frederick fred freddie, gabriel gabe, gabrielle gabby, geoffrey geoff, georgina georgie, gerald gerry jerry,
gilbert gil, gregory greg, harold harry hal, harriet hattie harry, helen nell, henrietta etta hettie,
henry harry hank hal, herbert herb bert, isabella bella izzy belle, jacob jake, jacqueline jackie,
james jim jimmy jamie, jane janey, jennifer jen jenny, jeremy jerry, jessica jess jessie, joan joanie,
john jack johnny, jonathan jon jonny, joseph joe joey, josephine jo josie, joshua josh, judith judy,
julia jules julie, katherine kate kathy katie kay kit kitty, kathleen kathy kate, kenneth ken kenny, laura laurie,
lawrence larry laurie, leonard len leo lenny, leopold leo, lewis lew, lillian lily lil, louis lou louie,
louise lou, lucille lucy, madeleine maddie, margaret maggie meg peggy greta daisy madge marge, maria mia,
martha marty, martin marty, mary molly polly mamie, matilda tilly mattie, matthew matt, maximilian max,
melissa mel, michael mike mick micky mikey, mildred millie, mitchell mitch, montgomery monty, nancy nan,
natalie nat, nathaniel nat nate, nathan nate, nicholas nick nicky, nicola nicky, norman norm, oliver ollie,
olivia liv livvy, oscar ozzie, pamela pam, patricia pat patty trish tricia, patrick pat paddy, penelope penny,
percival percy, peter pete, philip phil pip, phillip phil, priscilla cilla, rachel rae, ralph ralphie,
randolph randy, raymond ray, rebecca becky becca, reginald reg reggie, richard rick dick rich ricky,
robert rob bob bobby robbie bert, roberta bobbie, roderick rod, roger rodge, ronald ron ronnie,
rosemary rosie rose, rupert bertie, russell russ, samantha sam, samuel sam sammy, sarah sally sadie, sebastian seb,
sidney sid, simon si, solomon sol, sophia sophie, stanley stan, stephanie steph, stephen steve, steven steve,
susan sue susie suzy, theodora dora thea, theodore ted teddy theo, theresa terry tess, thomas tom tommy,
timothy tim timmy, tobias toby, valerie val, vanessa nessa, veronica ronnie, victor vic, victoria vicky tori,
vincent vince vinnie, virginia ginny, walter walt wally, wilfred wilf, wilhelmina mina minnie,
william will bill billy willy liam, winifred winnie, zachary zach zack
"""


def _table(text: str) -> dict[str, tuple[str, ...]]:
    entries = (entry.split() for entry in text.split(","))
    return {full: tuple(short) for full, *short in entries}


NICKNAMES = _table(_NICKNAMES)
"""Common English short forms by the name in full."""
