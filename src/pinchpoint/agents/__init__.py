"""Agents: whoever chooses squares, `act(games) -> squares`.

`get_agent` makes one by its name, from the table `AGENTS` or from a user's own module. There are
random play, rules of thumb, agents that plan a whole game, search, learned networks, and the moves
that people once made. Learned agents need torch, which is imported when one is asked for.
"""
