// Package debug is a debugger for programs on an EM-4: it steps, stops, shows
// and goes back. It reads commands and writes text, independent of any
// terminal; 'emsim debug' is its prompt.
//
//	commands ──► Do ──► motion ──► batch (the machine)
//	             │        │ ▲
//	             │     stops │
//	             │        history (snapshots)
//	             └──► what is shown ◄── machine, symbols, tree
//
//	debug.go     the debugger, one command
//	command.go   the table of commands, abbreviations, completion
//	help.go      help
//	motion.go    step, continue, until, finish
//	history.go   snapshots, back, goto; what the PEs did over the run so far
//	stops.go     the list of stops
//	line.go      lines of the source: breakpoints, steps within one instance
//	site.go      the place of an instruction in the source, and where statements begin
//	variable.go  its variables, and the waiting instances
//	stop.go      breakpoints, which stop a motion at an event
//	watch.go     watchpoints, which stop a motion at a change, and the cause of the change
//	condition.go the condition of a stop; conditionparse.go parses it
//	parse.go     PEs, addresses, numbers
//	name.go      the text of packets, values and code addresses
//	where.go     the machine as a whole, switches, loads
//	unit.go      the units of a PE and why each waits
//	queue.go     input buffer, operand segments, memory words, code
//	follow.go    the path of one packet
//	tree.go      the tree of calls of function instances, and the blocks that have begun
//	view.go      the state for the full-screen view, in screen/
//
// The shown data have a structured form, such as Units or Tree, which the commands
// print and a page in a browser draws.
//
// A clock number is the machine's, as in traces and error messages: at clock t
// the clocks 0 .. t-1 are done. Events of clock t are visible at t + 1.
package debug
