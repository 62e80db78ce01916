"""Learning: what a network is shown, the networks, and how self-play trains them.

`train_agent` trains an agent from a `TrainConfig`; `PRESETS` holds the paper's settings and ours.
`load_weights` reads a trained network with its card, `shipped` lists those in the box. Everything
that needs torch is imported when it is first asked for.
"""

from typing import TYPE_CHECKING, Any

from pinchpoint.lazy import lazy_attribute
from pinchpoint.learning.config import PRESETS, TrainConfig, config_from_json
from pinchpoint.learning.weights import Card, load_card, load_weights, save_weights, shipped

if TYPE_CHECKING:
    from pinchpoint.learning.graph_observation import GraphPosition, betweenness_in, show_graphs
    from pinchpoint.learning.learners import greedy_plans
    from pinchpoint.learning.nets import NetEvaluator, Output, QNet, evaluate, threads_for
    from pinchpoint.learning.train import Run, TrainingFailed, saved_config, train_agent

_HOMES = {
    "NetEvaluator": "nets",
    "Output": "nets",
    "GraphPosition": "graph_observation",
    "QNet": "nets",
    "Run": "train",
    "TrainingFailed": "train",
    "betweenness_in": "graph_observation",
    "evaluate": "nets",
    "greedy_plans": "learners",
    "saved_config": "train",
    "show_graphs": "graph_observation",
    "threads_for": "nets",
    "train_agent": "train",
}

__all__ = [
    "PRESETS",
    "Card",
    "GraphPosition",
    "NetEvaluator",
    "Output",
    "QNet",
    "Run",
    "TrainConfig",
    "TrainingFailed",
    "betweenness_in",
    "config_from_json",
    "evaluate",
    "greedy_plans",
    "load_card",
    "load_weights",
    "save_weights",
    "saved_config",
    "shipped",
    "show_graphs",
    "threads_for",
    "train_agent",
]


def __getattr__(name: str) -> Any:
    return lazy_attribute(__name__, _HOMES, name)
