"""The environments' names in Gymnasium's registry, made known when the package is imported.

Gymnasium finds the environments of packages that have been imported, and in no other way. This is
kept apart from `env` so that the import costs a few table entries and not the engine.
"""

ENVIRONMENTS = {
    "chokepoint/Network-v0": {"mode": "network"},
    "chokepoint/Flow-v0": {"mode": "flow"},
    "chokepoint/Noodle-v0": {"mode": "noodle"},
    "chokepoint/Custom-v0": {},  # mode="package.module:Name", or any name in the table of modes
}


def register_environments() -> None:
    """Enter the environments; without the extra `env` there is nothing to enter them in."""
    try:
        from gymnasium.envs.registration import register, registry
    except ImportError:
        return
    for name, kwargs in ENVIRONMENTS.items():
        if name not in registry:
            register(
                id=name,
                entry_point="chokepoint.game.environments:ChokepointEnv",
                vector_entry_point="chokepoint.game.environments:ChokepointVectorEnv",
                kwargs=dict(kwargs),
            )
