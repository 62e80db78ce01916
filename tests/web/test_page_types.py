"""The page's JSDoc types hold: tsc finds no error."""

import subprocess
from pathlib import Path

from machine import HERE, node_modules, node_program, with_node


def tsc(project: Path) -> subprocess.CompletedProcess[str]:
    tool = node_modules() / "typescript" / "bin" / "tsc"
    node = node_program("node")
    command = [node, str(tool), "--project", str(project), "--pretty", "false"]
    return subprocess.run(command, capture_output=True, text=True, env=with_node(node), check=False)


def test_types_of_the_page() -> None:
    result = tsc(HERE / "tsconfig.json")
    assert result.stdout == ""
    assert result.returncode == 0


def test_the_check_finds_a_wrong_type(tmp_path: Path) -> None:
    (tmp_path / "bad.js").write_text(
        "/** @param {number} n */\nexport const f = (n) => n.length;\n"
    )
    settings = (HERE / "tsconfig.json").read_text()
    own = settings.replace("../../src/pinchpoint/web/static/js/**/*.js", "bad.js")
    (tmp_path / "tsconfig.json").write_text(own)
    assert "'length' does not exist" in tsc(tmp_path / "tsconfig.json").stdout
