"""Who imports whom: downward only, heavy libraries in their rooms, and a light package."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import pinchpoint

SOURCE = Path(pinchpoint.__file__).parent

# Tools without an opinion about games: they import each other and no room.
TOOLS = (
    *("types", "errors", "checks", "files", "archives", "processes"),
    *("compiled", "rng", "plugins"),
)
# From the ground up: a room may import from the rooms before it.
ROOMS = (
    "graph",
    "order",
    "game",
    "solvers",
    "learning",
    "agents",
    "dismantling",
    "study",
    "paper",
    "web",
    "cli",
)


LIBRARIES = {  # library -> the modules (and what is inside them) where it may be imported
    "torch": ["learning", "agents.learned", "agents.search"],
    "gymnasium": ["", "game.environments"],
    "matplotlib": ["paper.figures"],
    "fastapi": ["web"],
    "starlette": ["web"],
    "sqlalchemy": ["web"],
    "alembic": ["web"],
    "uvicorn": ["web"],
    "numba": ["compiled"],
    "tyro": ["cli"],
    "ray": ["study.parallel"],
}


ADDRESS = r"pinchpoint(\.\w+)+:\w+"


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts).removesuffix("__init__").removesuffix(".")


MODULES = {module_name(path): ast.parse(path.read_text()) for path in SOURCE.rglob("*.py")}


def is_skipped(node: ast.AST) -> bool:
    """Whether a part of a file does not run when it is imported."""
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in ast.dump(node.test)
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


@cache
def imports(tree: ast.AST, on_import: bool = False) -> frozenset[str]:
    """The modules that a file imports anywhere, or only those it imports when it is imported."""
    return frozenset(named_imports(tree, on_import))


def named_imports(tree: ast.AST, on_import: bool) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif (
            isinstance(node, ast.Constant)
            and not on_import
            and re.fullmatch(ADDRESS, str(node.value))
        ):
            yield str(node.value).partition(":")[0]  # an import by string
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written from the package's root"
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"  # a module of a package, or a name in one
                yield inside if inside.removeprefix("pinchpoint.") in MODULES else str(node.module)
        elif not (on_import and is_skipped(node)):
            yield from named_imports(node, on_import)


def own_imports(tree: ast.AST, on_import: bool = False) -> set[str]:
    """The modules of this package among them, by their name inside it."""
    names = {name.removeprefix("pinchpoint.") for name in imports(tree, on_import)}
    return {name for name in names if name in MODULES and name}


def room(module: str) -> str:
    return module.split(".")[0]


def layer(module: str) -> int:
    """Return the place of a module in the house: 0 for tools, then the rooms from the ground."""
    return 0 if module in TOOLS else 1 + ROOMS.index(room(module))


def lives_in(module: str, rooms: list[str]) -> bool:
    return any(module == room or (room and module.startswith(room + ".")) for room in rooms)


def test_every_module_has_a_room() -> None:
    homeless = {name for name in MODULES if name and name not in TOOLS and room(name) not in ROOMS}
    assert not homeless
    for name in ROOMS:
        assert (SOURCE / name / "__init__.py").is_file(), f"{name} is not a package"
        assert ast.get_docstring(MODULES[name]), f"{name} needs a docstring that says what is in it"


@pytest.mark.parametrize("module", sorted(set(MODULES) - {""}))
def test_imports_point_downward(module: str) -> None:
    upward = {other for other in own_imports(MODULES[module]) if layer(other) > layer(module)}
    assert not upward, f"{module} imports {', '.join(sorted(upward))} from above"


def test_packages_do_not_export() -> None:
    """A module is its address: there is one place to look for a name."""
    packages = {p.parent.relative_to(SOURCE) for p in SOURCE.rglob("__init__.py")} - {Path()}
    names = {".".join(package.parts) for package in packages} - {"learning.weights"}
    assert not {name for name in names if len(MODULES[name].body) > 1}


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {name: own_imports(tree, on_import=True) - {name} for name, tree in MODULES.items()}
    finished: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join([*path[path.index(name) :], name])
        if name not in finished:
            for other in graph[name]:
                visit(other, (*path, name))
            finished.add(name)

    for name in graph:
        visit(name, ())


@pytest.mark.parametrize("library", LIBRARIES)
def test_heavy_libraries_stay_in_their_rooms(library: str) -> None:
    guests = {
        module
        for module, tree in MODULES.items()
        if any(name.split(".")[0] == library for name in imports(tree))
    }
    strangers = {module for module in guests if not lives_in(module, LIBRARIES[library])}
    assert not strangers, f"{library} is imported by {', '.join(sorted(strangers))}"


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that a fresh Python has loaded after a statement."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    return {name.split(".")[0] for name in json.loads(answer.stdout)}


HEAVY = {"torch", "matplotlib", "pandas", "fastapi", "sqlalchemy", "PIL", "ray"}


def test_importing_the_package_is_light() -> None:
    assert not loaded_by("import pinchpoint") & (HEAVY | {"numba", "scipy", "tyro", "rich"})


def test_the_engine_needs_no_heavy_library() -> None:
    assert not loaded_by("from pinchpoint import Games, get_mode, sample_boards") & HEAVY


def test_the_command_line_answers_before_it_imports() -> None:
    help_page = """
import contextlib, io, pinchpoint.cli.main
with contextlib.redirect_stdout(io.StringIO()):
    pinchpoint.cli.main.main(["--help"])
"""
    assert not loaded_by(help_page) & (HEAVY | {"numba", "tyro"})


def test_public_names_are_there() -> None:
    for name in pinchpoint.__all__:
        assert getattr(pinchpoint, name) is not None
    assert set(pinchpoint.__all__) == set(dir(pinchpoint))
    with pytest.raises(AttributeError, match="nonsense"):
        pinchpoint.nonsense  # noqa: B018


def test_type_checkers_see_the_public_names_where_they_live() -> None:
    [block] = [node for node in MODULES[""].body if isinstance(node, ast.If)]
    typed = {
        alias.name: str(node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert typed == {name: f"pinchpoint.{home}" for name, home in pinchpoint._HOMES.items()}
