// Package screen is the full-screen view of all machines' debuggers: the machine, a
// worker, what happens and the items side by side, with keys for the motions. It knows a
// debugger only by its commands and by debug.Look, which has the machine's own words.
//
//	terminal ──► Run ──► Update ──► commands of the debugger ──► Look
//	   ▲                                                          │
//	   └──────── View ◄── panes ◄─────────────────────────────────┘
//
//	run.go    the view on a terminal
//	model.go  what it shows, what comes of keys
//	line.go   the line in which a command is typed, and the table of keys
//	view.go   the whole screen
//	panes.go  the contents of its panes
//
// A motion runs concurrently with the view, which meanwhile shows the machine as it was
// before; Ctrl-C ends it, and all other keys act after it.
package screen
