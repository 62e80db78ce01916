"""Learning on graphs: what is shown against networkx, renumbered nodes, whole runs, and play."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from pinchpoint.agents.learned import LearnedAgent
from pinchpoint.agents.registry import get_agent, play_out
from pinchpoint.cli.main import main
from pinchpoint.dismantling import by_network
from pinchpoint.dismantling.methods import make_order
from pinchpoint.dismantling.run import dismantle
from pinchpoint.errors import InputError
from pinchpoint.game.engine import Games
from pinchpoint.game.modes.table import MODES, get_mode
from pinchpoint.game.plans import (
    plan_costs,
    play_all,
    polish,
    prune,
)
from pinchpoint.game.state import ACTIVE
from pinchpoint.graph.box import load_network
from pinchpoint.graph.lattices import LATTICES, lattice
from pinchpoint.graph.random_graphs import RANDOM_GRAPHS, random_graph
from pinchpoint.graph.topology import Topology, from_edges
from pinchpoint.learning import graph_net, graph_observation
from pinchpoint.learning.graph_observation import (
    BOARD_FEATURES,
    FAINT,
    NODE_FEATURES,
    UNIT,
    betweenness_in,
    positions_in,
    show_graphs,
)
from pinchpoint.learning.learners.rollouts import (
    OTHERS,
    RolloutsConfig,
    RolloutsLearner,
    rolled_out,
    short_list,
)
from pinchpoint.learning.nets import QNet, make_net
from pinchpoint.learning.presets import GRAPH, PAPER
from pinchpoint.learning.self_play import greedy_plans
from pinchpoint.learning.train import Run, train_agent
from pinchpoint.learning.weights import Card, shipped
from pinchpoint.order.methods import Task
from pinchpoint.order.refine import area

CARD = Card(mode="shatter", options={}, config={}, version="", updates=0, games=0, hours=0.0)
TINY = replace(
    GRAPH, channels=16, depth=2, sizes=(8, 16), updates=(5, 5), batch=8, replay=50, boards=4,
    tried=3, validate_every=5, validation_games=1, checkpoint_every=5, threads=1, device="cpu",
)  # fmt: skip


def opinionated() -> QNet:
    """A network whose layers have a say, as if it had learned something."""
    torch.manual_seed(0)
    net = make_net("graph", 16, 2)
    torch.nn.init.uniform_(net.policy[-1].weight, -0.3, 0.3)
    return net


def costly(graph: Topology, seed: int = 0) -> Topology:
    costs = np.exp(0.5 * np.random.default_rng(seed).standard_normal(graph.n))
    return replace(graph, costs=costs)


def in_progress(graph: Topology, mode: str, moves: int = 3, **options: Any) -> Games:
    """Games in progress: one on the whole graph, one with failed nodes."""
    opened = np.ones((2, graph.n), dtype=np.uint8)
    opened[1, ::9] = 0
    games = Games(opened, get_mode(mode, **options), graph)
    for step in range(moves):
        games.play(games.random_squares(step))
    return games


# -- what is shown ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", RANDOM_GRAPHS)
@pytest.mark.parametrize("mode", ["network", "shatter"])
def test_the_numbers_of_nodes_are_those_of_networkx(kind: str, mode: str) -> None:
    graph = costly(random_graph(np.random.default_rng(2), 20, 60, kind))
    games = in_progress(graph, mode, moves=1)
    batch = show_graphs(positions_in(games, range(2)), graph.n)
    assert not games.done.all()
    for row in np.flatnonzero(~games.done):
        mine = batch.nodes[batch.board == row].numpy()
        expected = expected_features(games, row)
        assert mine.shape == (games.active_counts[row], len(NODE_FEATURES))
        np.testing.assert_allclose(mine, expected, atol=1e-5)
    assert batch.boards.shape == (2, len(BOARD_FEATURES))
    assert batch.place.tolist() == np.flatnonzero(games.status == ACTIVE).tolist()


def expected_features(games: Games, row: int) -> np.ndarray:
    """The features of the active nodes of one game, by networkx and by taking nodes out."""
    active = np.flatnonzero(games.status[row] == ACTIVE)
    whole = nx.Graph()
    whole.add_nodes_from(range(games.topology.n))
    whole.add_edges_from(games.topology.edges().tolist())
    graph = whole.subgraph(active.tolist())
    core, clustering = nx.core_number(graph), nx.clustering(graph)
    most, deepest = max(dict(graph.degree).values()), max(core.values())
    memory, grows = int(games.memory[row]), games.mode.name == "network"
    costs = games.topology.costs
    between = {}
    for piece in nx.connected_components(graph):
        part = graph.subgraph(piece)
        raw = nx.betweenness_centrality(part, normalized=False)
        # Over ordered pairs, of all (sources, other nodes).
        scale = 2 / (len(piece) * max(len(piece) - 2, 1))
        leading = max(max(raw[v] / costs[v] for v in piece), 1e-12)
        for v in piece:
            lead = raw[v] / costs[v] / leading
            between[v] = raw[v] * scale, max(raw.values()) * scale, lead, piece
    rows = []
    for v in active.tolist():
        share, top, lead, piece = between[v]
        rest = graph.subgraph(piece - {v})
        sizes = [*sorted(map(len, nx.connected_components(rest)), reverse=True), 0, 0]
        size, off = len(piece), len(piece) - 1 - sizes[0]
        over = sizes[0] - max(memory, sizes[1] if grows else 0)
        rows.append(
            [
                np.log1p(graph.degree[v]) / UNIT,
                graph.degree[v] / max(most, 1),
                np.log1p(core[v]) / UNIT,
                core[v] / max(deepest, 1),
                clustering[v],
                np.log1p(off) / UNIT,
                off / size,
                np.sign(over) * np.log1p(abs(over)) / UNIT,
                over / size,
                np.sqrt(share),
                share / max(top, 1e-9),
                size / len(active),
                np.log((1 + size) / (1 + memory)) / UNIT,
                np.log(costs[v] / costs[active].mean()),
                np.log(lead + FAINT) / UNIT,
            ]
        )
    return np.array(rows)


@pytest.mark.parametrize("far_sources", [0, 24])
def test_large_pieces_have_sampled_betweenness_near_the_exact_one(
    far_sources: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = random_graph(np.random.default_rng(3), 250, 300, "delaunay")
    games = in_progress(graph, "shatter", 0)
    column = NODE_FEATURES.index(
        "square root of its betweenness, as a share of all paths in its piece"
    )
    positions = positions_in(games, [0])
    sampled = show_graphs(positions, graph.n, far_sources).nodes[:, column].numpy()
    monkeypatch.setattr(graph_observation, "SOURCES", 10**6)
    exact = show_graphs(positions, graph.n).nodes[:, column].numpy()
    assert not np.array_equal(sampled, exact)
    assert np.corrcoef(sampled, exact)[0, 1] > 0.9


@pytest.mark.parametrize("kind", RANDOM_GRAPHS)
def test_a_fresh_network_attacks_the_node_of_the_highest_betweenness(kind: str) -> None:
    graph = costly(random_graph(np.random.default_rng(6), 20, 60, kind))
    there = nx.Graph(graph.edges().tolist())
    between = nx.betweenness_centrality(there)
    best = max(between, key=lambda v: between[v] / graph.costs[v])
    agent = LearnedAgent("fresh", make_net("graph", 16, 2), CARD)
    whole = Games(np.ones((1, graph.n)), get_mode("shatter", size=1), graph)
    assert agent.act(whole).tolist() == [best]


# -- renumbered nodes ------------------------------------------------------------------------


def renumbered(graph: Topology, seed: int) -> tuple[Topology, np.ndarray]:
    """The same graph with other numbers, and the new number of each node."""
    new = np.random.default_rng(seed).permutation(graph.n)
    other = from_edges(new[graph.edges()], n=graph.n)
    costs = np.empty(graph.n)
    costs[new] = graph.costs
    return replace(other, costs=costs), new


@pytest.mark.parametrize("kind", RANDOM_GRAPHS)
def test_renumbered_nodes_get_the_same_values_and_the_same_play(kind: str) -> None:
    # Different costs tell nodes apart that are otherwise alike: no tie is left to their numbers.
    graph = costly(random_graph(np.random.default_rng(4), 60, 120, kind))
    other, new = renumbered(graph, 1)
    agent = LearnedAgent("fresh", opinionated(), CARD)
    for mode in ("network", "shatter"):
        games = in_progress(graph, mode, 0)
        opened = np.zeros_like(games.laid)
        opened[:, new] = games.laid
        there = Games(opened, mode, other)
        q, moved = (agent.q_values(each) for each in (games, there))
        np.testing.assert_allclose(moved[:, new], q, rtol=1e-4, atol=1e-4)
        for each in (games, there):
            play_out(agent, each)
        for row in range(2):
            assert new[games.history(row)].tolist() == list(there.history(row))


def test_games_on_different_graphs_are_judged_as_if_alone() -> None:
    net, rng = opinionated(), np.random.default_rng(5)
    games = [in_progress(random_graph(rng, 10, 40), "shatter", 2, size=3) for _ in range(4)]
    positions = [position for each in games for position in positions_in(each, range(2))]
    together = net(show_graphs(positions, 40))
    assert together.q.shape == (8, 40)
    for i, each in enumerate(games):
        alone = net(alone_shown := net.observe(each, 0, 2))
        assert alone_shown.width == each.topology.n
        rows = slice(2 * i, 2 * i + 2)
        torch.testing.assert_close(together.q[rows, : each.topology.n], alone.q)
        assert together.q[rows, each.topology.n :].isneginf().all()
        torch.testing.assert_close(together.value[rows], alone.value)


def test_it_has_at_most_100_000_parameters() -> None:
    net = make_net("graph", GRAPH.channels, GRAPH.depth)
    assert sum(p.numel() for p in net.parameters()) <= 100_000


# -- legal, finished games -------------------------------------------------------------------


TOPOLOGIES = {
    **{f"{kind} lattice": (lambda kind=kind: lattice(6, 6, kind)) for kind in LATTICES},
    "torus": lambda: lattice(6, 6, "square", "both"),
    **{
        kind: (lambda kind=kind: random_graph(np.random.default_rng(6), 20, 50, kind))
        for kind in RANDOM_GRAPHS
    },
    "two nodes": lambda: from_edges([(0, 1)]),
    "no edges": lambda: from_edges([], n=4),
    "pieces": lambda: from_edges([(0, 1), (1, 2), (3, 4), (4, 5), (5, 3)], n=8),
    "star": lambda: from_edges([(0, k) for k in range(1, 100)]),
    "karate": lambda: load_network("karate"),
}


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_it_plays_legal_finished_games(topology: str) -> None:
    graph, net = TOPOLOGIES[topology](), opinionated()
    for name in (name for name in MODES if ":" not in name):  # without those of other tests
        if name == "flow" and not graph.sides:
            mode = get_mode("flow", terminals=((0,), (graph.n - 1,)))
        else:
            mode = get_mode(name)
        games = Games(np.ones((1, graph.n), dtype=np.uint8), mode, graph)
        plans = greedy_plans(net, games)  # the engine raises on an illegal move
        games.follow(plans)
        assert games.done.all()


# -- costs -----------------------------------------------------------------------------------


def test_polish_makes_games_cheaper() -> None:
    graph = costly(random_graph(np.random.default_rng(7), 40, 60, "delaunay"))
    games = Games(np.ones((8, graph.n)), "shatter", graph)
    rng = np.random.default_rng(1)
    raw = prune(games, play_all(games, lambda on, rows: on.random_squares(1)), rng)
    better = polish(games, raw, 200, rng)
    assert games.copy().follow(better).sum() == (better >= 0).sum()
    before, after = plan_costs(raw, graph), plan_costs(better, graph)
    assert (after <= before + 1e-6).all()
    assert after.mean() < 0.95 * before.mean()


# -- rounds and runs -------------------------------------------------------------------------


def test_rounds_vary_graph_mode_and_size_and_come_again_the_same() -> None:
    learner = learner_of(replace(GRAPH, seed=1))
    rounds: list[Any] = [learner.round(60, start) for start in range(0, 400, 8)]
    again = learner_of(replace(GRAPH, seed=1))
    for start, one in zip(range(0, 400, 8), rounds, strict=True):
        other = again.round(60, start)
        assert other.graph.fingerprint == one.graph.fingerprint
        assert other.mode == one.mode
        assert not learner.lay(60, start, 1.0).done.any()
    names = [one.mode.name for one in rounds]
    assert 5 <= names.count("network") <= 25  # 15 are expected
    shares = [one.mode.size / one.graph.n for one in rounds if one.mode.name == "shatter"]
    assert min(shares) < 0.05
    assert max(shares) > 0.2
    assert 3 <= sum(not one.graph.unit_costs for one in rounds) <= 25
    fixed: Any = learner_of(GRAPH, size=3)
    sizes = {one.mode.size for one in map(fixed.round, [20] * 9, range(9))
             if one.mode.name == "shatter"}  # fmt: skip
    assert sizes == {3}


def learner_of(config: RolloutsConfig, **options: Any) -> RolloutsLearner:
    net = opinionated()
    return RolloutsLearner(config, get_mode("shatter", **options), net, net)


@pytest.mark.parametrize("mode", ["shatter", "network"])
def test_prices_are_those_of_games_that_go_on_by_betweenness(mode: str) -> None:
    """Each game is played move by move on the engine, with networkx's betweenness."""
    graph = costly(random_graph(np.random.default_rng(9), 30, 40, "delaunay"))
    games = in_progress(graph, mode, 2, **({"size": 5} if mode == "shatter" else {}))
    squares = np.stack([np.flatnonzero(legal)[[0, 3, 7]] for legal in games.legal])
    prices, costs = rolled_out(games, squares, np.random.default_rng(1))
    whole = nx.Graph(graph.edges().tolist())
    for row in range(2):
        for k in range(3):
            game, area, square = games.take([row]), 0.0, int(squares[row, k])
            while not game.done[0]:
                active = whole.subgraph(np.flatnonzero(game.legal[0]).tolist())
                largest = max(nx.connected_components(active), key=len)
                if game.move_counts[0] > games.move_counts[row]:  # the first move is given
                    between = nx.betweenness_centrality(active.subgraph(largest))
                    square = max(sorted(largest), key=lambda v: between[v] / graph.costs[v])
                area += graph.costs[square] * len(largest) / graph.n
                game.play([square])
            made = game.history(0)[games.move_counts[row] :]
            assert costs[row, k] == pytest.approx(graph.costs[list(made)].sum())
            assert prices[row, k] == pytest.approx(area if mode == "shatter" else costs[row, k])


def test_the_short_list_holds_the_best_and_some_after_them() -> None:
    graph = random_graph(np.random.default_rng(3), 60, 60, "delaunay")
    games = in_progress(graph, "shatter", 1, size=5)
    rng = np.random.default_rng(2)
    liked = torch.where(torch.from_numpy(games.legal), torch.randn(games.legal.shape), -torch.inf)
    chosen = short_list(games, liked, 4, rng)
    assert chosen.shape == (2, 4 + OTHERS)
    for row in range(2):
        best = liked[row].argsort(descending=True)[:4]
        assert chosen[row, :4].tolist() == best.tolist()
        assert len(set(chosen[row].tolist())) == 4 + OTHERS
        assert games.legal[row, chosen[row]].all()
    few = in_progress(from_edges([(0, 1), (1, 2)]), "shatter", 0, size=1)
    liked = torch.where(torch.from_numpy(few.legal), 0.0, -torch.inf)
    assert np.take_along_axis(few.legal, short_list(few, liked, 4, rng), axis=1).all()


def test_what_is_remembered_is_shown_again_as_it_was() -> None:
    learner = learner_of(replace(TINY, network_rounds=0.5))
    net = learner.net
    rng = np.random.default_rng(1)
    kept: dict[str, list[np.ndarray]] = {}
    for start in (0, 4, 8):
        for name, column in learner.play(0, 24, start, rng).items():
            kept.setdefault(name, []).append(column)
    batch = {name: np.concatenate(columns) for name, columns in kept.items()}
    output = net(learner.observe(batch, 24))
    tried = torch.from_numpy(batch["squares"].astype(np.int64))
    assert not output.q.gather(1, tried).isneginf().any()  # what is tried is legal
    assert (batch["prices"] > 0).all()
    loss, _ = learner.loss(batch, 24, 0)
    loss.backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in net.parameters())


def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    class Killed(Exception):
        pass

    def kill(run: Run) -> None:
        if run.step == 7:  # the last checkpoint was before
            raise Killed

    mode = get_mode("shatter")
    expected = train_agent(TINY, mode, tmp_path / "whole").learner.player.state_dict()
    out = tmp_path / "killed"
    with pytest.raises(Killed):
        train_agent(TINY, mode, out, progress=kill)
    train_agent(TINY, mode, out, resume=True)
    resumed = load_file(out / "agent.safetensors")
    assert resumed.keys() == expected.keys()
    for name, tensor in expected.items():
        assert np.array_equal(tensor.numpy(), resumed[name].numpy()), name


def test_a_short_run_learns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It plays graphs that it has not seen far better than before, and not worse than degree.

    It has to find out by itself: it does not lean on betweenness, which is good play to begin with.
    """
    config = replace(
        TINY, sizes=(30,), updates=(120,), batch=16, replay=1000, boards=8, tried=5,
        validate_every=10_000, checkpoint_every=10_000, seed=1,
    )  # fmt: skip
    monkeypatch.setattr(graph_net, "LEAN", 0.0)
    train_agent(config, get_mode("shatter"), tmp_path / "run")
    players = {
        "learned": get_agent(f"weights:{tmp_path / 'run' / 'agent.safetensors'}"),
        "fresh": LearnedAgent("fresh", opinionated(), CARD),
        "degree": get_agent("degree"),
    }
    moves = dict.fromkeys(players, 0)
    for number in range(12):
        graph = random_graph(np.random.default_rng([990_001, number]), 25, 40)
        for name, player in players.items():
            games = Games(np.ones((1, graph.n)), "shatter", graph)
            play_out(player, games)
            moves[name] += int(games.move_counts[0])
    assert moves["learned"] <= 1.05 * moves["degree"]
    assert moves["learned"] < 0.85 * moves["fresh"], moves


# -- the agent and the method ----------------------------------------------------------------


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("graph") / "run"
    train_agent(replace(TINY, updates=(2, 2)), get_mode("shatter"), out)
    return out / "agent.safetensors"


def test_the_method_takes_weights_and_ends_where_it_should(weights: Path) -> None:
    graph = random_graph(np.random.default_rng(8), 100, 100, "delaunay")
    order = make_order(Task(graph, 5), f"graph:{weights}").until(Task(graph, 5).goal)
    left = nx.Graph(graph.edges().tolist())
    left.remove_nodes_from(order[:-1].tolist())
    assert max(map(len, nx.connected_components(left))) > 5
    left.remove_node(int(order[-1]))
    assert max(map(len, nx.connected_components(left))) <= 5
    (found,) = dismantle(graph, f"graph:{weights}+reinsert", "network")
    assert len(found.order)


@pytest.mark.parametrize("kind", ["delaunay", "blocks", "tree"])
@pytest.mark.parametrize("round_size", [1000, 40])
def test_pieces_shown_together_fall_as_if_each_were_alone(
    kind: str, round_size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the network, and between its rounds by betweenness: once or more for 40 nodes or more."""
    monkeypatch.setattr(by_network, "ROUND", round_size)
    graph = costly(random_graph(np.random.default_rng(21), 150, 150, kind))
    agent: Any = get_agent("graph")
    left = nx.Graph(graph.edges().tolist())
    due = dict.fromkeys(left, 0)
    expected = []
    while True:
        pieces = [sorted(piece) for piece in nx.connected_components(left)]
        nodes = np.array(min(pieces, key=lambda piece: (-len(piece), piece)))
        if len(nodes) <= 14:  # less than a tenth
            break
        if due[nodes[0]]:
            rating = betweenness_in(graph, nodes, by_network.FAR_SOURCES)
            rounds = due[nodes[0]] - 1
        else:
            (rating,) = agent.preferences_in(graph, [nodes], 14, by_network.FAR_SOURCES)
            rounds = min(len(nodes) // round_size, 3)
        due.update(dict.fromkeys(nodes.tolist(), rounds))
        expected.append(int(nodes[rating.argmax()]))
        left.remove_node(expected[-1])
    assert make_order(Task(graph, 14), "graph").until(Task(graph, 14).goal).tolist() == expected
    order = make_order(Task(graph, 3), "graph").until(Task(graph, 3).goal).tolist()
    assert order[: len(expected)] == expected
    for node in order[len(expected) :]:  # betweenness, which is exact in pieces this small
        piece = left.subgraph(nx.node_connected_component(left, node))
        assert len(piece) == max(map(len, nx.connected_components(left)))
        between = nx.betweenness_centrality(piece, normalized=False)
        worth = {v: between[v] / graph.costs[v] for v in piece}
        assert worth[node] >= max(worth.values()) - 1e-9
        left.remove_node(node)
    assert max(map(len, nx.connected_components(left))) <= 3


def test_betweenness_in_a_small_piece_is_that_of_networkx() -> None:
    graph = costly(random_graph(np.random.default_rng(5), 60, 60, "geometric"))
    found = betweenness_in(graph, np.arange(graph.n), 7)
    between = nx.betweenness_centrality(nx.Graph(graph.edges().tolist()), normalized=False)
    wanted = np.array([between[v] for v in range(graph.n)]) / graph.costs
    assert found == pytest.approx(wanted / wanted.max())


def test_many_nodes_go_at_a_time_on_large_graphs() -> None:
    sizes = (1, 8192, 10_321, 10_322, 16_384, 81_920, 1_000_000)
    assert [by_network.removals(n) for n in sizes] == [1, 1, 1, 2, 8, 1000, 31_250]


def test_reinsertion_helps_where_many_nodes_go_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = random_graph(np.random.default_rng(3), 300, 300, "uniform")
    stop = math.ceil(graph.n / 10) - 1
    plain = make_order(Task(graph, stop), "graph")
    monkeypatch.setattr(by_network, "removals", lambda size: 1 + size // 10)
    hasty = make_order(Task(graph, stop), "graph")
    monkeypatch.setattr(by_network, "ALONE", 100)
    mended = make_order(Task(graph, stop), "graph")
    assert area(mended) < area(hasty)
    assert area(plain) < area(hasty)


def test_the_shipped_agent_takes_networks_apart_sooner_than_degree(capsys: Any) -> None:
    """On networks in the box, none of which it learned from."""
    areas = []
    for name in ("ieee-118", "iceland-grid", "water-net3", "tata", "les-miserables"):
        found = dismantle(load_network(name), ["graph", "degree", "betweenness:64"])
        areas.append([each.metrics.auc for each in found])
    learned, degree, betweenness = np.array(areas).T
    assert (learned / degree).mean() < 0.85
    assert (learned / betweenness).mean() < 1.1
    assert main(["dismantle", "network:karate", "--method", "graph"]) == 0
    assert "graph" in capsys.readouterr().out


def test_the_shipped_agent_plays_the_same_on_renumbered_nodes() -> None:
    graph = costly(random_graph(np.random.default_rng(14), 60, 90, "delaunay"))
    other, new = renumbered(graph, 2)
    agent = get_agent("graph")
    for mode in ("network", "shatter"):
        games = [Games(np.ones((1, graph.n)), mode, each) for each in (graph, other)]
        for each in games:
            play_out(agent, each)
        assert new[games[0].history(0)].tolist() == games[1].history(0)


def test_the_method_takes_networks_for_graphs_only(weights: Path, tmp_path: Path) -> None:
    graph = from_edges([(0, 1), (1, 2)])
    with pytest.raises(InputError, match="lattices only"):
        dismantle(graph, f"graph:{shipped()['flow']}")
    out = tmp_path / "out"
    words = ["dismantle", "network:karate", "--method", f"graph:{weights}", "--out", str(out)]
    assert main(words) == 0
    assert list(out.glob("graph*.order.csv"))


def test_learners_take_lattices_or_graphs(tmp_path: Path) -> None:
    config = replace(PAPER, network="graph", device="cpu")
    with pytest.raises(InputError, match="bellman learns on lattices"):
        train_agent(config, get_mode("shatter"), tmp_path)
    with pytest.raises(InputError, match="rollouts learns on graphs"):
        train_agent(replace(TINY, network="raw"), get_mode("shatter"), tmp_path)
