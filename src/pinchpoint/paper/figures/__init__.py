"""Draw result rows and games. Only this package uses matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pinchpoint.paper.figures.dismantling import dismantling_curves, worst_nodes
from pinchpoint.paper.figures.lines import learning_figure
from pinchpoint.paper.figures.style import our_style, save

__all__ = ["dismantling_curves", "learning_curve", "our_style", "save", "worst_nodes"]


def learning_curve(history: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw the validation of one training run."""
    if history:
        with our_style():
            save(learning_figure({path.parent.name: history}), path.parent, path.stem)
