"""Schemathesis over the API's own description: no 5xx, no answer that it does not describe."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest


# A request can keep to its schema and still be refused: a name that cannot be seen, a board that is
# over when laid. These are 422 as well.
SETTINGS = """
[checks]
positive_data_acceptance.expected-statuses = ["2xx", "403", "404", "409", "422", "429"]
"""


def run_schemathesis(url: str, examples: int, folder: Path) -> tuple[int, str]:
    """All checks over every operation; the number of cases, and what was printed."""
    (folder / "schemathesis.toml").write_text(SETTINGS)
    report = folder / "report.ndjson"
    command = [str(Path(sys.executable).parent / "schemathesis"), "run", f"{url}/api/openapi.json"]
    command += ["--checks", "all", "--max-examples", str(examples), "--seed", "1", "--no-color"]
    command += ["--phases", "examples,coverage,fuzzing", "--request-timeout", "60"]
    command += ["--report", "ndjson", "--report-ndjson-path", str(report)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=folder, check=False, env=os.environ
    )
    cases = report.read_text().count('"ScenarioFinished"') if report.exists() else 0
    return cases, done.stdout + done.stderr + f"\nexit code {done.returncode}"


@pytest.mark.parametrize("examples", [4, pytest.param(400, marks=pytest.mark.full)])
def test_every_operation_keeps_to_its_description(
    served: str, tmp_path: Path, examples: int
) -> None:
    _, told = run_schemathesis(served, examples, tmp_path)
    assert told.endswith("exit code 0"), told[-6000:]


def test_the_description(served: str) -> None:
    described = json.load(urllib.request.urlopen(f"{served}/api/openapi.json"))
    assert len(described["paths"]) >= 20
    for path in described["paths"].values():
        for operation in path.values():
            assert operation["description"]
            assert operation["tags"]
