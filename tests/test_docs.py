"""The blocks of these pages run as they stand, in order, each page in a folder of its own."""

import re
import shlex
from pathlib import Path

import pytest

from chokepoint.cli import COMMANDS, main

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ["files.md", "environments.md", "command-line.md", "solvers.md"]


@pytest.mark.parametrize("page", PAGES)
def test_every_block_runs(page: str, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", (DOCS / page).read_text(), re.M | re.S)
    assert blocks
    printed = ""
    for language, text in blocks:
        if language == "python":
            exec(compile(text, page, "exec"), names)
            printed = capsys.readouterr().out
        elif language == "sh":
            for line in text.splitlines():
                program, *arguments = shlex.split(line)
                assert program == "chokepoint"
                assert main(arguments) == 0, (line, capsys.readouterr().err)
        else:
            assert language == "text"
            assert printed == text  # what the block before it prints


def test_every_command_is_documented() -> None:
    page = (DOCS / "command-line.md").read_text()
    table = "".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))
    assert set(re.findall(r"`([a-z]+)`", table)) == set(COMMANDS)
