"""The front door of the study: all its names are there, and playing needs no pandas."""

import json
import subprocess
import sys

import pytest

import pinchpoint.study


@pytest.mark.parametrize("name", pinchpoint.study.__all__)
def test_every_name_is_there(name):
    assert getattr(pinchpoint.study, name) is not None


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        pinchpoint.study.nonsense  # noqa: B018


@pytest.mark.parametrize(
    "statement", ["from pinchpoint.study import play_boards", "import pinchpoint.cli.play"]
)
def test_playing_needs_no_pandas(statement):
    code = f"{statement}\nimport json, sys\nprint(json.dumps(list(sys.modules)))"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert not {"pandas", "torch", "joblib"} & set(json.loads(answer.stdout))
