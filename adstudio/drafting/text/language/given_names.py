"""English given names that are one gender’s, and titles: he or she by the name alone.

Only names that are hardly ever the other’s: no Alex, Sam, Kim or Robin.
"""

from __future__ import annotations

from adstudio.drafting.text.language.grammar import word_set
from adstudio.drafting.text.language.people import MEN, WOMEN, Gender

_HIS = word_set(
    "mr mister sir lord king prince father uncle grandpa brother aaron abraham adam adrian alan albert alfred"
    " andrew anthony antonio arnold arthur barry ben benjamin bernard bill billy bob bobby boris brad brandon"
    " brendan brian bruce bruno carl carlos charles chester christopher clarence claude colin connor craig curtis"
    " cyril damian daniel danny dave david dennis derek dmitri dominic donald doug douglas duncan earl ed eddie"
    " edgar edmund edward edwin elijah elliot emil enrique eric erik ernest ernie ethan eugene felix fernando finn"
    " francisco franklin franz fred frederick gareth gary geoff geoffrey george gerald gilbert giovanni gordon"
    " graham greg gregory gustav hank hans harold harry harvey hector henrik henry herbert herman homer horace"
    " howard hugh hugo ian igor isaac ivan jack jacob jacques jake james jan jared jason jeff jeffrey jerome jerry"
    " jim jimmy joe joel john johnny jonathan jorge jose josef joseph joshua juan julius karl keith ken kenneth"
    " kevin klaus kurt larry lars lawrence leo leon leonard lewis liam louis luca lucas luigi luis luke magnus"
    " malcolm marcus mario mark martin marvin matt matthew maurice michael miguel mike mikael milo mohammed moses"
    " nathan nathaniel ned neil neville nicholas nigel noah norman oliver omar oscar oskar otto owen pablo patrick"
    " paul pedro percy pete peter philip pierre ralph raymond reginald richard rick ricky robert roberto rodney"
    " roger roland ron ronald roy rudolf rufus rupert russell samir samuel scott sean sebastian sergei seth sidney"
    " simon spencer stan stanley stefan stephen steve steven stuart ted theodore thomas tim timothy toby todd tom"
    " tommy tony trevor victor viktor vince vincent vladimir wallace walter warren wayne wilbur wilfred willem"
    " william winston wolfgang xavier zach zachary"
)
_HER = word_set(
    "mrs ms miss madam lady queen princess mother aunt auntie grandma sister abigail ada adele agatha agnes alice"
    " alicia alison amanda amelia amy anastasia angela angelina anita ann anna anne annie anya audrey barbara"
    " beatrice becky belinda bella bernadette beth bethany betty beverly bianca bonnie brenda bridget camilla carla"
    " carmen carol caroline carolyn carrie catherine cecilia celia charlotte chloe christina christine cindy claire"
    " clara claudia colleen cora cordelia daisy daphne debbie deborah delia denise diana diane dolores donna dora"
    " doris dorothy edith edna eileen elaine eleanor elena eliza elizabeth ella ellen elsa elsie emily emma erica"
    " esmeralda esther eva eve evelyn fiona florence frances freda gabriella gemma genevieve georgia georgina"
    " geraldine gertrude gina giulia gladys gloria greta gretchen gwen hanna hannah harriet heather heidi helen"
    " helena helga henrietta hilda ida ines ingrid irene irina isabel isabella isabelle ivy jane janet janice"
    " jeanette jennifer jenny jessica jill joan joanna josephine joyce judith judy julia julie juliet karen kate"
    " katherine kathleen kathy katie kirsten kristin lara laura lauren leila lena lillian lily linda lisa lois"
    " lorraine louise lucia lucille lucy lydia mabel maggie marcia margaret maria marianne marie marina marjorie"
    " marlene martha mary matilda maud maureen maya megan melanie melissa mildred millie mina mira miranda miriam"
    " moira molly mona monica muriel myra nadia nancy naomi natalia natalie natasha nicole nina nora norah norma"
    " olga olive olivia ophelia pamela patricia patty paula pauline peggy penelope petra phoebe phyllis polly"
    " priscilla rachel rebecca rhonda rita roberta rosa rosalind rose rosemary rosie ruth sabrina sally samantha"
    " sandra sara sarah selma serena sheila shirley silvia sofia sonia sophia sophie stella stephanie sue susan"
    " suzanne sylvia tabitha tamara tanya teresa tess tessa theresa tina ulrike ursula valerie vanessa vera veronica"
    " victoria viola violet virginia vivian wanda wendy wilma winifred yvonne zoe"
)


def gender_by_name(name: str) -> Gender | None:
    """He or she for somebody by a name: by a given name or title at its beginning, or who he is at its end: Art Girl.

    None where neither says.
    """
    first, *_, last = [word.rstrip(".") for word in name.lower().split()] * 2 or ("", "")
    if first in _HIS or last in MEN:
        return Gender.HE
    return Gender.SHE if first in _HER or last in WOMEN else None
