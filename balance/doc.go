// Package balance puts the load balancing policies of all five papers on common ground: the same workers, the
// same network, the same workloads. It measures which part of a policy matters most: what it knows, when it
// acts, how much it moves, and how far. docs/BALANCE.md has the answers.
//
//	         born, done, idle, timer, message
//	world ---------------------------------------> Agent, one per worker
//	  |   <---------------------------------------
//	  |        Tell, Send, Give, Peek, After
//	  |
//	  +-- workers: a queue of units, a CPU that messages take first, a speed over time
//	  +-- fabric: CPU time o per message and g per unit at each end, latency, who sees whom
//	  +-- workload: a bag, a tree, a loop with barriers, or a graph
//
// A policy sees its own Worker only; whatever else it knows it has learned from messages and peeks, which cost CPU
// time. Time is in whole ticks, and events of one tick are in the order of their creation. So a world is the same on
// every computer, whatever else runs at the same time.
//
//	policy.go      the five hooks; policies and messages
//	worker.go      what a policy can do, and what it costs
//	fabric.go      the network: prices, who sees whom, circuits
//	knobs.go       the parameters
//	speed.go       a worker's speed: constant, or time slices
//	workload.go    the six workloads, two open ones, and the bounds for a user's own
//	mesh.go        the graph: which units wait for whose messages
//	tree.go        the tree: children, results
//	world.go       a run: queues, time, the end
//	record.go      what moved in a run, and why
//	stalled.go     why a run does not end
//	measure.go     the results of a run
//	birth.go       the births of units, and the ideal time
//	arrive.go      when units arrive, and how much work they have
//	swf.go         jobs from files of the Parallel Workloads Archive
//	limit.go       the load up to which queues are bounded
//	steady.go      how long open runs must be, or that they are not steady
//	post.go        messages
//	links.go       networks whose links are busy
//	barrier.go     the barrier of a loop, through the CPUs of all workers
//	policies.go    the list of policies, each with its four parts; their files:
//	static.go      the EM-4's six static policies [003]
//	search.go      MLPE [003]
//	mnc.go         the MNC computer's autonomous balancing [000]
//	periodic.go    RHiNET-2's five algorithms, equation (1) [001]
//	power.go       Power, static and proposed [002]
//	mapping.go     the mapping of logical processes [004]
//	ideal.go       bounds that cost nothing: list scheduling, and what queueing theory knows
//	rule.go        random work stealing, two and three choices, and a user's own policy: put together from parts
//	ruleact.go     how a rule moves units
//	set.go         other workers to ask, without a list of all
//	compare.go     all of them at all workloads, on several threads
//	skew.go        how many seeds intervals need
//	sensitivity.go numbers changed, and each policy's best interval
//	rank.go        all cells together: who wins
//	csv.go         rows as a table
//	validation.go  how well each matches its native model, and which check is near a cell
//
// From the papers: the policies. Chosen: the fabric, the sizes of the workloads, and what a policy does at a
// workload for which its paper gives none; the constants that say so are next to the code. A policy of a paper
// is validated when its version here matches the native model (mnc, cluster/rhinet, cluster/spmd, pdes, em4)
// near a cell: docs/balance/valid.csv, which the tests native_*_test.go write.
package balance
