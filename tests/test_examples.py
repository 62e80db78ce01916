"""Every example runs as it stands, and so does the notebook, cell by cell."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
# What each script must say, so that an example that prints nonsense fails.
SAYS = {
    "compare_agents": "corehd needs",
    "gym_environment": "64 games in lockstep",
    "half_span": "",
    "own_agent": "middle-first needs",
    "play_game": "betweenness needed 3 moves",
    "solve_board": "over: True",
}


def test_every_example_is_listed():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(SAYS)


@pytest.mark.parametrize("name", SAYS)
def test_example(name):
    done = subprocess.run(
        [sys.executable, f"{name}.py"], cwd=EXAMPLES, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert SAYS[name] in done.stdout
    assert done.stdout.strip()


def test_notebook():
    cells = json.loads((EXAMPLES / "tour.ipynb").read_text(encoding="utf-8"))["cells"]
    names: dict[str, object] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            assert not cell["outputs"], "commit the notebook without outputs"
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    assert names["means"]["betweenness"] < names["means"]["random"]
    assert all(solution.proven for solution in names["solutions"])
    assert len(names["rows"]) == 25 * 2 * 2
