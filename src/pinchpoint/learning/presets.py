"""Sets of settings to start from, and the command that trains with given settings."""

from __future__ import annotations

from dataclasses import fields

from pinchpoint.learning.config import TrainConfig
from pinchpoint.learning.learners.bellman import BellmanConfig
from pinchpoint.learning.learners.hindsight import HindsightConfig
from pinchpoint.learning.learners.plans import PlansConfig
from pinchpoint.learning.learners.rollouts import RolloutsConfig
from pinchpoint.learning.learners.table import with_learner

PAPER = BellmanConfig()

# Strong play for a few thousandths of the paper's arithmetic.
FAST = PlansConfig(
    network="paths",
    sees="cuts",
    channels=32,
    depth=6,
    leak=0.1,
    sizes=(10, 20),
    updates=(2000, 7000),
    revisit=0.1,
    p_low=0.55,  # below, boards hardly hold together at all
    replay=6000,
    batch=32,
    optimizer="muon",
    learning_rate=0.01,
    final_rate=0.02,
    clip=5.0,
    symmetries=True,
    huber=True,
    epsilon_start=0.25,
    epsilon_end=0.25,
    positions=4,
    replay_ratio=6.0,
    value_weight=1.0,
    validate_every=500,
    checkpoint_every=250,
)

# Q-learning from raw boards, with returns known in hindsight.
Q = HindsightConfig(
    network="residual",
    sees="states",
    channels=32,
    depth=6,
    sizes=(7, 10, 20),
    updates=(300, 1200, 4000),
    revisit=0.1,
    p_low=0.55,
    replay=4000,
    batch=32,
    optimizer="muon",
    learning_rate=0.01,
    final_rate=0.02,
    clip=5.0,
    symmetries=True,
    huber=True,
    epsilon_start=0.5,
    anneal=800,
    n_step=5,
    boards=64,
    sparse=0.5,
    tries=2,
    swaps=300,
    replay_ratio=4.0,
    validate_every=500,
    checkpoint_every=250,
)

# One agent for any graph: look-ahead on random graphs of many kinds.
GRAPH = RolloutsConfig(
    mode="shatter",
    network="messages",
    sees="graph",
    channels=32,
    depth=4,
    sizes=(100, 300),
    updates=(6000, 10_000),
    revisit=0.2,
    network_rounds=0.2,
    p_low=0.85,
    replay=50_000,
    batch=32,
    optimizer="muon",
    learning_rate=0.01,
    final_rate=0.02,
    clip=5.0,
    epsilon_start=0.15,
    epsilon_end=0.15,
    boards=8,
    sparse=0.5,
    tried=7,
    replay_ratio=8.0,
    validate_every=1000,
    validation_games=4,
    checkpoint_every=250,
)

PRESETS: dict[str, TrainConfig] = {"paper": PAPER, "fast": FAST, "q": Q, "graph": GRAPH}


def command_of(config: TrainConfig) -> str:
    """Return the command that trains so: the nearest preset, and the settings that differ."""

    def different(preset: TrainConfig) -> list[str]:
        start = with_learner(preset, config.learner)
        changed = [
            f.name for f in fields(config) if getattr(config, f.name) != getattr(start, f.name)
        ]
        return ["learner"] * (preset.learner != config.learner) + changed

    name = min(PRESETS, key=lambda each: len(different(PRESETS[each])))
    words = ["pinchpoint train --preset", name]
    for setting in different(PRESETS[name]):
        option, value = setting.replace("_", "-"), getattr(config, setting)
        if isinstance(value, bool):
            words.append(f"--{option}" if value else f"--no-{option}")
        else:
            words += [f"--{option}", *map(str, value if isinstance(value, tuple) else [value])]
    return " ".join(words)
