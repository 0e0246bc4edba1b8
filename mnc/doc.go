// Package mnc models the MNC parallel computer of paper 000, clock by clock, and
// its autonomous load balancing: up to 128 processor elements (PEs), here up to 1024, that
// communicate only through quad-port RAM boards (QPRs). Each PE touches four
// QPRs and each QPR four PEs, so a PE shares a board with twelve neighbours.
//
//	host --X--> QPR <----> PE <----> QPR <----> PE <----> QPR --Y--> host
//	          source     ^    |                          sink
//	                     |    v
//	              sense, plan, one action:
//	              PROC, XPUT, XGET, YPUT, YGET or a wait
//
// Every PE repeats one loop independently: publish its counts, read its
// neighbours', choose an action, do it. Time is in integer clocks; in each
// clock the PEs whose action ends commit it, then sense and plan from the same
// state. The words that a PE exchanges in an iteration cost clocks of the
// iteration and cross the boards when it begins, in an order of beats
// (exchange). A read that collides with a write is BUSY and paid for again.
//
//	incidence.go  which PE touches which QPR: MNC(n), Net16, checks
//	parse.go      wirings as text
//	qpr.go        the quad-port RAM board: four ports, one clock at a time
//	layout.go     the addresses on a board: status, control words, rings
//	pe.go         a PE: memory, registers, view of its neighbours
//	ability.go    equations (2) and (3): ability PA and the proper load
//	plan.go       which action, how much, with whom, how long
//	give.go       policies: how much to give to whom
//	work.go       data listed by the user
//	knobs.go      every parameter with unit, range and source
//	commit.go     the end of an action, and the exchange of status words
//	host.go       source and sink
//	machine.go    the clock: Step, Run, RunTo, events
//	state.go      the content of a checkpoint
//	stats.go      the statistics of a run
//	conserve.go   where every datum is
//	config.go     all parameters with their sources
//	validate.go   their limits
//	errors.go     usage, deadlock, faults
//	stall.go      why no Y arrives any more: standstill, livelock or slow
//	record.go     which PE gave which datum to which other PE, and why
//
// From the paper [000]: four ports and four QPRs, 1 to 128 PEs, the five
// actions and the quantity that decides each (§4.2, §4.3), the state vector
// (table 1), equations (2) and (3), 8-byte data, 1,000,000 of them, 100 and
// 1000 loops, source QPR26 and sink QPR38. Derived: what follows from those
// (limits of rings, of numbers). Chosen: everything else, above all the wiring,
// the times, the order and amounts of actions and the reading of equation (2);
// the paper's figures are lost. docs/MNC.md gives the reasons.
package mnc
