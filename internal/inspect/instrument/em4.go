package instrument

import (
	"context"

	"emsim/em4"
	"emsim/internal/base/answer"
	"emsim/internal/base/moves"
	"emsim/internal/inspect/portrait"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// RecordProgram executes and records a session's run, which must have just begun.
func RecordProgram(ctx context.Context, s *run.Batch) (*Run, error) {
	config := s.Config()
	var one run.OneRun
	m := machinefile.EM4(&config)
	r, err := record(ctx, m, func(ctx context.Context, rec *moves.Record) (*answer.Answer, error) {
		end := TellMoves(s, rec)
		err := s.Advance(ctx, em4.ToEnd)
		end()
		one, _ = s.EndRun(err)
		x := s.Answer(one).Said()
		x.End(err)
		return x, err
	})
	if err == nil {
		r.End = int64(one.Clocks) // by then the last word has reached the host
	}
	return r, err
}

// TellMoves makes a session's run, which must have just begun, record its moves until end is called.
func TellMoves(s *run.Batch, rec *moves.Record) (end func()) {
	rule, pes := "the program chose", s.Config().PEs
	if policy := s.Object.Chosen()["policy"]; policy != "" {
		rule = "policy " + policy
	}
	info := s.TraceInfo("", nil, 0)
	sink := portrait.NewMoves(rec, s.Machine, info.PEs, s.Current.StartClock(), rule, s.Object.CodeName)
	s.Watch(trace.NewRecorder(sink, pes, trace.All(pes)), s.Clock(), em4.ToEnd)
	return func() {
		s.Watch(nil, 0, 0)
		_ = sink.Close(s.Clock()) // Close writes nothing here
	}
}
