// Package mapping decides which physical processor (PP) runs which logical
// process (LP) [004 §3, §4.2].
//
//	Graph (traffic between LPs) ---------+--> Problem --> Greedy  [004 §4.2]
//	Net (routes, distances, turns) ------+            --> Exact   [004 §4.1, full search]
//	Weights A, B --> pair weights -------+            --> Anneal
//
//	graph.go    the traffic between LPs
//	problem.go  the cost function, maps, port loads
//	work.go     the compute term, and moves of single LPs
//	score.go    what a minimiser compares: cost first, or port load first
//	greedy.go   swaps of neighbours, as the paper describes them
//	exact.go    proof of the least cost: deepening depth-first search
//	refine.go   the map with the lightest ports among the cheapest
//	enumerate.go  full enumeration, to check exact.go
//	anneal.go   simulated annealing
//	watch.go    ends a search when its context ends
//
// Paper: the cost function, its meaning on TORUS, the greedy's order and end.
// Chosen: distance and axis changes on HXB and HCB, weights A = 0.1 and
// B = 4.5 of the reference hypothesis, the meaning of "neighbour", the
// second objective (maximum port load), messages between LPs of one PP cost
// nothing.
package mapping
