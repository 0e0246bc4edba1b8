// Package sim is emsim as a library: it assembles a dataflow program, builds an EM-4, runs the
// program and shows what the machine did.
//
// # Usage
//
// A program is one included in emsim (Load "fib"), a file (Load "my.s") or a string (Assemble). A
// machine is a Config, usually a preset with some knobs changed, with a program in its memories:
//
//	p, err := sim.Load("fib", nil)
//	c := sim.Prototype80()
//	c.PEs = 12
//	m, err := sim.New(p, c, 1)
//	r, err := m.Run(ctx, 20)
//	fmt.Println(r.Values, r.Clocks, r.Utilisation())
//
// Run executes the program from the first argument to the last word that it sends to the host. The
// next run on the same machine finds the memories as the previous run left them, as on the real
// machine.
//
// To stop in the middle of a run, begin it and advance it:
//
//	err := m.Begin(20)
//	ended, err := m.Advance(ctx, 1000) // to clock 1000 of this run
//	fmt.Println(m.PE(0).Queued)
//	ended, err = m.Advance(ctx, sim.ToEnd)
//	r := m.Result()
//
// A run in progress can be saved and resumed, here, in another process, or by the command (emsim
// run --resume FILE):
//
//	err := m.Save("fib.ckp")
//	m, err := sim.Restore("fib.ckp")
//
// An observer gets everything that the machine does, clock by clock: see Observe and package trace.
// It cannot change anything. Trace writes the files that the command writes (text, VCD, Perfetto,
// Konata).
//
// The same program on the same Config with the same seed has the same state at every clock, on
// every computer and on any number of threads (SetThreads).
//
// Errors say what was wrong and what to do; Kind returns the word that the command uses for them in
// JSON, such as "deadlock" or "segment_overflow". A Machine is not safe for concurrent use;
// different machines are independent.
//
// # The other machines
//
// They have packages of their own, each with a Config and a Run: mnc (quad-port RAM boards),
// cluster/rhinet (RHiNET-2), cluster/spmd (workstations) and pdes (migrating logical processes).
// The network of the EM-4 runs alone as omega.Traffic.
//
// # Files
//
//	program.go  programs
//	machine.go  machines and runs
//	observe.go  observers and traces
//	balance.go  comparison of a user's own balancing policies
//
// # What is stable
//
// The exported API of sim, asm, isa, trace, trace/sink, mnc, cluster/rhinet, cluster/spmd, pdes and
// balance is recorded in testdata/api.txt and changes only with a line in CHANGELOG.md. The
// packages that are boxes of the EM-4's block diagram (packet, mlpe, ibu, omega, emcr, em4) can be
// imported too, but their API follows the model. Everything else lies under internal/.
package sim
