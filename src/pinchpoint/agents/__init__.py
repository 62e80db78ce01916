"""Agents: whoever chooses squares, `act(games) -> squares`.

`get_agent` makes one by its name, from the table `AGENTS` or from a user's own module. There are
random play, rules of thumb, agents that plan a whole game, search, learned networks, and the moves
that people once made. Learned agents need torch, which is imported when one is asked for.
"""

from typing import TYPE_CHECKING, Any

from pinchpoint.agents.registry import AGENTS, Agent, Entry, check_plays, get_agent, play_out
from pinchpoint.lazy import lazy_attribute

if TYPE_CHECKING:
    from pinchpoint.agents.learned import LearnedAgent, load_agent
    from pinchpoint.agents.search import beam

_HOMES = {
    "LearnedAgent": "learned",
    "beam": "search",
    "load_agent": "learned",
}

__all__ = [
    "AGENTS",
    "Agent",
    "Entry",
    "LearnedAgent",
    "beam",
    "check_plays",
    "get_agent",
    "load_agent",
    "play_out",
]


def __getattr__(name: str) -> Any:
    return lazy_attribute(__name__, _HOMES, name)
