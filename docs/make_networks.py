"""Make docs/networks.md: the networks in the box, every method on each of them, and a picture.

python docs/make_networks.py
"""

from pathlib import Path

from pinchpoint import dismantle, load_network, networks
from pinchpoint.paper.figures.dismantling import worst_nodes

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
    "betweenness",
    "betweenness:64",
    "betweenness:64+reinsert",
    "pivots:16",
    "graph",
    "best",
)
SECONDS = 20.0  # of best
PICTURE, PICTURED = "gb-grid", "betweenness"


def main() -> None:
    lines = [
        "# Networks in the box",
        "",
        "Pinchpoint contains small real networks under free licences. `docs/pack_networks.py` made",
        "them from packages that anybody can install.",
        "",
        "`pinchpoint.networks()` lists the networks, and `pinchpoint.load_network(NAME)` loads",
        "one. Every command that reads a graph also takes `network:NAME`. `docs/make_networks.py`",
        "writes this page.",
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
        "The table gives the AUC at 10 % ([definition](metrics.md#conventions)) with seed 0. Lower",
        f"is better. `best` had {SECONDS:.0f} seconds of one core for each network.",
        "",
        "| network | " + " | ".join(f"`{method}`" for method in METHODS) + " |",
        "|---" * (len(METHODS) + 1) + "|",
    ]
    for name in networks():
        graph = load_network(name)
        found = [
            dismantle(graph, method, seconds=SECONDS if method == "best" else None)[0]
            for method in METHODS
        ]
        lines.append(f"| `{name}` | " + " | ".join(f"{o.metrics.auc:.2f}" for o in found) + " |")
        print(lines[-1], flush=True)
        if name == PICTURE:
            marked = found[METHODS.index(PICTURED)]
            worst_nodes(marked, 10, DOCS / "images" / "worst-nodes.png")
    lines += [
        "",
        "## The ten worst nodes of a power grid",
        "",
        f"The picture marks the first ten nodes that `{PICTURED}` removes from `{PICTURE}`.",
        "According to this method, their loss breaks up the grid soonest.",
        "",
        "![the grid of Great Britain with ten marked nodes](images/worst-nodes.png)",
        "",
    ]
    (DOCS / "networks.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
