// Package trace is what an EM-4 can be seen to do: typed events, each with
// its clock and PE.
//
//	EXU  IBU  FMU  SU  host           (emcr/, omega/, em4/: hooks that are nil
//	  \   |    |   /   /               when nobody watches)
//	     Recorder ── only changes ──► Sink: text, VCD, Perfetto, Konata (sink/)
//
//	event.go     what can happen
//	status.go    what a unit does in a clock, and why it waits
//	recorder.go  from what the model tells in every clock to what has changed
//
// The model tells a Recorder what happens and never asks it anything: a
// machine that is watched takes the same states as one that is not.
//
// A status or a level holds for the whole clock that it is told with; a packet
// that is made, moved or queued in a clock is in its new place from the next
// clock on.
package trace
