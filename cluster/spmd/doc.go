// Package spmd models the seven workstations of paper 002: every processor
// runs the same program over its own tasks and tells a neighbour how many
// tasks it has recently finished (its Power). A processor that receives a Power
// smaller than its own requests tasks: the difference of the Powers under the
// proposed policy, one task under the static one.
//
// One processor, after the paper's figure 1:
//
//	Power of others ----> Check Message --- request n tasks ---> its sender
//	                        |       ^
//	tasks received          |       | own last Power
//	      |                 |       |
//	      v                 v     Estimate Load --- Power ---> one reader
//	 Active Queue     Schedule Queue    ^
//	      |  (first)        |           | tasks finished in the interval
//	      +------> Processing Task -----+
//
// Time is in whole microseconds. The model jumps from event to event; a test
// compares it with a machine that steps through every microsecond and visits
// the processors in random order.
//
//	config.go    parameters, each with its source; Paper; Validate
//	topology.go  which processors read whose Power: T*, files
//	family.go    families of topologies: Fano plane, tree and others
//	machine.go   the events of a run: three threads, two queues
//	hosts.go     a user's own speeds, numbers and sizes of tasks
//	request.go   policies: how many tasks to request
//	watch.go     samples over time
//	record.go    which tasks moved, and what processors knew
//	knobs.go     every parameter with unit, range and source
//	result.go    the results of a run, means over seeds
//	state.go     the content of a checkpoint
//	errors.go    parameter and internal errors
//
// Paper [002]: seven processors, three of them loaded (P1, P3, P6), 100 tasks
// each, the two queues and their precedence, the three threads, the rule that
// compares the Powers, the end when tasks run out.
//
// Fitted: task times (both tables), the interval of Estimate Load, sending to
// one reader in turn, and T*, because the paper's figure 2 is lost. T* explains
// the tables and predicts nothing; docs/SPMD.md has the evidence.
//
// Chosen: latency, jitter, random phase, and which tasks can be requested.
package spmd
