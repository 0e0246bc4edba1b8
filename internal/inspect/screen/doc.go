// Package screen is the full-screen view of all machines' debuggers. It shows four panes: the machine, a worker, the
// program's text or the events, and the items. It uses a debugger only through its commands and through debug.View,
// which has the machine's own words.
//
//	terminal ──► Run ──► Update ──► commands of the debugger ──► View
//	   ▲                                                          │
//	   └──────── View ◄── panes ◄─────────────────────────────────┘
//
//	run.go    the view on a terminal
//	model.go  the state of the view, and the handling of keys
//	line.go   the line in which a command is typed, and the table of keys
//	view.go   the whole screen
//	panes.go  the contents of its panes
//
// A motion runs concurrently with the view, which meanwhile shows the machine's previous state. Ctrl-C ends the motion;
// all other keys take effect after it.
package screen
