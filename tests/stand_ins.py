"""Agents that break the rules or rate squares without weights, and a mode in Python."""

import os
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pinchpoint.game.engine import Games
from pinchpoint.game.modes.base import Component, ComponentMode
from pinchpoint.graph.topology import Topology


@dataclass(frozen=True)
class Large(ComponentMode):
    """A mode in Python that is monotone."""

    name: ClassVar[str] = "large"
    description: ClassVar[str] = "A piece is active while it has more than five squares."

    def is_active(self, component: Component) -> bool:
        return component.size > 5

    def monotone(self, topology: Topology) -> bool:
        return True


class Illegal:
    """Attacks the first square, whatever it is, on its third move."""

    name = "illegal"

    def act(self, games: Games) -> Any:
        first = games.legal.argmax(axis=1)
        return np.where(games.move_counts >= 2, 0, first)


class OffTheBoard:
    name = "off-the-board"

    def act(self, games: Games) -> Any:
        return np.full(len(games), games.topology.n)


class Idle:
    """Stops playing after two moves."""

    name = "idle"

    def act(self, games: Games) -> Any:
        return np.where(games.move_counts >= 2, -1, games.legal.argmax(axis=1))


class Rater:
    """Rates squares by their open neighbours, and so stands in for a learned agent."""

    def __init__(self, name: str = "rater", sign: float = 1.0) -> None:
        self.name, self.sign = name, sign

    def q_values(self, games: Games) -> Any:
        height, width = games.topology.lattice_shape()
        padded = np.pad(games.legal.reshape(-1, height, width), ((0, 0), (1, 1), (1, 1)))
        near = (
            padded[:, :-2, 1:-1].astype(np.float32)
            + padded[:, 2:, 1:-1]
            + padded[:, 1:-1, :-2]
            + padded[:, 1:-1, 2:]
        ).reshape(len(games), -1)
        tilt = np.linspace(0, 0.4, games.topology.n, dtype=np.float32)
        return np.where(games.legal, self.sign * near + tilt - 8, -np.inf)

    def act(self, games: Games) -> Any:
        return np.where(games.done, -1, self.q_values(games).argmax(axis=1))


def make_network(argument: str, seed: int) -> Rater:
    return Rater("network")


def make_flow(argument: str, seed: int) -> Rater:
    return Rater("flow", -1.0)


def make_noodle(argument: str, seed: int) -> Rater:
    return Rater("noodle", 0.5)


def make_search(argument: str, seed: int) -> Rater:
    return Rater(f"search:{argument}", 1.0)


class Counter:
    """Plays the first legal square and notes each call in the file that COUNTER_FILE names."""

    name = "counter"

    def act(self, games: Games) -> Any:
        with open(os.environ["COUNTER_FILE"], "a", encoding="utf-8") as file:
            file.write(f"{len(games)}\n")
        return np.where(games.done, -1, games.legal.argmax(axis=1))
