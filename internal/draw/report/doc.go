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
//	runpage.go      the page of runs that a user chose: results, figures, tables
//	em4page.go      what it shows of programs; machinepage.go: of the other machines
//	page.html, page.css, run.html, run.css, timeline.js   the pages' form
package report
