"""Reasoning and refusals in the text of a response, as servers send them: neither is narration.

Each habit is one of a server or a model that its users reported; the thread is named with it.
"""

from __future__ import annotations

import pytest

pytest.importorskip("httpx2", reason="httpx2 is not installed")

from asking import SCHEMA, an_ask, ask_of, run
from fake_openai import delta, pieces
from fake_server import Act, FakeServer
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.policy import Policy
from adstudio.llm import faults
from adstudio.llm.asides import Aside, aside_in
from adstudio.llm.messages import Chunk, State
from adstudio.llm.openai_protocol import OpenAIProvider, Server
from adstudio.llm.policy_enforcement import host_of
from adstudio.llm.reasoning_markup import ReasoningMarkup, without_reasoning
from adstudio.llm.transport import Transport

pytestmark = pytest.mark.attack(6)

LINE = "A woman crosses."
HABITS = {
    "vllm-project/vllm#21130 (Qwen3, the whole block in content)": f"<think>\nHm.\n</think>\n\n{LINE}",
    "vllm-project/vllm#13125 (opened by the template)": f"Okay, the user wants this.\n</think>\n\n{LINE}",
    "ollama/ollama#18044 (a stray closing tag alone)": f"</think>\n{LINE}",
    "vllm-project/vllm#45687 (MiniMax)": f"<mm:think>Hm.</mm:think>{LINE}",
    "ByteDance-Seed/seed-oss (a budget inside)": (
        f"<seed:think>Hm.<seed:cot_budget_reflect>10 left</seed:cot_budget_reflect>More.</seed:think>{LINE}"
    ),
    "waybarrios/vllm-mlx#599 (Magistral)": f"[THINK]Hm.[/THINK]{LINE}",
    "MoonshotAI/Kimi-VL": f"◁think▷Hm.◁/think▷{LINE}",
    "kekzl/imp#768 (gpt-oss)": (
        f"<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>{LINE}<|return|>"
    ),
    "odysseus-dev/odysseus#4522 (gpt-oss, commentary)": (
        "<|channel|>commentary to=functions.search<|message|>{}<|call|><|start|>assistant"
        f"<|channel|>final<|message|>{LINE}"
    ),
    "ml-explore/mlx-lm#1867 (gpt-oss, constrained)": (
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>" + LINE
    ),
    "Augustas11/macprovider#743 (gpt-oss, marks taken out)": f"analysisWe need to answer.assistantfinal{LINE}",
    "lmstudio-ai/lmstudio-bug-tracker#2013 (Gemma 4)": f"<|channel>thought\nHm.\n<channel|>{LINE}",
    "Blaizzy/mlx-vlm#899 (Gemma 4, no name)": f"<|channel>\nHm.\n<channel|>\n{LINE}",
    "jundot/omlx#2533 (Gemma 4, opened in the prompt)": f"Hm. So.\n<channel|>{LINE}",
    "NousResearch/hermes-agent#6149 (Gemma 4 by the Gemini API)": f"<thought>Hm.</thought>{LINE}",
    "NousResearch/hermes-agent#6149 (scratchpad)": f"<REASONING_SCRATCHPAD>Hm.</REASONING_SCRATCHPAD>\n{LINE}",
    "vllm-project/vllm#14202 (Granite 3.2)": f"Here is my thought process:\n\nHm.\n\nHere is my response:\n\n{LINE}",
    "CohereLabs/command-a-reasoning": (
        f"<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>{LINE}<|END_RESPONSE|>"
    ),
    "tencent/Hunyuan-A13B": f"<think>\nHm.\n</think>\n<answer>\n{LINE}\n</answer>",
    "zai-org/GLM-V (boxed)": f"<think>Hm.</think><|begin_of_box|>{LINE}<|end_of_box|>",
    "ServiceNow/Apriel": f"Here are my reasoning steps:\nHm.\n[BEGIN FINAL RESPONSE]\n{LINE}\n[END FINAL RESPONSE]",
    "NovaSky-AI/SkyThought": (
        f"<|begin_of_thought|>Hm.<|end_of_thought|>\n<|begin_of_solution|>{LINE}<|end_of_solution|>"
    ),
    "jrkropp/open-webui-developer-toolkit#367 (details)": (
        f'<details type="reasoning" done="true">\n<summary>Thought for 3 seconds</summary>\nHm.</details>\n{LINE}'
    ),
    "a page's escapes": f"&lt;think&gt;Hm.&lt;/think&gt;{LINE}",
    "UKGovernmentBEIS/inspect_ai#4385 (nested)": f"<think>Hm. <think>Hm.</think> So.</think>{LINE}",
    "opened by the template and by the model": f"<think>\n<think>Hm.</think>{LINE}",
    "UKGovernmentBEIS/inspect_ai#4385 (closed once too often)": f"<think>Hm.</think>{LINE}</think>",
    "anomalyco/models.dev#494 (again behind the answer)": f"<think>Hm.</think>{LINE}<think>Good.</think>",
    "a fence": f"```thinking\nHm.\n```\n{LINE}",
    "ollama's own console": f"Thinking...\nHm.\n...done thinking.\n\n{LINE}",
    "tinyhumansai/openhuman#6184 (other names)": f'<reasoning effort="low">Hm.</reasoning>{LINE}',
    "capitals and blanks": f"<Thinking>Hm.</ Thinking >{LINE}",
    "nothing thought": f"<think>\n\n</think>\n\n{LINE}",
}
LOST = {
    "never closed": "<think>Hm. A woman in red crosses",
    "nothing behind it": "<think>Hm.</think>\n",
    "closed, and nothing behind it": "Okay, the user wants this.</think>",
    "raullenchai/Rapid-MLX#447 (Gemma 4, neither mark)": "thought\nThe user wants this. A woman crosses.",
    "livekit/agents#6942 (Gemini 3.5)": "thoughtI see a woman.",
    "livekit/agents#6942 (Gemini 3.5, brackets)": "thought[]I see a woman. She crosses.",
    "no marks at all": "Okay, the user wants me to describe the clip. First, I need to look at it.",
    "no marks at all, in another language": "好的，用户让我描述这个视频。",
}


def answered(*acts, ask=None, heard=None):
    async def work():
        async with FakeServer(*acts) as server:
            policy = Policy("on premises", (host_of(server.url),))
            provider = OpenAIProvider(
                Server(f"{server.url}/v1", "Qwen3.5-27B"), policy, Transport(policy, lambda _: None)
            )
            answer = await ask_of(provider, ask, heard)
            await provider.aclose()
            return answer

    return run(work)


def shown(heard):
    """What is left on a screen of chunks that arrived."""
    text = ""
    for chunk in heard:
        text = "" if chunk.restarted else text
        text += chunk.text
    return text


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("text", HABITS.values(), ids=HABITS)
def test_a_thought_in_the_text_is_none_of_the_answer_however_it_is_split(text, size):
    heard: list[Chunk] = []
    answer = answered(Act(blocks=pieces(*[text[at : at + size] for at in range(0, len(text), size)])), heard=heard)
    assert (answer.text.strip(), answer.state, answer.fault) == (LINE, State.COMPLETE, None)
    assert shown(heard).strip() == LINE
    assert without_reasoning(text).strip() == LINE


@pytest.mark.parametrize("reason", ["stop", "length"])
@pytest.mark.parametrize("text", LOST.values(), ids=LOST)
def test_where_there_is_nothing_but_thoughts_that_is_said_and_no_text_is_left(text, reason):
    answer = answered(Act(blocks=pieces(text[:9], text[9:], reason=reason)))
    assert isinstance(answer.fault, faults.ThoughtError)
    assert "reasoning" in answer.why
    assert answer.state is State.FAILED


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
def test_an_answer_that_is_all_in_the_field_of_thoughts_is_said_to_be_that(field):
    # vllm-project/vllm#17357: thinking is off, and the parser takes the answer for thoughts.
    blocks = [delta(**{field: LINE}), delta(reason="stop"), b"data: [DONE]\n\n"]
    answer = answered(Act(blocks=blocks))
    assert isinstance(answer.fault, faults.ThoughtError)
    assert "check its reasoning parser" in answer.why


def test_thoughts_before_a_json_answer_are_none_of_it_and_marks_in_its_texts_stay():
    draft, found = '{"salience_pct": 1, "draft": true}', '{"salience_pct": 4, "text": "<think>Hm.</think>"}'
    for text in (f"<think>Maybe {draft}</think>\n{found}", f"Maybe {draft}\n</think>{found}"):
        answer = answered(Act(blocks=pieces(*text)), ask=an_ask(schema=SCHEMA))
        assert (answer.text.strip(), answer.state) == (found, State.COMPLETE)


@given(st.text(alphabet="<>[]/|`&;thinkTHINK answer{\n◁▷", max_size=60), st.integers(1, 9))
def test_how_a_text_is_split_changes_nothing(text, size):
    def divided(blocks):
        markup, kept = ReasoningMarkup(), ""
        for chunk in [each for block in blocks for each in markup.feed(block)] + list(markup.finish()):
            kept = "" if chunk.restarted else kept
            kept += chunk.text
        return kept

    assert divided([text[at : at + size] for at in range(0, len(text), size)]).strip() == divided([text]).strip()


@pytest.mark.parametrize(
    "text",
    [
        "A sign: [EXIT]. A <b>bold</b> man & his dog, thought-provoking. Here is a man. Analysis begins.",
        "5 < 6 & 7 > 3 `code` x",
        "Thoughtfully she walks to a box. The answer is on the wall.",
        "analysis paralysis, thought the man",
    ],
)
def test_what_only_looks_like_a_mark_is_left_alone(text):
    for size in (1, 4, 1000):
        assert answered(Act(blocks=pieces(*[text[at : at + size] for at in range(0, len(text), size)]))).text == text


REFUSALS = """
I'm sorry, but I can't assist with that.
I’m sorry, I can’t describe this video.
Sorry, but this request violates the guidelines.
I'm sorry.
I apologize, but I am unable to describe this content.
I can't identify people in images.
I won't describe this.
I'm unable to view videos.
I'm afraid I can't help with that.
Unfortunately, I cannot describe this scene.
As an AI language model, I cannot watch videos.
I must decline.
I don't see any video in our conversation.
**I'm sorry, but I can't help with that.**
Assistant: I cannot comply.
This content violates our usage policies.
Es tut mir leid, aber ich kann dabei nicht helfen.
Leider kann ich diese Szene nicht beschreiben.
Ich kann diesen Inhalt nicht beschreiben.
Je suis désolé, mais je ne peux pas décrire cette scène.
Je ne peux pas décrire ce contenu.
Lo siento, pero no puedo ayudar con eso.
No puedo describir este contenido.
Desculpe, mas não posso ajudar com isso.
Sinto muito, mas não consigo.
Mi dispiace, ma non posso aiutarti.
Het spijt me, maar ik kan dit niet beschrijven.
Jag är ledsen, men jag kan inte hjälpa till med det.
Jeg kan ikke beskrive dette.
Valitettavasti en voi auttaa.
Przykro mi, ale nie mogę w tym pomóc.
Omlouvám se, ale s tím nemohu pomoci.
Sajnálom, de ebben nem tudok segíteni.
Îmi pare rău, dar nu pot ajuta.
Nu pot descrie această scenă.
Žao mi je, ne mogu pomoći s time.
Diemžēl es nevaru aprakstīt šo ainu.
Deja, negaliu apibūdinti šios scenos.
Því miður get ég ekki lýst þessu.
Non sono in grado di descrivere questa scena.
Entschuldigung, das kann ich nicht beschreiben.
К сожалению, я не могу описать эту сцену.
Вибачте, я не можу допомогти.
Λυπάμαι, αλλά δεν μπορώ να βοηθήσω.
Üzgünüm, bu konuda yardımcı olamam.
آسف، لا أستطيع المساعدة في ذلك.
抱歉，我无法描述这个视频。
對不起，我無法描述。
申し訳ありませんが、お手伝いできません。
죄송하지만 도와드릴 수 없습니다.
""".strip().split("\n")
NARRATION = """
“I'm sorry, I can't,” she mouths.
"I cannot let you pass," reads the card.
She is sorry and cannot look at him.
Sorry figures huddle by the wall.
I am Legend, says a poster.
We see a woman in red.
The user of the machine steps back.
The video shop is closed.
Your name is written on the wall.
So the man walks off.
First, a boy climbs in.
Now we are in a forest.
Unable to move, she lies still.
Unfortunately for him, the door is locked.
Letters fall from the table.
Ein Mann kann die Tür nicht öffnen.
Der Mann entschuldigt sich.
Il ne peut pas ouvrir la porte.
No puede abrir la puerta.
Não pode abrir a porta.
Non può aprire la porta.
Nie może otworzyć drzwi.
Он не может открыть дверь.
她很抱歉地低下头。
彼は申し訳なさそうに頭を下げる。
죄송한 표정으로 고개를 숙인다.
Nu pot deschide ușa.
Ne mogu otvoriti vrata.
Non sono in grado di aprire la porta.
无法回答，她转身离开。
Unable to continue, she sits down.
Unable to help, he watches.
The task is done.
The instructions are pinned to the wall.
The question is on the board.
Now we have a wide view of the city.
Entschuldigung steht auf dem Zettel.
""".strip().split("\n")


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal_in_the_text_is_a_refusal_and_leaves_no_answer(text):
    assert aside_in(text) is Aside.REFUSAL
    for schema in (None, SCHEMA):
        answer = answered(Act(blocks=pieces(*text)), ask=an_ask(schema=schema))
        assert isinstance(answer.fault, faults.RefusedError)
        assert (answer.state, answer.why.startswith("the model declined: “")) == (State.REFUSED, True)


@pytest.mark.parametrize("text", NARRATION)
def test_narration_is_no_refusal_whatever_words_are_in_it(text):
    assert aside_in(text) is None
