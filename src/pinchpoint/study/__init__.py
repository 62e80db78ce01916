"""The study: agents × boards → rows → numbers with intervals.

`Evaluation` lets agents play the same boards, on all cores and resumably, and returns a row for
each game beside the par of its board. `summarise` and `compare` turn rows into numbers with 95 %
intervals. The parts are of use by themselves: `play_boards` for one agent, `ParFile` for pars,
`run_all` for any independent pieces of work.

Names are imported when they are first asked for: the summaries need pandas, playing does not.
"""

from typing import TYPE_CHECKING, Any

from pinchpoint.lazy import lazy_attribute

if TYPE_CHECKING:
    from pinchpoint.study.evaluate import AGENT_SEED as AGENT_SEED
    from pinchpoint.study.evaluate import BATCH as BATCH
    from pinchpoint.study.evaluate import AgentFault as AgentFault
    from pinchpoint.study.evaluate import Evaluation as Evaluation
    from pinchpoint.study.evaluate import Match as Match
    from pinchpoint.study.evaluate import Point as Point
    from pinchpoint.study.evaluate import Progress as Progress
    from pinchpoint.study.evaluate import file_points as file_points
    from pinchpoint.study.evaluate import game_tasks as game_tasks
    from pinchpoint.study.evaluate import network_points as network_points
    from pinchpoint.study.evaluate import play_boards as play_boards
    from pinchpoint.study.evaluate import play_task as play_task
    from pinchpoint.study.evaluate import sampled_points as sampled_points
    from pinchpoint.study.par import Par as Par
    from pinchpoint.study.par import ParFile as ParFile
    from pinchpoint.study.par import par_tasks as par_tasks
    from pinchpoint.study.par import solve_task as solve_task
    from pinchpoint.study.parallel import run_all as run_all
    from pinchpoint.study.results import Played as Played
    from pinchpoint.study.results import ResultsFolder as ResultsFolder
    from pinchpoint.study.results import check_row_format as check_row_format
    from pinchpoint.study.results import put_rows as put_rows
    from pinchpoint.study.results import read_rows as read_rows
    from pinchpoint.study.results import write_rows as write_rows
    from pinchpoint.study.summary import GAME as GAME
    from pinchpoint.study.summary import SUMMARY_HEADER as SUMMARY_HEADER
    from pinchpoint.study.summary import Comparison as Comparison
    from pinchpoint.study.summary import Interval as Interval
    from pinchpoint.study.summary import bootstrap as bootstrap
    from pinchpoint.study.summary import compare as compare
    from pinchpoint.study.summary import each_board_once as each_board_once
    from pinchpoint.study.summary import figures as figures
    from pinchpoint.study.summary import markdown as markdown
    from pinchpoint.study.summary import mean_interval as mean_interval
    from pinchpoint.study.summary import paired as paired
    from pinchpoint.study.summary import ratio_interval as ratio_interval
    from pinchpoint.study.summary import summarise as summarise
    from pinchpoint.study.summary import summary_lines as summary_lines
    from pinchpoint.study.summary import summary_text as summary_text
    from pinchpoint.study.true_q import REGRETS as REGRETS
    from pinchpoint.study.true_q import q_error_row as q_error_row

_HOMES = {  # name -> the module that it lives in
    "AGENT_SEED": "evaluate",
    "BATCH": "evaluate",
    "AgentFault": "evaluate",
    "Evaluation": "evaluate",
    "Match": "evaluate",
    "Point": "evaluate",
    "Progress": "evaluate",
    "file_points": "evaluate",
    "game_tasks": "evaluate",
    "network_points": "evaluate",
    "play_boards": "evaluate",
    "play_task": "evaluate",
    "sampled_points": "evaluate",
    "Par": "par",
    "ParFile": "par",
    "par_tasks": "par",
    "solve_task": "par",
    "run_all": "parallel",
    "Played": "results",
    "ResultsFolder": "results",
    "check_row_format": "results",
    "put_rows": "results",
    "read_rows": "results",
    "write_rows": "results",
    "GAME": "summary",
    "SUMMARY_HEADER": "summary",
    "Comparison": "summary",
    "Interval": "summary",
    "bootstrap": "summary",
    "compare": "summary",
    "each_board_once": "summary",
    "figures": "summary",
    "markdown": "summary",
    "mean_interval": "summary",
    "paired": "summary",
    "ratio_interval": "summary",
    "summarise": "summary",
    "summary_lines": "summary",
    "summary_text": "summary",
    "REGRETS": "true_q",
    "q_error_row": "true_q",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    return lazy_attribute(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return sorted(__all__)
