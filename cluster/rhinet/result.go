package rhinet

// An Epoch is the distribution of the rows between two balancing phases.
type Epoch struct {
	Loop  int   // loop after which the phase came; 0 for the start
	First []int // first row of each rank
	Rows  []int // number of rows of each rank
}

// RankResult describes how one rank used its time. Times are ticks of 8 ns. Finish counts from the start of the run,
// and Calc, LB and Wait are parts of it.
type RankResult struct {
	Calc   int64 // in compute, including slices of a competing process
	LB     int64 // in balancing phases, waiting included
	LBWait int64 // waiting for messages in balancing phases
	Wait   int64 // waiting for messages, anywhere
	Finish int64
	Rows   int // rows at the end
}

// A Result is the result of a finished run, or of a run that stopped early because its context ended.
type Result struct {
	Iterations int // loops done
	Packets    int64
	Messages   int64   // messages that ranks sent
	HeaderWait int64   // longest wait of a header (Ethernet: frame) for an output, ticks
	Deviation  float64 // largest distance from the true solution (heat: from a single processor's); 0 before the end
	Ranks      []RankResult
	Epochs     []Epoch
}

// Total returns rank 0's run time in seconds, as tables 2-5 do.
func (r *Result) Total() float64 { return Seconds(r.Ranks[0].Finish) }

// Calc returns the seconds that rank 0 spent in compute.
func (r *Result) Calc() float64 { return Seconds(r.Ranks[0].Calc) }

// LB returns the seconds that rank 0 spent in balancing phases: "other" in tables 2 and 3.
func (r *Result) LB() float64 { return Seconds(r.Ranks[0].LB) }

// Comm returns rank 0's remaining seconds: "communication" in tables 2 and 3.
func (r *Result) Comm() float64 {
	n := r.Ranks[0]
	return Seconds(n.Finish - n.Calc - n.LB)
}

// Other returns rank 0's seconds outside compute: "other" in tables 4 and 5.
func (r *Result) Other() float64 {
	n := r.Ranks[0]
	return Seconds(n.Finish - n.Calc)
}

// Finish returns the time in seconds at which the last rank is done.
func (r *Result) Finish() float64 {
	var last int64
	for _, n := range r.Ranks {
		last = max(last, n.Finish)
	}
	return Seconds(last)
}

// Moved returns the number of rows that changed rank, over all balancing phases that all ranks have completed.
func (r *Result) Moved() (rows int) {
	for k := 1; k < len(r.Epochs); k++ {
		old, now := r.Epochs[k-1], r.Epochs[k]
		grown, moved := 0, 0
		for i, n := range now.Rows {
			before, after := span{old.First[i], old.First[i] + old.Rows[i]}, span{now.First[i], now.First[i] + n}
			grown += n - old.Rows[i]
			moved += n - before.intersect(after).rowCount()
		}
		if grown == 0 { // otherwise the run ended in the middle of the phase
			rows += moved
		}
	}
	return rows
}

// result returns the result of the run so far, with the times of what is in progress.
func (s *sim) result() *Result {
	out := &Result{
		Packets: s.net.packets, Messages: s.net.sent, HeaderWait: s.net.wait, Deviation: s.deviation,
		Epochs: s.epochs,
	}
	for i := range s.ranks {
		out.Ranks = append(out.Ranks, s.ranks[i].timesAt(s.now))
	}
	out.Iterations = s.ranks[0].loop
	if s.cfg.Application == Heat {
		out.Iterations = min(out.Iterations, s.cfg.Heat.Steps)
	}
	return out
}

// timesAt returns how the rank used its time until now.
func (r *rank) timesAt(now int64) RankResult {
	x := RankResult{
		Calc: r.calc, LB: r.lb, LBWait: r.lbWait, Wait: r.wait, Finish: r.finish, Rows: r.ownRows().rowCount(),
	}
	if r.done {
		return x
	}
	x.Finish = now
	switch {
	case r.waitFor >= 0:
		x.Wait += now - r.since
	case r.busy && r.ops[r.pc].kind == opCompute:
		x.Calc += now - r.began
	}
	if r.balancing() {
		x.LB += now - r.phaseStart
		x.LBWait += x.Wait - r.phaseWait
	}
	return x
}
