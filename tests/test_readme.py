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


def test_the_python_example_runs():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(code, {})


@pytest.mark.parametrize("table", update_results().TABLES, ids=lambda table: table[1])
def test_tables_are_made_from_the_committed_rows(table):
    module = update_results()
    page, name, file, make = table
    text = page.read_text(encoding="utf-8")
    assert module.filled(text, name, make(pd.read_csv(module.MEASURED / file))) == text


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
