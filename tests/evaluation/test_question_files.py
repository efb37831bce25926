"""Files of questions: JSON and the table for reviewing, as written, as edited in a spreadsheet, and as no file is."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.errors import BadInputError
from adstudio.core.timebase import Span
from adstudio.evaluation.question_file import questions_in, questions_json, read_questions
from adstudio.evaluation.question_table import questions_csv
from adstudio.evaluation.questions import Question, in_use, one_line, question_fault

HOMEWORK = Question(
    "q0001",
    "To whom does Hermione hand her homework?",
    ("Ron", "Snape", "Fred", "George", "Harry"),
    1,
    Span(5_250, 6_000),
    reference="American",
)
TRICKY = Question(
    "é=1",
    '=SUM("a";b), or what?',
    ("-5", "'=x", "@home, then", "“c”", "5"),
    4,
    sequence="Class 1",
    film="Goblet",
    keep=False,
)
ROW = "q0001,American,00:00:05.250 – 00:00:06.000,To whom does Hermione hand her homework?,Ron,Snape,Fred,George,Harry"
HEAD = "id,reference,time,question,a,b,c,d,e,right,keep"


def as_json(**changed) -> bytes:
    fields = {"id": "q1", "time": [1, 2.5], "question": "Who?", "answers": ["A b", "B", "C", "D", "E"], "right": "c"}
    fields = {key: value for key, value in {**fields, **changed}.items() if value is not ...}
    return json.dumps({"format": "adstudio-questions/1", "questions": [fields]}).encode()


def test_the_file_is_as_documented():
    written = json.loads(questions_json([HOMEWORK, TRICKY]))
    assert written == {
        "format": "adstudio-questions/1",
        "questions": [
            {
                "id": "q0001",
                "reference": "American",
                "time": [5.25, 6.0],
                "question": "To whom does Hermione hand her homework?",
                "answers": ["Ron", "Snape", "Fred", "George", "Harry"],
                "right": "b",
            },
            {
                "id": "é=1",
                "film": "Goblet",
                "sequence": "Class 1",
                "question": '=SUM("a";b), or what?',
                "answers": ["-5", "'=x", "@home, then", "“c”", "5"],
                "right": "e",
                "keep": False,
            },
        ],
    }


@pytest.mark.parametrize("write", [questions_json, questions_csv])
def test_it_reads_back_as_it_was_written(write, tmp_path):
    file = tmp_path / "questions"
    file.write_bytes(write([HOMEWORK, TRICKY]))
    assert read_questions(file) == (HOMEWORK, TRICKY)


def test_a_table_cannot_run_as_formulas():
    row = questions_csv([TRICKY]).decode("utf-8-sig").splitlines()[1]
    assert row == 'é=1,Goblet,,Class 1,,"\'=SUM(""a"";b), or what?",\'-5,\'\'=x,"\'@home, then",“c”,5,e,no'


@pytest.mark.parametrize(
    ("row", "keep", "right"),
    [
        (f"{ROW},b,yes", True, 1),
        (f"{ROW},B,No", False, 1),
        (f"{ROW},snape.,", None, 1),
        (f"{ROW},(e),ja", True, 4),
        (f"{ROW},b", None, 1),
    ],
)
def test_a_reviewer_says_which_is_right_and_whether_to_keep_it(row, keep, right):
    found = questions_in(f"{HEAD}\r\n{row}\r\n".encode("utf-8-sig"), "q.csv")
    assert found == (replace(HOMEWORK, keep=keep, right=right),)


@pytest.mark.parametrize("time", ["00:00:05.250 – 00:00:06.000", "5.25-6", "0:05,25 to 6,0", "5.250 --> 00:06"])
def test_a_time_is_one_cell(time):
    rows = f"{HEAD}\n{ROW},b,\n".replace("00:00:05.250 – 00:00:06.000", f'"{time}"')
    assert questions_in(rows.encode(), "q.csv") == (HOMEWORK,)


def test_other_columns_orders_and_separators_are_read():
    rows = [
        "my questions",
        "Remarks;keep;right;e;d;c;b;a;question;time;ID",
        "good;;b;Harry;George;Fred;Snape;Ron;To whom does\t Hermione hand her homework?;5.25 – 6;q0001",
    ]
    assert questions_in("\r\n".join(rows).encode("utf-16"), "q.csv") == (replace(HOMEWORK, reference=""),)


def test_a_table_in_a_spreadsheet_is_read():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (f"{HEAD}".split(","), [*ROW.split(","), "b", "yes"]):
        book.active.append(row)
    written = io.BytesIO()
    book.save(written)
    assert questions_in(written.getvalue(), "q.xlsx") == (replace(HOMEWORK, keep=True),)


def test_what_a_reviewer_rejected_is_not_used():
    assert in_use([HOMEWORK, replace(HOMEWORK, keep=True), TRICKY]) == (HOMEWORK, replace(HOMEWORK, keep=True))


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"answers": ["A", "B", "C", "D"]}, "questions[0].answers: 4 items"),
        ({"answers": ["Ron", "B", "C", "D", " ron. "]}, "questions[0]: its answers a and e are the same"),
        ({"answers": ["Ron", "B", "C", "D", " ?! "]}, "questions[0]: its answer e is empty"),
        ({"right": "f"}, "questions[0].right: “f” is none of the letters a to e"),
        ({"right": ""}, "questions[0].right: “” is none of the letters a to e"),
        ({"right": "ab"}, "questions[0].right: “ab”"),
        ({"right": ...}, "questions[0]: missing key “right”"),
        ({"question": " \n"}, "questions[0]: it has no question"),
        ({"question": "x" * 501}, "questions[0].question: 501 characters"),
        ({"question": "a\u0007b"}, "questions[0]: it has a control character in it"),
        ({"time": ...}, "questions[0]: it has neither a time nor a sequence"),
        ({"time": [3, 1]}, "questions[0].time: ends (1 s) before it starts (3 s)"),
        ({"time": [3]}, "questions[0].time: 1 items"),
        ({"id": ""}, "questions[0]: its id is empty"),
        ({"id": 3}, "questions[0].id: expected a string"),
        ({"keep": "yes"}, "questions[0].keep: expected true or false"),
        ({"film": "f" * 201}, "questions[0].film: 201 characters"),
        ({"more": 1}, "questions[0]: unknown key “more”"),
        ({"m\ud800": 1}, "questions[0]: unknown key “m?”"),
    ],
)
def test_a_fault_of_json_is_named_with_its_place(changed, says):
    with pytest.raises(BadInputError) as raised:
        questions_in(as_json(**changed), "q.json")
    assert str(raised.value).startswith("q.json: ")
    assert says in str(raised.value)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "q is no question file: give JSON, CSV or XLSX"),
        (b"{}", "missing key “format”"),
        (b"{", "not valid JSON"),
        (b'{"format": "adstudio-plan/1", "questions": []}', "format: “adstudio-plan/1” is not “adstudio-questions/1”"),
        (b'{"format": "adstudio-questions/1", "questions": []}', "questions: 0 items; 1 to 20,000 are allowed"),
        (b"1\n00:00:01,000 --> 00:00:02,000\nHello, you; there.\n", "is no question file"),
        (b"\x89PNG\r\n\x1a\n\0\0", "is no question file"),
        (HEAD.encode(), "q has no question: fill in a row of its table"),
        (b"a" * 20_000_001, "too large"),
    ],
)
def test_what_is_no_question_file(data, says):
    with pytest.raises(BadInputError) as raised:
        questions_in(data, "q")
    assert says in str(raised.value)


def test_the_same_id_twice_is_a_fault():
    written = json.loads(as_json())
    written["questions"] *= 2
    with pytest.raises(BadInputError, match=r"questions\[1\]: the id “q1” is there twice"):
        questions_in(json.dumps(written).encode(), "q.json")
    with pytest.raises(BadInputError, match=r"line 4: the id “q0001” is that of line 2 too"):
        questions_in(f"{HEAD}\n{ROW},b,\n\n{ROW},b,\n".encode(), "q.csv")


def test_the_faults_of_a_table_are_named_with_their_lines():
    rows = [
        HEAD,
        f"{ROW},x,",
        f"{ROW},b,perhaps".replace("q0001", "q2"),
        f"{ROW},b,".replace("q0001", "q3").replace("00:00:05.250 –", "at the end of"),
        f"{ROW},b,".replace("q0001", "q4").replace("Fred", "RON"),
        f"{ROW},b,".replace("q0001", "q5").replace("00:00:05.250 – 00:00:06.000", ""),
        f"{ROW},b,".replace("q0001", "q6").replace("00:00:05.250", "99999:00"),
        f"{ROW},b,".replace("q0001", "q7").replace("00:00:05.250", "00:00:07"),
    ]
    with pytest.raises(BadInputError) as raised:
        questions_in("\n".join(rows).encode(), "q.csv")
    assert str(raised.value) == (
        "q.csv: line 2: “x” is none of the letters a to e (right); line 3: “perhaps” is neither yes nor no (keep);"
        " line 4: “at the end of 00:00:06.000” is no time such as 00:01:02.500 – 00:01:04.000;"
        " line 5: its answers a and c are the same; line 6: it has neither a time nor a sequence; and 2 more"
    )


words = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn")), min_size=1, max_size=40).map(
    one_line
)
spans = st.tuples(st.integers(0, 10**7), st.integers(0, 10**5)).map(lambda pair: Span(pair[0], pair[0] + pair[1]))
questions = st.builds(
    Question,
    words, words, st.tuples(*[words] * 5), st.integers(0, 4), st.none() | spans, words, words, words,
    st.none() | st.booleans(),
).filter(lambda question: question_fault(question) == "")  # fmt: skip


@given(st.lists(questions, min_size=1, max_size=4, unique_by=lambda each: each.id))
def test_whatever_can_be_written_reads_back_equal(made):
    for write in (questions_json, questions_csv):
        assert questions_in(write(made), "q") == tuple(made)
