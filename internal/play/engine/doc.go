// Package engine is what the page of 'emsim play' runs in the browser: a session
// with a program, a machine and the debugger, whose questions and answers are
// JSON. It knows nothing of a browser; wasm/ connects it to one.
//
//	page ──► Call ──► Session ──► internal/inspect/debug ──► the machine
//
//	setup.go      what is to run: texts, arguments, machine; assembling it
//	session.go    the session: commands, what ends them, and clocks worth going to
//	clock.go      the clocks of a run, from its start to its end
//	ahead.go      the whole run in the background, for the axis of time
//	call.go       the methods by name, with their arguments and answers as JSON
//	frame.go      the machine as a whole, for a picture of it
//	pe.go         one PE, opened
//	versus.go     two sessions whose runs are compared
//	catalogue.go  what there is: programs, knobs, instructions
//	share.go      a session in a link; address.go: in one that people can read; query.go: its part after the ?
//	compiler/     what the page loads for programs in Go; compiled/ is its answer
//	guard.go      what ends a motion: the user, or too much memory
package engine
