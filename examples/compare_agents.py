"""Two agents on the same boards: rows, a summary beside par, and a plain sentence."""

from pathlib import Path
from tempfile import TemporaryDirectory

from pinchpoint import get_mode
from pinchpoint.study.evaluate import Evaluation, sampled_points
from pinchpoint.study.summary import compare, summarise, summary_text

points = sampled_points([get_mode("flow")], sizes=[10], ps=[0.7, 0.8], games=40, seed=1)
matches = [(agent, point) for point in points for agent in ("random", "corehd", "optimal")]

with TemporaryDirectory() as folder:
    rows = Evaluation(matches, Path(folder), seed=1, par_work=1.0).run(jobs=1)

print(summary_text(summarise(rows)))
print(compare(rows, "corehd", "random").sentence())
