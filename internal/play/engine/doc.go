// Package engine runs the EM-4 for the page of 'emsim play' in the browser. It is a session with a program, a machine
// and the debugger, with questions and answers in JSON. It does not depend on a browser; wasm/ connects it to one.
//
//	page ──► Call ──► Session ──► internal/inspect/debug ──► the machine
//
//	setup.go      the setup: texts, arguments and machine; assembling it
//	session.go    the session: commands, their ends, and marks
//	clock.go      the clocks of a run, from its start to its end
//	ahead.go      the whole run in the background, for the timeline
//	call.go       the methods by name, with their arguments and answers as JSON
//	frame.go      the machine as a whole, for a picture of it
//	pe.go         the inside of one PE
//	versus.go     two sessions whose runs are compared
//	catalogue.go  the choices: programs, knobs, instructions
//	html.go       the panes of the page, which are answered as HTML, with markup/
//	panes.go      of one run: the opened PE, calls, the way of a packet, the result
//	compared.go   of two runs: what they have in common, and their ends, with figures.go
//	form.go       parameters and knobs of a setup, and changes of it
//	tasks.go      exercises, and the tokens of a lesson's graph
//	share.go      a session as a link; address.go: as a readable link; query.go: the part after the ?
//	compiler/     the compiler, for programs in Go; compiled/ is its answer
//	guard.go      the limits of a motion: the user, or too much memory
package engine
