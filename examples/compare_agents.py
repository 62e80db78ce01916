"""Two agents on the same boards: rows, a summary beside par, and a plain sentence."""

from pathlib import Path
from tempfile import TemporaryDirectory

from pinchpoint import sample_boards
from pinchpoint.study.evaluate import Evaluation
from pinchpoint.study.summary import compare, summarise, summary_text

both = [sample_boards("flow", size=10, p=p, count=40, seed=1) for p in (0.7, 0.8)]
matches = [(agent, boards) for boards in both for agent in ("random", "corehd", "optimal")]

with TemporaryDirectory() as folder:
    rows = Evaluation(matches, Path(folder), seed=1, par_work=1.0).run(jobs=1)

print(summary_text(summarise(rows)))
print(compare(rows, "corehd", "random").sentence())
