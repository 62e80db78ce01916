"""Pack the networks in the box from packages that anybody can install.

pip install topohub "pandapower<3.2" wntr six networkx
python docs/pack_networks.py

Every network is undirected, without loops and double edges, and only its largest component is kept.
Names are those of the package; positions are longitude and latitude, or the plan's own x and y.
"""

import gzip
import json
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import networkx as nx

BOX = Path(__file__).parent.parent / "src" / "pinchpoint" / "graph" / "boxed"

CITES = {
    "topohub": "Jurkiewicz, SoftwareX 24, 101540, 2023",
    "pandapower": "Thurner et al., IEEE Trans. Power Syst. 33, 6510, 2018",
    "wntr": "Klise et al., Environ. Modell. Softw. 95, 420, 2017",
}
LICENCES = {
    "topohub": "MIT",
    "pandapower": "BSD 3-Clause",
    "wntr": "BSD 3-Clause (Revised BSD)",
    "networkx": "BSD 3-Clause",
}


def internet(key: str) -> Callable[[], nx.Graph]:
    """A topology of topohub."""

    def load() -> nx.Graph:
        import topohub

        topo = topohub.get(key)
        graph = nx.Graph()
        names = [node.get("name") or str(node["id"]) for node in topo["nodes"]]
        unique = len(set(names)) == len(names)
        called = {}
        for node, name in zip(topo["nodes"], names, strict=True):
            called[node["id"]] = name if unique else f"{name} ({node['id']})"
            position = node.get("pos") or (None, None)
            graph.add_node(called[node["id"]], x=position[0], y=position[1])
        for edge in topo["edges"]:
            graph.add_edge(called[edge["source"]], called[edge["target"]])
        return graph

    return load


def power(key: str) -> Callable[[], nx.Graph]:
    """A grid of pandapower: buses, joined by lines, transformers and closed switches."""

    def load() -> nx.Graph:
        import pandapower.networks as grids

        net = getattr(grids, key)()
        graph = nx.Graph()
        for bus in net.bus.index:
            graph.add_node(int(bus), **bus_position(net, bus))
        graph.add_edges_from(net.line[["from_bus", "to_bus"]].to_numpy().tolist())
        graph.add_edges_from(net.trafo[["hv_bus", "lv_bus"]].to_numpy().tolist())
        if len(net.impedance):
            graph.add_edges_from(net.impedance[["from_bus", "to_bus"]].to_numpy().tolist())
        for three in net.trafo3w[["hv_bus", "mv_bus", "lv_bus"]].to_numpy().tolist():
            graph.add_edges_from([(three[0], three[1]), (three[0], three[2])])
        for bus, other in net.switch[net.switch.et == "b"][["bus", "element"]].to_numpy().tolist():
            graph.add_edge(int(bus), int(other))
        return graph

    return load


def bus_position(net: object, bus: int) -> dict[str, float]:
    """Return x and y of a bus, from either of the places where versions of pandapower keep them."""
    if "geo" in net.bus and isinstance(net.bus.geo.get(bus), str):
        x, y = json.loads(net.bus.geo[bus])["coordinates"]
        return {"x": x, "y": y}
    table = net.get("bus_geodata")
    if table is not None and bus in table.index:
        return {"x": float(table.x[bus]), "y": float(table.y[bus])}
    return {}


def water(key: str) -> Callable[[], nx.Graph]:
    """A model of wntr: junctions, tanks and reservoirs, joined by pipes, pumps and valves."""

    def load() -> nx.Graph:
        import wntr

        model = wntr.network.WaterNetworkModel(key)
        graph = nx.Graph(model.to_graph())
        for _, data in graph.nodes(data=True):
            data["x"], data["y"] = data["pos"]
        return graph

    return load


def social(key: str) -> Callable[[], nx.Graph]:
    return getattr(nx, key)


# name -> (title, kind, package, how to load it)
CHOSEN = {
    "gb-grid": ("The grid of Great Britain", "power", "pandapower", power("GBnetwork")),
    "iceland-grid": ("The grid of Iceland", "power", "pandapower", power("iceland")),
    "ieee-118": ("IEEE 118 bus test case", "power", "pandapower", power("case118")),
    "ieee-300": ("IEEE 300 bus test case", "power", "pandapower", power("case300")),
    "pegase-1354": ("A part of the European grid", "power", "pandapower", power("case1354pegase")),
    "water-net3": ("EPANET example network 3", "water", "wntr", water("Net3")),
    "water-net6": ("A large water network", "water", "wntr", water("Net6")),
    "water-ky10": ("Kentucky water system 10", "water", "wntr", water("ky10")),
    "tata": ("Tata, India", "internet", "topohub", internet("topozoo/TataNld")),
    "wavenet": ("VTL WaveNet", "internet", "topohub", internet("topozoo/VtlWavenet2011")),
    "germany-50": ("Germany, 50 nodes", "internet", "topohub", internet("sndlib/germany50")),
    "karate": ("Zachary's karate club", "social", "networkx", social("karate_club_graph")),
    "les-miserables": ("Les Misérables", "social", "networkx", social("les_miserables_graph")),
}
SOCIAL = {
    "karate": "Zachary, J. Anthropol. Res. 33, 452, 1977",
    "les-miserables": "Knuth, The Stanford GraphBase, 1993",
}


def main() -> None:
    BOX.mkdir(exist_ok=True)
    listed = {}
    for name, (title, kind, package, load) in CHOSEN.items():
        try:
            graph = tidy(load())
        except (ImportError, AttributeError, KeyError, FileNotFoundError) as error:
            print(f"{name}: left out, {error!r}")
            continue
        with (BOX / f"{name}.json.gz").open("wb") as file:
            packed = json.dumps(graph, separators=(",", ":"), ensure_ascii=False).encode()
            file.write(gzip.compress(packed, 9, mtime=0))
        listed[name] = {
            "title": title,
            "kind": kind,
            "nodes": len(graph["nodes"]),
            "edges": len(graph["links"]),
            "source": f"{package} {metadata.version(package)}",
            "licence": LICENCES[package],
            "cite": SOCIAL.get(name) or CITES[package],
        }
        print(name, listed[name]["nodes"], listed[name]["edges"])
    text = json.dumps(listed, indent=1, ensure_ascii=False)
    (BOX / "networks.json").write_text(text + "\n", encoding="utf-8")
    print(sum(path.stat().st_size for path in BOX.iterdir()), "bytes in all")


def tidy(graph: nx.Graph) -> dict[str, object]:
    """Return the largest component as node-link JSON, with positions of all nodes or of none."""
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    graph = graph.subgraph(max(nx.connected_components(graph), key=len))
    nodes = []
    placed = all(graph.nodes[v].get("x") is not None for v in graph)
    for v in graph:
        node = {"id": v}
        if placed:
            node |= {axis: round(float(graph.nodes[v][axis]), 5) for axis in ("x", "y")}
        nodes.append(node)
    return {"nodes": nodes, "links": [{"source": a, "target": b} for a, b in graph.edges]}


if __name__ == "__main__":
    main()
