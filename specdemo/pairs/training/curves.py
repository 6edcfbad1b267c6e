"""The picture of a run: the target's loss and the drafts' divergence and acceptance over the minutes trained."""

from __future__ import annotations

from pathlib import Path

History = list[dict[str, float]]


def smooth(values: list[float], width: int = 9) -> list[float]:
    """A running mean that is shorter at the ends."""
    half = width // 2
    return [
        sum(values[max(0, i - half) : i + half + 1]) / len(values[max(0, i - half) : i + half + 1])
        for i in range(len(values))
    ]


def draw_curves(histories: dict[str, History], path: Path) -> None:
    """Write a small PNG with one panel a quantity."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 2.8), dpi=90, layout="constrained")
    panels = figure.subplots(1, 3)
    for panel, prefix, title, stage in (
        (panels[0], "loss", "target: cross-entropy (nats a token)", "target"),
        (panels[1], "KL ", "drafts: KL(target ‖ draft)", "drafts"),
        (panels[2], "1-TV ", "drafts: acceptance 1 − TV", "drafts"),
    ):
        history = histories[stage]
        for key in [key for key in history[-1] if key.startswith(prefix)] if history else []:
            rows = [row for row in history if key in row]
            panel.plot(
                [row["minutes"] for row in rows],
                smooth([row[key] for row in rows]),
                label=key.removeprefix(prefix) or "target",
            )
        panel.set_title(title, fontsize=9)
        panel.set_xlabel("minutes", fontsize=8)
        panel.tick_params(labelsize=8)
        panel.grid(alpha=0.3)
        if stage == "drafts":
            panel.legend(fontsize=8)
        values = sorted(row[key] for row in history for key in row if key.startswith(prefix))
        if values:
            low, high = values[0], values[int(0.97 * (len(values) - 1))]
            panel.set_ylim(low - 0.05 * (high - low), high + 0.05 * (high - low))
    figure.savefig(path)
