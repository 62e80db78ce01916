"""Schemathesis tests the API against its own description: no 5xx, no answer that it lacks."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import httpx
import pytest
from playing import new_game, random_board

# A request can keep to its schema and still be refused with 422: an invisible name, a board that is
# over before the first move. A body that is too large is refused unread, with 413.
SETTINGS = """
[checks]
positive_data_acceptance.expected-statuses = ["2xx", "403", "404", "409", "422", "429"]
negative_data_rejection.expected-statuses = [
    "400", "403", "404", "405", "409", "413", "415", "422", "429"
]
"""


def run_schemathesis(url: str, examples: int, folder: Path, known: str) -> tuple[int, str]:
    """Run all checks on every operation; return the number of cases and the output."""
    (folder / "schemathesis.toml").write_text(SETTINGS + known)
    command = [str(Path(sys.executable).parent / "schemathesis"), "run", f"{url}/api/openapi.json"]
    command += ["--checks", "all", "--max-examples", str(examples), "--seed", "1", "--no-color"]
    command += ["--phases", "examples,coverage,fuzzing", "--request-timeout", "60"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    output = f"{done.stdout}{done.stderr}\nexit code {done.returncode}"
    counted = re.search(r"(\d[\d,]*) generated", output)
    return int(counted[1].replace(",", "")) if counted else 0, output


def real_names(url: str) -> str:
    """Return settings that put the ids of an existing game and room into requests."""
    with httpx.Client(base_url=url) as client:
        game = new_game(client)
        room = client.post("/api/rooms", json={"title": "R", "boards": [random_board()]}).json()
    names = {
        "path.game_id": game["id"],
        "path.code": room["code"],
        "header.x-room-key": room["key"],
    }
    return "\n[parameters]\n" + "".join(f'"{k}" = "{v}"\n' for k, v in names.items())


@pytest.mark.parametrize(
    ("examples", "least"), [(3, 200), pytest.param(150, 2500, marks=pytest.mark.full)]
)
@pytest.mark.parametrize("real", [False, True])
def test_every_operation_keeps_to_its_description(
    served: str, tmp_path: Path, examples: int, least: int, real: bool
) -> None:
    cases, output = run_schemathesis(served, examples, tmp_path, real_names(served) if real else "")
    print(f"{cases} cases")  # pytest -s shows it
    assert output.endswith("exit code 0"), output[-6000:]
    assert cases >= least


def test_the_description(served: str) -> None:
    described = json.load(urllib.request.urlopen(f"{served}/api/openapi.json"))
    assert len(described["paths"]) >= 20
    for path in described["paths"].values():
        for operation in path.values():
            assert operation["description"]
            assert operation["tags"]
