"""Make docs/networks.md: what is in the box, every method on every network, and a picture.

python docs/make_networks.py
"""

from pathlib import Path

from chokepoint import dismantle, load_network, networks
from chokepoint.paper import worst_nodes

DOCS = Path(__file__).parent
METHODS = (
    "random",
    "degree",
    "kcore",
    "pagerank",
    "ci:2",
    "corehd",
    "corehd+reinsert",
    "spectral",
    "articulation",
    "graph",
    "betweenness:64",
    "betweenness:64+reinsert",
)
PICTURE = "gb-grid"


def main() -> None:
    lines = [
        "# Networks in the box",
        "",
        "Small real networks under free licences, packed by `docs/pack_networks.py` from",
        "packages that anybody can install. `chokepoint.networks()` lists them,",
        "`chokepoint.load_network(NAME)` loads one, and every command that reads a graph takes",
        "`network:NAME`. This page is made by `docs/make_networks.py`.",
        "",
        "| name | what | nodes | edges | from | licence | please cite |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, one in networks().items():
        lines.append(
            f"| `{name}` | {one.title} ({one.kind}) | {one.nodes:,} | {one.edges:,} | "
            f"{one.source} | {one.licence} | {one.cite} |"
        )
    lines += [
        "",
        "## Every method on every network",
        "",
        "AUC at 10 % ([conventions](metrics.md)), seed 0; the lower, the better.",
        "",
        "| network | " + " | ".join(f"`{method}`" for method in METHODS) + " |",
        "|---" * (len(METHODS) + 1) + "|",
    ]
    for name in networks():
        graph = load_network(name)
        found = dismantle(graph, METHODS)
        lines.append(f"| `{name}` | " + " | ".join(f"{o.metrics.auc:.2f}" for o in found) + " |")
        print(lines[-1], flush=True)
        if name == PICTURE:
            worst_nodes(found[-1], 10, DOCS / "images" / "worst-nodes.png")
    lines += [
        "",
        "## The ten worst nodes of a power grid",
        "",
        f"The first ten nodes of `{METHODS[-1]}` on `{PICTURE}`: their loss breaks it soonest.",
        "",
        "![the grid of Great Britain with ten nodes marked](images/worst-nodes.png)",
        "",
    ]
    (DOCS / "networks.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
