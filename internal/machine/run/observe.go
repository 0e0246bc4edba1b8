package run

import (
	"context"
	"errors"

	"emsim/em4"
	"emsim/trace"
)

// Observe does the rest of the run in progress twice: first at full speed, to
// learn how it ends, and then again with every event for the Sink that open
// returns. open gets the clocks of the machine that the Sink will see, from..end-1:
// those up to the last word to the host, or up to where the run fails. The error
// of a failed run comes with its answer; without an answer nothing was observed. An
// error of open ends it all.
// threads is the number for Share, of the first of the two runs.
func (s *Batch) Observe(ctx context.Context, threads int, open func(from, end uint64) (trace.Sink, error)) (*Answer, error) {
	// A second machine, and the state that it begins with.
	if err := s.CheckRoom("watching a machine", 3); err != nil {
		return nil, err
	}
	first, err := s.Fork(s.Snapshot())
	if err != nil {
		return nil, err
	}
	first.Share(threads)
	runErr := first.Advance(ctx, em4.ToEnd)
	one, _ := first.EndRun(runErr)
	var stopped *Interrupted
	if errors.As(runErr, &stopped) {
		return nil, runErr
	}
	end := one.Start + one.Clocks
	sink, err := open(s.Clock(), end)
	if err != nil {
		return nil, err
	}
	pes := s.Config().PEs
	s.Watch(trace.NewRecorder(sink, pes, trace.All(pes)), s.Clock(), end)
	// Whatever ends this run has ended the first one too, except for Ctrl-C.
	if err := s.Advance(ctx, one.Clocks); errors.As(err, &stopped) {
		return nil, err
	}
	s.Watch(nil, 0, 0)
	if err := sink.Close(end); err != nil {
		return nil, err
	}
	s.Done, s.Leaks = first.Done, first.Leaks
	return s.Answer(one), runErr
}
