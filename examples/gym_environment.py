"""The game as a Gymnasium environment: one at a time, and a batch of 64 in lockstep."""

import gymnasium
import numpy as np

import pinchpoint  # noqa: F401  (makes the environments known)

rng = np.random.default_rng(0)

env = gymnasium.make("pinchpoint/Flow-v0", size=10, p=0.8)
observation, info = env.reset(seed=1)
total, over = 0.0, False
while not over:
    legal = np.flatnonzero(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(int(rng.choice(legal)))
    total, over = total + reward, terminated or truncated
print(f"one game: reward {total:g}")

batch = gymnasium.make_vec("pinchpoint/Network-v0", num_envs=64, size=10, p=(0.6, 1.0))
observations, infos = batch.reset(seed=1)
finished = 0
for _ in range(100):
    weights = rng.random(infos["action_mask"].shape) * infos["action_mask"]
    observations, rewards, terminated, truncated, infos = batch.step(weights.argmax(axis=1))
    finished += int(terminated.sum())
print(f"64 games in lockstep: {finished} finished in 100 steps")
