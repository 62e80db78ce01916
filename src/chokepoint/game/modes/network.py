"""Network: the game ends when the largest piece is no longer larger than one that was cut off."""

from dataclasses import dataclass
from typing import ClassVar

from chokepoint.game.modes.base import NETWORK, Mode, Rule
from chokepoint.graph import Topology


@dataclass(frozen=True)
class Network(Mode):
    """A component is active while it is larger than the largest second piece there ever was."""

    name: ClassVar[str] = "network"
    description: ClassVar[str] = (
        "Cut the network apart: the largest piece stays active until it is no larger than the "
        "largest piece that was cut off."
    )

    def rule(self, topology: Topology) -> Rule:
        return Rule(NETWORK, 0.0, False)
