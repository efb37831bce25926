"""English words that a shortening must know by name."""

from __future__ import annotations

from adstudio.drafting.text.language.grammar import Word, verb_lemmas, word_set

NOMINAL = word_set("NOUN PROPN PRON NUM")
VERBAL = word_set("VERB AUX")
NEGATIONS = word_set(
    "no not n't n’t never nobody none nothing nowhere neither nor without cannot no-one hardly barely scarcely seldom "
    "rarely few little unable nearly almost"
)
"""Without these the sentence says something else: real negations, and words that come near to one."""
PLACE_VERBS = word_set(
    "put place set lay lie stand sit hang rest lean perch live stay remain keep stick tuck go come head lead get make "
    "step slip look gaze stare glance peer point reach turn belong consist depend rely stretch extend seem appear feel "
    "sound become be settle crouch squat climb dip thrust fix stuff shove load tie hide pass move bring take throw "
    "toss hurl slide hand give lower aim press drop pour tip burst break "
    "pull sweep park wheel stride crash leap star wrap drape wipe hurry rush spread smear tug drag creep "
    "crawl walk run stroll dash lurch push pitch yank slam "
    "whirl spin race rush sail slap sling stamp blow barrel feed cruise drive glide"
)
"""Verbs that say little without where, whither or how: one complement must stay."""
_WITH_THEIR_VERBS = {
    "among": "divide share distribute",
    "around": "wrap put bustle",
    "at": "shake gasp look stare gaze glance glare point aim shoot fire star jab paw claw pick peck nibble scoff",
    "back": "put",
    "by": "grab take",
    "for": "have mistake trade swap exchange sentence part look wait reach ask work head make dash care search opt "
    "account fumble scrabble grope rummage long yearn",
    "against": "hold press lean clutch hug",
    "from": "pick pluck steal stop prevent take tear rip wrench",
    "in": "bathe drench soak bury lock cover wrap dress plug log fill break give take bring let kick close",
    "into": "point turn break burst stare star slam bump delve launch",
    "like": "look",
    "of": "consist rid remind accuse rob warn strip cure convince smell reek dispose dream tire",
    "over": "hold pore mull preside gloat",
    "off": "brush wipe knock shake sweep take switch turn",
    "on": "chew gnaw shine yank tug train fix depend rely switch turn put try log pull hold carry work call check "
    "focus pounce tread trample insist dote embark",
    "through": "page leaf flick thumb rifle rummage sift",
    "to": "haul lug heave sentence tie cling chain nail pin stick glue attach add turn hold step listen "
    "belong point refer amount resort cater adhere succumb",
    "up": "pick",
    "with": "pelt shower present provide load stuff replace cover fill crowd spray douse drench sprinkle "
    "smear deal streak decorate fiddle tamper toy meddle cope contend collide grapple side",
}
GOVERNED = frozenset((verb, word) for word, verbs in _WITH_THEIR_VERBS.items() for verb in verbs.split())
"""Verbs with the preposition that belongs to them."""


def is_governed(verb: Word, preposition: str) -> bool:
    """Whether a preposition belongs to a verb; the parser's idea of its base form is not the only one (shines)."""
    return any((lemma, preposition.lower()) in GOVERNED for lemma in (verb.lemma, *verb_lemmas(verb.text.lower())))


_LOOKING = word_set("look glance stare gaze peer peek peep")
LOOKED_WHITHER = word_set(
    "about above across after ahead along around aside at away back before behind below beneath between beyond down "
    "from in inside into left off on onto out outside over past right round through to toward towards under up upon"
)
"""Prepositions and adverbs of where somebody looks."""


def is_looking(word: Word) -> bool:
    """Whether a verb says nothing but that somebody looks, so that it needs where: looks after the train."""
    return word.pos == "VERB" and any(lemma in _LOOKING for lemma in (word.lemma, *verb_lemmas(word.text.lower())))


DIRECTIONS = word_set(
    "up down in out away back off over on inside outside forward forwards backward backwards together apart home "
    "upstairs downstairs around round about along through past across aside ahead there here towards open shut closed "
    "alone onwards indoors outdoors by under loose free "
    "overboard aboard ashore aloft upright skyward skywards upwards downwards homewards sideways seawards"
)
"""Adverbs that are part of what the verb says."""
LOOSE_DIRECTIONS = word_set("away back up down inside upstairs downstairs forward over home outside off out")
"""Of these, the ones that remain complete without the place after them ("away from the house")."""
FIRM_ADJECTIVES = word_set(
    "other same own only such many much few several more most less least enough next last first former fake false "
    "mock toy dead missing unborn half both certain various opposite left right top bottom upper lower front rear "
    "back far near wrong magnifying answering swimming living dining washing sewing shopping waiting parking fishing "
    "dressing drawing operating changing walking rocking chewing frying shaving racing boxing riding hunting carving "
    "battering adding stepping skating bowling betting cooking crossing drilling duelling fencing firing jumping "
    "launching listening paving petting playing printing reading recording rowing sailing shooting skiing speaking "
    "starting steering teaching towing training tuning welding wrecking"
)
"""Adjectives that pick out which or how many, or without which it would be another thing."""
FIRM_ADVERBS = word_set(
    "only just even too so as enough how else no longer more most less least almost nearly about very-nearly ever "
    "half halfway midway once again instead otherwise together apart far close next because yet still"
)
"""Adverbs that are tied to their neighbours."""
INTENSIFIERS = word_set("very quite rather really extremely slightly somewhat entirely completely fairly")
BODY = word_set(
    "foot hand arm leg head eye finger face fist knuckle shoulder knee elbow thumb toe palm cheek forehead ear lip "
    "nose chin gaze weight"
)
CONTAINERS = word_set(
    "bag box bottle tray pile heap stack bunch group crowd line row pair glass cup plate bowl jar tin sack bundle "
    "basket piece sheet flock herd swarm gang band handful pot pan crate case barrel bucket can carton packet pack "
    "slice chunk lump loaf cloud puff trail stream drop pool puddle flood shower set series number couple dozen lot "
    "kind sort type part half full roll ball coil string strand lock ring circle truck load armful queue army team "
    "mug tube drawer shelf shoal burst flash blast gust bed field sea wave mass maze list book volume shade ray beam"
)
"""Nouns with which "of" says what there is: a bag of feathers needs no more, a ceiling of paint does."""
UNSAID_ALONE = word_set(
    "day morning afternoon evening night week month year colour color shape size height width length weight age tone "
    "manner fashion look expression pose posture angle pattern style spin thing mood"
)
"""With "a" before them, or nothing, these say nothing by themselves: on a good day, in bright colours."""
NEEDING_MANNER = word_set("breathe dress behave fare treat act smell taste")
"""Verbs that say little without how, where that is all that follows: dressed nicely, breathing hard."""
IN_VIEW = word_set("view sight")
DEFINITE = word_set("the this that these those")
EMPTY_NOUNS = word_set("direction place space spot room line chance reason need time way")
"""Nouns that say nothing without what they are for: the place for a name."""
GOALS = word_set("to into onto from through at towards toward out off across over under against")
"""Prepositions of where a movement goes or comes from."""
WHITHER = word_set("to into onto towards toward until by with without for like as")
"""Prepositions of a phrase that follows from the verb whatever stands between: hurries (down the steps) to the gate."""
PLACE_NAMES = word_set("GPE LOC FAC DATE TIME EVENT PRODUCT LANGUAGE LAW WORK_OF_ART")
"""Kinds of names that are not people's: they may be left out like other words."""
FIRM_PAIRS = word_set("broken-glass sleeping-bag long-time long-way short-time long-while dark-glasses flat-line")
"""Adjectives that make one thing with their noun."""
COLOURS = word_set(
    "green blue red brown grey gray yellow purple pink orange black white violet scarlet crimson turquoise beige "
    "golden silver mauve maroon lilac"
)
REFERRING = word_set("it its them their they him her themselves itself one ones")
"""Pronouns that may refer to something the sentence has named before."""
RELATIVES = word_set("that which who whose whom")
COMPARISONS = word_set("as so too more less most least such enough")
STATIC = word_set("in on of with at near beside under above behind by for inside between among beneath")
"""Prepositions that may belong to the noun before them as well as to the verb."""
INTO = word_set("into onto down off out against over around round")
"""Prepositions of where a thing is moved to or from: without the place it is not said what is done to it."""
STATIC_ADVERBS = word_set(
    "underneath beneath beside behind below above inside outside around near opposite over under by in on up down here "
    "there across beyond along through off out"
)
"""Adverbs that may be prepositions."""
NO_PLACE = word_set("with without during for after before since until despite like as about by")
"""Prepositions that say how, when or why: they do not serve where a verb wants a place."""
JOINING = word_set("combine join connect separate mix compare merge unite divide exchange link")
"""Verbs that take two things."""
STATES = word_set(
    "lost engrossed immersed absorbed engaged involved steeped mired embroiled clad shrouded bathed surrounded "
    "situated riddled plagued dotted lined equipped confronted preoccupied infested overgrown coated caked smeared "
    "bent intent odds"
)
"""What somebody or something is must be said to the end: lost in thought, clad in black, at odds with the mood."""
ONLY = word_set("just only merely solely both either neither nothing")
"""Before a list these are true of all of it alone."""
GATHERED = word_set("cluster clump complex tangle knot bunch heap pile stack set series")
"""Nouns that say nothing without what is gathered: a condo cluster, a pile of coats."""
FULL_OF = word_set("awash full rife aglow laden strewn littered filled covered crowded packed thick alive")
"""What these are with must be said."""
TWO_OF = word_set("combination mix mixture blend choice cross difference distance")
"""Nouns of two things."""
PERCEPTION = word_set("see watch hear find catch feel leave keep show notice spot observe let")
"""Verbs whose object is what somebody does: "sees a man running"."""
