"""The study: agents × boards → rows → numbers with intervals.

`Evaluation` lets agents play the same boards, on all cores and resumably, and returns a row for
each game beside the par of its board. `summarise` and `compare` turn rows into numbers with 95 %
intervals. The parts are of use by themselves: `play_boards` for one agent, `Store` for games and
pars, `run_all` for any independent pieces of work.
"""
