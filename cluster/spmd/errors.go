package spmd

import "fmt"

// A ParameterError is a parameter or a topology that no machine can be built
// from.
type ParameterError struct {
	Parameter string // the name of the parameter, as in "tasks"
	File      string // the topology's file, if the error is in one
	Line      int    // its line, from 1; 0 for the whole file
	Problem   string // what is wrong, what was expected, what to do
}

// Error returns the place and the problem.
func (e *ParameterError) Error() string {
	switch {
	case e.Line > 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem)
	case e.File != "":
		return fmt.Sprintf("%s: %s", e.File, e.Problem)
	}
	return fmt.Sprintf("%s: %s", e.Parameter, e.Problem)
}

// Kind is "usage": the user must correct the value.
func (e *ParameterError) Kind() string { return "usage" }

// Details names the parameter, and the file and line of a topology.
func (e *ParameterError) Details() map[string]any {
	d := map[string]any{"parameter": e.Parameter}
	if e.File != "" {
		d["file"] = e.File
	}
	if e.Line > 0 {
		d["line"] = e.Line
	}
	return d
}

func badf(parameter, format string, args ...any) error {
	return &ParameterError{Parameter: parameter, Problem: fmt.Sprintf(format, args...)}
}

// A StuckError reports a processor that waits for an answer that will never
// come. It is always a fault of the model, never of the parameters.
type StuckError struct {
	Processor int   // the first processor that did not end
	Peer      int   // the processor that it asked last
	AtUS      int64 // when it was noticed
}

// Error names the waiting processor and its peer.
func (e *StuckError) Error() string {
	return fmt.Sprintf("at %d us processor %d waits for tasks from processor %d, but no answer is under way", e.AtUS, e.Processor, e.Peer)
}

// Kind is "deadlock".
func (e *StuckError) Kind() string { return "deadlock" }

// Details names the processors and the time.
func (e *StuckError) Details() map[string]any {
	return map[string]any{"processor": e.Processor, "peer": e.Peer, "at_us": e.AtUS}
}
