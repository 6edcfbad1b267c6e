/** Titles and notes of the registered pairs and of their drafts, by their names (specdemo/pairs/registry.py, which a test compares). */

export const words = {
  "registered.stories.title": "Stories (built in)",
  "registered.stories.note": "Two tiny drafts and a target trained for this project on generated stories and public-domain prose.",
  "registered.stories.draft.192": "1 × 192, strong",
  "registered.stories.draft.96": "1 × 96, weak",
  "registered.stories.draft.self": "the target (D = T)",
  "registered.smollm2.note": "A language model that answers instructions, and a draft that was distilled for it in this project.",
  "registered.smollm2.draft.distilled": "distilled for it",
  "registered.smollm2_hub.note": "Downloaded from the hub when you choose it.",
  "registered.gpt2_hub.note": "Downloaded from the hub when you choose it.",
  "registered.qwen3_hub.note": "Downloaded from the hub when you choose it.",
  "registered.qwen3_8b_hub.note": "For a GPU with 20 GB of free memory, where a draft pays beside so large a target. Downloaded from the hub when you choose it.",
  "registered.smollm2_hub.title": "SmolLM2 135M → 360M Instruct (hub)",
  "registered.gpt2_hub.title": "distilgpt2 → gpt2 (hub)",
  "registered.qwen3_hub.title": "Qwen3 0.6B → 1.7B (hub)",
  "registered.qwen3_8b_hub.title": "Qwen3 0.6B → 8B (hub)",
};
