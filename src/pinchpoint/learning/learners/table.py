"""The table of learners; a user's own is named by package.module:Name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from pinchpoint.errors import InputError
from pinchpoint.learning.config import TrainConfig
from pinchpoint.learning.learners.base import Learner
from pinchpoint.learning.learners.bellman import BellmanLearner
from pinchpoint.learning.learners.hindsight import HindsightLearner
from pinchpoint.learning.learners.plans import PlansLearner
from pinchpoint.learning.learners.rollouts import RolloutsLearner
from pinchpoint.plugins import load_object

LEARNERS: dict[str, type[Learner]] = {
    "bellman": BellmanLearner,
    "hindsight": HindsightLearner,
    "plans": PlansLearner,
    "rollouts": RolloutsLearner,
}


def get_learner(name: str) -> type[Learner]:
    """Return the learner of that name, or one of the user's own as "package.module:Name"."""
    if name in LEARNERS:
        return LEARNERS[name]
    if ":" not in name:
        raise InputError(
            f"there is no learner {name!r}; choose from {', '.join(LEARNERS)}, "
            "or name your own as package.module:Name"
        )
    found = load_object(name)
    if not (isinstance(found, type) and issubclass(found, Learner)):
        raise InputError(f"{name} is no learner: it must be a subclass of Learner")
    config = getattr(found, "Config", None)
    if not (isinstance(config, type) and issubclass(config, TrainConfig)):
        raise InputError(f"{name} needs a `Config`, a subclass of TrainConfig, for its settings")
    return found


def with_learner(config: TrainConfig, name: str) -> TrainConfig:
    """Return the settings for another learner: those that both have stay, others are defaults."""
    kind = get_learner(name).Config
    shared = {f.name for f in fields(kind)} & {f.name for f in fields(config)}
    return kind(**{**{each: getattr(config, each) for each in shared}, "learner": name})


def config_from_json(data: Any, learner: str | None = None) -> TrainConfig:
    """Return a config as it was saved; settings that this version does not know are an error.

    Cards of version 0.1.0 have the settings of all learners, of which those of its own count. A
    file does not load code: a `learner` of the user's own has to be named.
    """
    if not isinstance(data, dict):
        raise InputError("a saved config is an object of settings")
    name = data.get("learner", "bellman")
    if not isinstance(name, str):
        raise InputError(f"learner is {name!r}; it must be text")
    if name not in LEARNERS and name != learner:
        raise InputError(
            f"the learner {name!r} is not one of ours, and a file alone does not load code; if "
            f"you trust it, say so: --learner {name}"
        )
    kind = get_learner(name).Config
    own = {f.name for f in fields(kind)}
    known = own.union(*({f.name for f in fields(each.Config)} for each in LEARNERS.values()))
    unknown = sorted(set(data) - known)
    if unknown:
        raise InputError(f"the saved config has unknown settings: {', '.join(unknown)}")
    values: dict[str, Any] = {
        k: tuple(v) if isinstance(v, list) else v for k, v in data.items() if k in own
    }
    return kind(**values)
