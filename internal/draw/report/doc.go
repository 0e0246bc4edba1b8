// Package report makes one self-contained page of everything that emsim
// measures: the machines, each paper's rows next to the model's, the
// figures, the effect of the uncertain knobs, and the time line of every PE.
// The page needs nothing from the network.
//
//	build.go        what to measure and draw, several things at a time
//	page.go         what a page holds, and writing it; figures and gaps inside it
//	papers.go       the papers and their machines in words
//	rows.go         a row of verify as a line of a table
//	sensitivity.go  docs/sensitivity.csv as a table
//	timeline.go     the state of every PE in every clock, packed
//	ownpage.go      the page of runs that a user chose; ownwords.go: its words
//	machinepage.go  the page of a run of another machine
//	page.html, page.css, timeline.js   the page's form
package report
