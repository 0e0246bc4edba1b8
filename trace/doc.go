// Package trace defines the events that can be observed in an EM-4, each with its clock and PE.
//
//	EXU  IBU  FMU  SU  host           (emcr/, omega/, em4/: hooks that are nil
//	  \   |    |   /   /               without a sink)
//	     Recorder ── only changes ──► Sink: text, VCD, Perfetto, Konata (sink/)
//
//	event.go     what can happen
//	status.go    what a unit does in a clock, or what it waits for
//	recorder.go  reduces the model's reports of every clock to the changes
//
// The model reports to a Recorder and reads nothing from it, so a watched machine has the same states as an unwatched
// one.
//
// A status or a level is valid for the whole clock of its event. A packet that is made, moved or queued in a clock is
// in its new place from the next clock on.
package trace
