// Package rhinet models the 64-node PC cluster on which five dynamic load balancing policies were
// measured over RHiNET-2 and over Ethernet [001], down to single packets at ticks of 8 ns.
//
//	    rank 0 .. 63: compute, send, receive, balance      (rank.go)
//	         |  CPU time, in slices where a competitor runs (cpu.go)
//	    host ---- NI / Ethernet link
//	         |  packets                                     (network.go)
//	+--------+---------+              +--------------------+
//	| 4×4 torus of     |     or       | switching hub       |
//	| 8-port switches  |              | 100 Mb/s each way   |
//	|      (torus.go)  |              |           (hub.go)  |
//	+------------------+              +--------------------+
//
// Every rank runs the same program: relax its rows of 8192 equations, check together for
// convergence, exchange the unknowns every few loops, balance every 50 loops. The equations are
// really solved. Reports, splits and changes travel in messages, so a rank knows only what it was
// sent.
//
//	config.go      all parameters, each with its source; Default
//	validate.go    checks of the parameters
//	types.go       names of networks, policies, loads, applications
//	errors.go      parameters, deadlock, no convergence
//	cpu.go         a host's processor and its time slices
//	network.go     events, messages and packets
//	torus.go       RHiNET-2
//	switches.go    its switches and paths: the torus's, or the user's own
//	hub.go         Ethernet
//	rank.go        a rank's operations
//	collective.go  allreduce, exchange, ring, with and without groups
//	balance.go     equation (1) and the splits made with it
//	split.go       reports, and a user's own policy
//	record.go      which rows moved, and what ranks knew
//	knobs.go       every parameter with unit, range and source
//	phase.go       the balancing phases of CLB, DLB, GLB, IGCLB, IGDLB
//	waiting.go     WLB, a policy that takes waiting into account
//	sor.go         the paper's application
//	sweep.go       its arithmetic, several ranks at a time
//	heat.go        an application without a collective
//	sim.go         a run
//	hosts.go       a user's own speeds and loads, by host
//	watch.go       samples over time
//	state.go       the content of a checkpoint
//	result.go      what a run returns
//
// From the paper: topology, link and Ethernet rates, 8192 unknowns, the policies, equation (1),
// 50 loops, groups of 2, the load patterns, the spaced-out gather at 64 nodes. Fitted, each to the
// cell named next to it in config.go: row cost, message cost, node spread, Ethernet factor, gap,
// the competitor's slices, the matrix's dominance and the exchange interval. Chosen: everything
// else, and why. docs/RHINET.md compares the outcome with the paper and says which results are
// predictions and which are fits.
package rhinet
