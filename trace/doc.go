// Package trace defines what can be observed of an EM-4: typed events, each with
// its clock and PE.
//
//	EXU  IBU  FMU  SU  host           (emcr/, omega/, em4/: hooks that are nil
//	  \   |    |   /   /               without a sink)
//	     Recorder ── only changes ──► Sink: text, VCD, Perfetto, Konata (sink/)
//
//	event.go     what can happen
//	status.go    what a unit does in a clock, or what it waits for
//	recorder.go  reduces what the model reports in every clock to what changed
//
// The model reports to a Recorder and never asks it anything, so a watched
// machine has the same states as one that is not.
//
// A status or a level is valid for the whole clock of its event. A packet that is
// made, moved or queued in a clock is in its new place from the next clock on.
package trace
