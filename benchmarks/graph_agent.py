"""Measure methods of dismantling on real networks that no agent was trained on.

    pip install topohub "pandapower<3.2" wntr six sympy
    python benchmarks/graph_agent.py                   # networks that are kept aside
    python benchmarks/graph_agent.py --networks tuning
    python benchmarks/graph_agent.py --methods graph best --seconds 60 --out table.csv

Agents learn on random graphs alone. What has to be chosen by hand is chosen on the Internet
topologies of topohub (`tuning`); all networks of the other packages are kept aside: power grids of
pandapower, water networks of wntr, social networks of networkx, and which modules import each other
in a few Python packages.
"""

import argparse
import ast
import csv
import os
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # seconds are those of one core
    os.environ.setdefault(variable, "1")

import networkx as nx  # noqa: E402
import numpy as np  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent.parent / "docs"))
from pack_networks import (  # type: ignore[import-not-found]  # noqa: E402
    internet,
    power,
    social,
    water,
)

from pinchpoint import dismantle  # noqa: E402

FEWEST = 30  # nodes
BEFORE = ("degree", "betweenness:64")  # what the others are compared with
GRIDS = (
    "case30", "case33bw", "case39", "case57", "case89pegase", "case118", "case145", "case300",
    "case_illinois200", "case1354pegase", "case1888rte", "case2848rte", "case2869pegase",
    "case3120sp", "case6470rte", "case6495rte", "case6515rte", "case9241pegase", "GBnetwork",
    "GBreducednetwork", "iceland",
)  # fmt: skip
SOCIAL = (
    "karate_club_graph",
    "davis_southern_women_graph",
    "florentine_families_graph",
    "les_miserables_graph",
)
PACKAGES = ("sympy", "scipy", "pandas", "networkx", "matplotlib", "sqlalchemy", "numba")


def tuning() -> Iterator[tuple[str, nx.Graph]]:
    """Internet topologies of topohub."""
    import topohub  # type: ignore[import-not-found]

    data = Path(topohub.__file__).parent / "data"
    for folder in ("topozoo", "sndlib", "backbone", "caida/2024-08"):
        for file in sorted((data / folder).glob("*.json")):
            key = f"{folder}/{file.stem}"
            yield f"topohub/{key}", internet(key)()


def kept_aside() -> Iterator[tuple[str, nx.Graph]]:
    """All networks of the other packages."""
    import wntr  # type: ignore[import-not-found]

    for key in GRIDS:
        yield f"pandapower/{key}", power(key)()
    for file in sorted((Path(wntr.__file__).parent / "library" / "networks").glob("*.inp")):
        yield f"wntr/{file.stem}", water(str(file))()
    for key in SOCIAL:
        yield f"networkx/{key}", social(key)()
    for package in PACKAGES:
        yield f"imports/{package}", imports_of(package)


def imports_of(package: str) -> nx.Graph:
    """Return which modules of a package import each other, its tests left out."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    root = Path(spec.origin).parent
    modules = {}
    for file in root.rglob("*.py"):
        parts = file.relative_to(root.parent).with_suffix("").parts
        if "tests" not in parts:
            modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    graph = nx.Graph()
    for name, file in sorted(modules.items()):
        tree = ast.parse(file.read_bytes())
        for imported in sorted(imported_by(tree, name, file.stem == "__init__")):
            if imported in modules and imported != name:
                graph.add_edge(name, imported)
    return graph


def imported_by(tree: ast.Module, name: str, is_package: bool) -> set[str]:
    """Return the names that a module imports, as modules or from them."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = name.split(".") if is_package else name.split(".")[:-1]
            base = ".".join(parts[: len(parts) + 1 - node.level]) if node.level else ""
            source = ".".join(filter(None, [base, node.module or ""]))
            found |= {source} | {f"{source}.{alias.name}" for alias in node.names}
    return found


def largest_piece(graph: nx.Graph) -> nx.Graph:
    graph = nx.Graph(graph)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return nx.Graph(graph.subgraph(max(nx.connected_components(graph), key=len)).edges)


def rows(
    chosen: str, methods: list[str], seconds: float, workers: int, most: int
) -> Iterator[dict[str, object]]:
    """Let every method take every network apart."""
    for name, whole in {"tuning": tuning, "kept-aside": kept_aside}[chosen]():
        graph = largest_piece(whole)
        if not FEWEST <= len(graph) <= most:
            continue
        row: dict[str, object] = {"network": name, "nodes": len(graph), "edges": graph.size()}
        for method in methods:
            limit = seconds if method == "best" or method.endswith("+refine") else None
            began = time.process_time()
            (found,) = dismantle(graph, method, seconds=limit, workers=workers)
            row[method] = round(found.metrics.auc, 3)
            row[f"{method} s"] = round(time.process_time() - began, 3)
        if all(row[method] for method in methods):  # a star falls apart at once: no area at all
            yield row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", choices=("kept-aside", "tuning"), default="kept-aside")
    parser.add_argument("--methods", nargs="+", default=["graph", "best"])
    parser.add_argument("--seconds", type=float, default=60.0, help="of best and +refine")
    parser.add_argument("--workers", type=int, default=2, help="processes of best")
    parser.add_argument("--most", type=int, default=40_000, help="nodes of the largest network")
    parser.add_argument("--out", type=Path, help="a CSV file of all rows")
    options = parser.parse_args()
    methods = list(dict.fromkeys([*BEFORE, *options.methods]))
    for method in methods:  # compiles
        dismantle(nx.barabasi_albert_graph(100, 2, seed=1), method, seconds=1.0)
    found = []
    for row in rows(options.networks, methods, options.seconds, options.workers, options.most):
        found.append(row)
        print(*(f"{key} {value}" for key, value in row.items()), sep="  ", flush=True)
    if options.out is not None:
        with open(options.out, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(found[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(found)
    areas = {method: np.array([float(str(row[method])) for row in found]) for method in methods}
    print(f"{len(found)} networks; mean ratio of areas (standard error), total time")
    for method in methods:
        ratios = [areas[method] / areas[base] for base in BEFORE]
        told = "  ".join(
            f"{r.mean():.3f} ({r.std(ddof=1) / len(r) ** 0.5:.3f}) × {base}"
            for r, base in zip(ratios, BEFORE, strict=True)
        )
        spent = sum(float(str(row[f"{method} s"])) for row in found)
        print(f"{method:28} {told}  {spent:8.1f} s")


if __name__ == "__main__":
    main()
