"""The templates of the prompt generator: `{kind}` is replaced by a word of that kind."""

from __future__ import annotations

from specdemo.pairs.distilling import prompt_templates_knowing, prompt_templates_living, prompt_templates_making

# Kind of task: its share of the prompts, and its templates.
TEMPLATES: dict[str, tuple[float, list[str]]] = {
    **prompt_templates_knowing.TEMPLATES,
    **prompt_templates_living.TEMPLATES,
    **prompt_templates_making.TEMPLATES,
}
