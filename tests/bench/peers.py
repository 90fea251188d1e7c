"""One library finding paths for given pairs, in a process of its own: called by paths.py.

    python peers.py NAME EDGES.npy PAIRS.json HOPS LIMIT

Prints a JSON line per pair: seconds, number of paths, and for kgpath the part spent on
measuring the two neighbourhoods.
LIMIT 0 asks for every path. Libraries that cannot stop early compute them all.
"""

from __future__ import annotations

import itertools
import json
import sys
import time

import numpy as np


def kgpath_(edges, n):
    from kgpath.paths.walks import Walker
    from kgpath.storage.index import Index

    labelled = np.column_stack([edges[:, 0], np.zeros(len(edges), dtype=np.int32), edges[:, 1]])
    walker = Walker(Index.from_edges(labelled.astype(np.int32), n))

    def find(one, other, hops, limit):
        start = time.perf_counter()
        with walker.search(one, other, hops) as search:
            searching = time.perf_counter()
            found = search.enumerate(limit or None, 10**12)
            searched = time.perf_counter()
        # Making the neighbourhoods and clearing them away again.
        nearby = searching - start + time.perf_counter() - searched
        return len(found.lengths), nearby

    return find


def networkx_(edges, n):
    import networkx

    graph = networkx.Graph(edges.tolist())

    def find(one, other, hops, limit):
        paths = networkx.all_simple_paths(graph, one, other, cutoff=hops)
        return sum(1 for _ in itertools.islice(paths, limit or None)), 0

    return find


def igraph_(edges, n):
    import igraph

    graph = igraph.Graph(n=n, edges=edges.tolist())

    def find(one, other, hops, limit):
        most = limit or None
        return len(graph.get_all_simple_paths(one, other, maxlen=hops, max_results=most)), 0

    return find


def rustworkx_(edges, n):
    import rustworkx

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(n))
    graph.add_edges_from_no_data([tuple(edge) for edge in edges.tolist()])

    def find(one, other, hops, limit):
        # Its cutoff counts vertices, and min_depth is needed for it to be respected.
        return len(rustworkx.all_simple_paths(graph, one, other, 0, hops + 1)), 0

    return find


def networkit_(edges, n):
    import networkit

    graph = networkit.Graph(n, directed=True)  # it has simple paths for directed graphs only
    for one, other in edges.tolist():
        graph.addEdge(one, other)
        graph.addEdge(other, one)

    def find(one, other, hops, limit):
        search = networkit.distance.AllSimplePaths(graph, one, other, hops)
        try:
            search.run()
        except RuntimeError:  # "source node cannot reach target node"
            return 0, 0
        return search.numberOfSimplePaths(), 0

    return find


def graph_tool_(edges, n):
    import graph_tool
    import graph_tool.topology

    graph = graph_tool.Graph(directed=False)
    graph.add_vertex(n)
    graph.add_edge_list(edges)

    def find(one, other, hops, limit):
        paths = graph_tool.topology.all_paths(graph, one, other, cutoff=hops)
        return sum(1 for _ in itertools.islice(paths, limit or None)), 0

    return find


PEERS = {
    "kgpath": kgpath_,
    "networkit": networkit_,
    "rustworkx": rustworkx_,
    "igraph": igraph_,
    "graph-tool": graph_tool_,
    "networkx": networkx_,
}


def main() -> None:
    name, edges_file, pairs_file, hops, limit = sys.argv[1:]
    edges = np.load(edges_file)
    with open(pairs_file) as file:
        pairs = json.load(file)
    find = PEERS[name](edges, int(edges.max()) + 1)
    find(*pairs[0], int(hops), int(limit))  # warm: compiled code, caches
    for one, other in pairs:
        start = time.perf_counter()
        count, nearby = find(one, other, int(hops), int(limit))
        seconds = time.perf_counter() - start
        print(json.dumps([seconds, count, nearby]), flush=True)


if __name__ == "__main__":
    main()
