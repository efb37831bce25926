"""A model of half a million random numbers that can be shown films: the shape of Qwen3-VL, the sense of none."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from string import printable
from typing import Any

POSITIONS = 8192
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>", "<|vision_start|>", "<|vision_end|>")
SPECIAL += ("<|image_pad|>", "<|video_pad|>")
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{m.role}}\n{% if m.content is string %}{{m.content}}{% else %}"
    "{% for p in m.content %}{% if p.type=='image' or 'image_url' in p or 'image' in p %}"
    "<|vision_start|><|image_pad|><|vision_end|>{% elif p.type=='video' or 'video' in p %}"
    "<|vision_start|><|video_pad|><|vision_end|>{% else %}{{p.text}}{% endif %}{% endfor %}{% endif %}<|im_end|>\n"
    "{% endfor %}<|im_start|>assistant\n{% if enable_thinking is defined and not enable_thinking %}"
    "<think>\n\n</think>\n\n{% endif %}"
)
WEIGHTS = """
import sys, torch
from transformers import AutoConfig, Qwen3VLForConditionalGeneration
torch.manual_seed(7)
model = Qwen3VLForConditionalGeneration(AutoConfig.from_pretrained(sys.argv[1])).to(torch.bfloat16)
model.save_pretrained(sys.argv[1] + "/made")
"""


def make(folder: Path, python: str) -> Path:
    """The model in a folder; its weights are made by vLLM's own Python, which has torch."""
    folder.mkdir()
    ids = _tokenizer(folder)
    for name, said in _files(ids).items():
        (folder / name).write_text(json.dumps(said))
    subprocess.run([python, "-c", WEIGHTS, str(folder)], check=True, capture_output=True, timeout=300)
    (folder / "made" / "model.safetensors").rename(folder / "model.safetensors")
    for file in (folder / "made").iterdir():
        file.unlink()
    (folder / "made").rmdir()
    return folder


def _tokenizer(folder: Path) -> dict[str, int]:
    from tokenizers import Tokenizer, decoders, models, trainers
    from tokenizers.pre_tokenizers import ByteLevel

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = ByteLevel(add_prefix_space=False)  # type: ignore[assignment]
    made.decoder = decoders.ByteLevel()  # type: ignore[assignment]
    letters = [c for c in ByteLevel.alphabet() if c in set(printable) or c == "Ġ"]
    trainer = trainers.BpeTrainer(vocab_size=335, initial_alphabet=letters, special_tokens=list(SPECIAL))
    made.train_from_iterator(["She parks the car and looks at the house. " * 3], trainer)
    made.save(str(folder / "tokenizer.json"))
    (folder / "vocab.json").write_text(json.dumps(made.get_vocab()))
    merges = [
        pair if isinstance(pair, str) else " ".join(pair) for pair in json.loads(made.to_str())["model"]["merges"]
    ]
    (folder / "merges.txt").write_text("#version: 0.2\n" + "\n".join(merges))
    return made.get_vocab()


def _files(ids: dict[str, int]) -> dict[str, Any]:
    text = {
        "model_type": "qwen3_vl_text", "vocab_size": len(ids), "hidden_size": 64, "intermediate_size": 128,
        "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 32,
        "max_position_embeddings": POSITIONS, "rms_norm_eps": 1e-6, "rope_theta": 10000.0,
        "rope_scaling": {"mrope_interleaved": True, "mrope_section": [6, 5, 5], "rope_type": "default"},
        "hidden_act": "silu", "attention_bias": False, "torch_dtype": "bfloat16",
        "eos_token_id": ids["<|im_end|>"], "pad_token_id": ids["<|endoftext|>"], "bos_token_id": ids["<|endoftext|>"],
    }  # fmt: skip
    vision = {
        "model_type": "qwen3_vl", "depth": 2, "hidden_size": 64, "intermediate_size": 128, "num_heads": 2,
        "in_channels": 3, "patch_size": 16, "spatial_merge_size": 2, "temporal_patch_size": 2, "out_hidden_size": 64,
        "num_position_embeddings": 256, "deepstack_visual_indexes": [0, 1], "hidden_act": "gelu_pytorch_tanh",
    }  # fmt: skip
    config = {
        "architectures": ["Qwen3VLForConditionalGeneration"], "model_type": "qwen3_vl",
        "image_token_id": ids["<|image_pad|>"], "video_token_id": ids["<|video_pad|>"],
        "vision_start_token_id": ids["<|vision_start|>"], "vision_end_token_id": ids["<|vision_end|>"],
        "tie_word_embeddings": False, "torch_dtype": "bfloat16", "text_config": text, "vision_config": vision,
    }  # fmt: skip
    words = {
        "tokenizer_class": "Qwen2TokenizerFast", "eos_token": "<|im_end|>", "pad_token": "<|endoftext|>",
        "model_max_length": POSITIONS, "additional_special_tokens": list(SPECIAL), "chat_template": TEMPLATE,
    }  # fmt: skip
    pictures = {
        "do_convert_rgb": True, "do_normalize": True, "do_rescale": True, "do_resize": True, "merge_size": 2,
        "image_mean": [0.5] * 3, "image_std": [0.5] * 3, "patch_size": 16, "temporal_patch_size": 2,
        "rescale_factor": 1 / 255, "resample": 3, "processor_class": "Qwen3VLProcessor",
    }  # fmt: skip
    faces = {
        "image_processor_type": "Qwen2VLImageProcessorFast",
        "size": {"longest_edge": 65536, "shortest_edge": 1024},
    }
    clips = {
        "video_processor_type": "Qwen3VLVideoProcessor", "size": {"longest_edge": 25165824, "shortest_edge": 4096},
        "fps": 2, "min_frames": 4, "max_frames": 768, "do_sample_frames": True,
    }  # fmt: skip
    return {
        "config.json": config,
        "generation_config.json": {"eos_token_id": ids["<|im_end|>"]},
        "tokenizer_config.json": words,
        "preprocessor_config.json": pictures | faces,
        "video_preprocessor_config.json": pictures | clips,
    }
