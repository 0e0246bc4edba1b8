// Package network models the interconnections of paper 004 at packet level:
// the hyper-crossbar of the SR2201 (HXB), the torus (TORUS) and the hypercube
// (HCB), with dimension-order routing and contention for ports.
//
//	           HXB, one axis changed                 TORUS, HCB, one hop
//	inj[n] --> xin[n] ==crossbar==> xout[m] --> ...  link[n] --> ...
//	... --> ej[dst] --> delivered
//
// A packet's head reaches a port at clock t, starts there at max(t,
// free[port]), holds the port for its length L and reaches the next port Hop
// clocks after its start: virtual cut-through with unbounded output queues.
// It is delivered L clocks after its start at the last port.
//
//	net.go      kinds, shapes, coordinates, distance and turns
//	route.go    ports and dimension-order routes
//	queue.go    the event queue, ordered by clock, class and id
//	fabric.go   packets that compete for ports
//	state.go    the content of a checkpoint: queue and fabric
//	pattern.go  the eight contention patterns of figure 1
//	load.go     random traffic: the latency of every packet
//
// Paper [004 §2, §4.1]: the three networks, X before Y on the SR2201, which
// patterns congest. Chosen: X before Y on TORUS too, lowest dimension first
// on HCB, the pairs of the patterns (the figure is lost), output queueing
// (free of deadlock, deterministic, and patterns congest as in the paper).
// Derived: a fixed route and FIFO ports keep the packets between
// two nodes in order, as [004 §3] assumes.
package network
