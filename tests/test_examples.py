"""Every example runs as it stands, and so does the notebook, cell by cell."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_example(path):
    done = subprocess.run(
        [sys.executable, path.name], cwd=EXAMPLES, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_notebook():
    cells = json.loads((EXAMPLES / "tour.ipynb").read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            assert not cell["outputs"], "commit the notebook without outputs"
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    assert names["means"]["betweenness"] < names["means"]["random"]
    assert all(solution.proven for solution in names["solutions"])
    assert len(names["rows"]) == 25 * 2 * 2
