"""README.md: its links and those of all pages, its example, and the tables of measured rows."""

import importlib.util
import pkgutil
import re
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

FOLDERS = [ROOT, ROOT / "src", *(path for path in (ROOT / "src").rglob("*") if path.is_dir())]


def update_results():
    spec = importlib.util.spec_from_file_location("update_results", ROOT / "docs/update_results.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not link.startswith("http"):
            assert (page.parent / link).exists(), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_in_the_text_are_there(page):
    """Modules and objects (`pinchpoint.study.summary.compare`), and files (`docs/rules.md`)."""
    text = page.read_text(encoding="utf-8")
    for name in re.findall(r"\bpinchpoint(?:\.\w+)+", text):
        assert pkgutil.resolve_name(name) is not None
    for span in re.findall(r"`([^`\n]+)`", text):
        for path in re.findall(r"\b(?:src|benchmarks|docs|examples|tests)/[\w./-]+", span):
            assert (ROOT / path).exists(), path
        for path in re.findall(r"[\w/]+\.py\b", span):
            assert any((folder / path).exists() for folder in FOLDERS), path


def test_the_python_example_runs(capsys):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    exec(code, {})
    assert "moves on average" in capsys.readouterr().out


@pytest.mark.parametrize("table", update_results().TABLES, ids=lambda table: table[1])
def test_tables_are_made_from_the_committed_rows(table):
    module = update_results()
    page, name, file, make = table
    text = page.read_text(encoding="utf-8")
    assert module.filled(text, name, make(pd.read_csv(module.MEASURED / file))) == text


def test_a_table_takes_the_place_of_another():
    filled = update_results().filled
    page = "a\n<!-- results -->\nold\n<!-- end of results -->\nb"
    assert filled(page, "results", "new") == page.replace("old", "new")
    with pytest.raises(ValueError, match="no place for claims"):
        filled(page, "claims", "new")


def test_a_table_of_results():
    columns = {"agent": "flow", "mode": "flow", "p": 0.8, "games": 1000, "mean": 6.02, "low": 5.5}
    columns |= {"high": 6.5, "worst": 9, "par": 5.9, "ratio": 1.02, "at_par": 0.9}
    text = update_results().results(pd.DataFrame([columns]))
    assert "1,000 boards" in text
    assert "| flow | flow | 6.02 (5.50 to 6.50) | 9 | 1.02 | 90% | ≈ 5.9 (1 to 10) |" in text


def test_a_table_of_verdicts():
    rows = [("A.", "Q-learned", "holds"), ("A.", "stronger", "given"), ("B.", "stronger", "x")]
    claims = pd.DataFrame(rows, columns=["claim", "team", "verdict"])
    claims.loc[len(claims)] = ["B.", "Q-learned", "undecided"]
    text = update_results().claims(claims)
    assert "| claim | Q-learned agents | stronger agents |" in text
    assert "| A. | holds | given |\n| B. | undecided | x |" in text


def test_a_table_of_densities():
    module = update_results()
    agents = [(a, m) for m in module.PAPER_MODES for a in ("random", f"{m}-q", m)]
    rows = [
        {
            "agent": agent,
            "mode": mode,
            "p": p,
            "games": 1 if p == 1 else 9,
            "mean": 10 * p,
            "std": p,
        }
        | {"ratio": float("nan") if mode == "noodle" else 1 + p}
        for agent, mode in agents
        for p in (0.5, 1.0)
    ]
    lines = module.densities(pd.DataFrame(rows)).splitlines()
    assert lines[0] == "| agent | playing | p = 0.5 | p = 1 |"
    assert lines[3] == "| network-q | network | 5.00 ± 0.50 (1.50) | 10.0 (2.00) |"
    assert lines[-1] == "| noodle | noodle | 5.00 ± 0.50 | 10.0 |"


def test_a_table_of_larger_boards_shows_agents_in_their_own_mode():
    row = {"agent": "flow-q", "mode": "flow", "size": "40x40", "games": 50, "mean": 12.5}
    row |= {"low": 12.0, "high": 13.0, "worst": 16.0, "ratio": 1.0567, "proven": 1.0}
    others = [row | {"mode": "network"}, row | {"agent": "random"}, row | {"agent": "optimal"}]
    lines = update_results().larger_boards(pd.DataFrame([row, *others])).splitlines()
    expected = "| flow-q | 40 × 40 | 50 | 12.5 (12.0 to 13.0) | 16 | 1.057 | 100% |"
    assert lines[2:] == [expected]


def test_a_reproduction_is_taken_over(tmp_path, monkeypatch):
    module = update_results()
    for name in ("MEASURED", "IMAGES"):
        monkeypatch.setattr(module, name, tmp_path / name)
        (tmp_path / name).mkdir()
    made = tmp_path / "reproduction"
    (made / "figures").mkdir(parents=True)
    for name in module.FIGURES:
        (made / "figures" / f"{name}.png").write_text(name)
    for name in ("summary", "claims", "q_errors"):
        (made / f"{name}.csv").write_text(f"{name}\n1\n")
    row = {"agent": "flow", "mode": "flow", "options": "{}", "size": "40x40", "p": 0.8, "board": 0}
    row |= {"steps": 6, "seconds": 0.5, "par": 5, "proven": True}
    pd.DataFrame([row, row | {"board": 1, "steps": 8}]).to_csv(made / "scaling.csv", index=False)
    module.take_over(made)
    assert (tmp_path / "MEASURED" / "q-errors.csv").read_text() == "q_errors\n1\n"
    [line] = pd.read_csv(tmp_path / "MEASURED" / "larger-boards.csv").to_dict("records")
    assert (line["games"], line["mean"], line["ratio"]) == (2, 7.0, 1.4)
    assert (tmp_path / "IMAGES" / "paper-claims.png").read_text() == "claims"


def test_a_table_of_the_ablation():
    columns = ["learning", "input", "updates", "minutes", "mode", "p", "mean", "sd"]
    cases = [(mode, p) for mode in ("network", "flow") for p in (0.7, 0.8, 0.9)]
    rows = [("Q", "raw", 3143, 12.5, mode, p, 10 * p, p) for mode, p in cases]
    text = update_results().ablation(pd.DataFrame(rows, columns=columns))
    line = "| Q | raw | 3,143 | 12.5 | {} | 7.00 ± 0.70 | 8.00 ± 0.80 | 9.00 ± 0.90 |"
    assert text.splitlines()[2:] == [line.format("network"), line.format("flow")]


def test_the_settings_of_the_paper_are_those_of_the_preset():
    """Every option with a value in docs/paper.md is what the preset `paper` has."""
    from pinchpoint.learning.presets import PRESETS

    page = (ROOT / "docs/paper.md").read_text(encoding="utf-8")
    found = re.findall(r"`--([a-z-]+) ([\d.e-]+)`", page)
    assert len(found) >= 15
    for option, value in found:
        setting = getattr(PRESETS["paper"], option.replace("-", "_"))
        known = setting if isinstance(setting, tuple) else (setting,)
        assert known == (float(value),), option
