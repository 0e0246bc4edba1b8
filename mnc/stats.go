package mnc

// Times splits clocks by the PE's activity.
type Times struct {
	Proc     int64 `json:"proc"`     // f() only
	Transfer int64 `json:"transfer"` // moving data
	Overhead int64 `json:"overhead"` // publishing, sensing, planning, retries after BUSY
	Idle     int64 `json:"idle"`     // waits with the sensing before them, time before reset and after death
}

// PEStats counts what one PE did.
type PEStats struct {
	Times
	Actions   [actionKinds]int64 `json:"actions"`   // ended actions by ActionKind
	Moved     [actionKinds]int64 `json:"moved"`     // data moved by these actions
	Processed int64              `json:"processed"` // X converted to Y
	ToHost    int64              `json:"to_host"`   // part of Moved[YPut]: data put to the host
	Busy      int64              `json:"busy"`      // status reads refused because of a write
}

// bookAction adds the clocks of an action up to clock t: its sensing and planning first, then the work. A wait is
// idle from its first clock: sensing that finds nothing to do is not overhead of any work [chosen].
func (s *PEStats) bookAction(a *action, t int64) {
	t = min(t, a.end)
	if t <= a.start {
		return
	}
	planned := min(t, a.work)
	switch a.kind {
	case Idle:
		s.Idle += t - a.start
		return
	case Proc:
		s.Proc += t - planned
	default:
		s.Transfer += t - planned
	}
	s.Overhead += planned - a.start
}

// Stats are the statistics of a run. The sums over all PEs always satisfy Proc + Transfer + Overhead + Idle = PEs
// times Clocks.
type Stats struct {
	Clocks    int64 // T: clock of the last Y at the sink; before the end, the last clock done
	Items     int
	Delivered int   // Y at the sink
	Transfers int64 // data that left QPRs: XGET, YGET and data put to the host

	Times
	Busy int64

	Efficiency float64 // Proc / (PEs · Clocks), 0..1
	Speedup    float64 // ΣP / Clocks: relative to one PE that needs no transfers
	UsedPEs    float64 // (Σw)²/Σw², w the Proc clocks of each PE: the number of PEs that carry the load

	AbilityLow, AbilityHigh float64 // range of PA over the run, 1 for "like me"

	PE  []PEStats
	QPR []QPRStats
}

// Stats returns the statistics up to now, or of the whole run after its end.
func (m *Machine) Stats() Stats {
	t := m.statisticsClock()
	s := Stats{
		Clocks: t, Items: m.cfg.Items, Delivered: m.host.delivered,
		PE: make([]PEStats, len(m.pes)), QPR: make([]QPRStats, len(m.qprs)),
	}
	low, high := int64(One), int64(One)
	squares := 0.0
	for i := range m.pes {
		e := &m.pes[i]
		p := e.stats // counts only ended actions
		p.bookAction(&e.act, t)
		p.Idle += t - (p.Proc + p.Transfer + p.Overhead + p.Idle) // the time before the first action
		s.PE[i] = p
		s.Proc += p.Proc
		s.Transfer += p.Transfer
		s.Overhead += p.Overhead
		s.Idle += p.Idle
		s.Busy += p.Busy
		s.Transfers += p.Moved[XGet] + p.Moved[YGet] + p.ToHost
		squares += float64(float64(p.Proc) * float64(p.Proc))
		low, high = min(low, e.ability.lowest), max(high, e.ability.highest)
	}
	for q := range m.qprs {
		s.QPR[q] = m.qprs[q].Stats()
	}
	s.AbilityLow, s.AbilityHigh = float64(low)/One, float64(high)/One
	if t > 0 {
		s.Efficiency = float64(s.Proc) / (float64(len(m.pes)) * float64(t))
		s.Speedup = float64(m.host.work) / float64(t)
	}
	if squares > 0 {
		s.UsedPEs = float64(s.Proc) * float64(s.Proc) / squares
	}
	return s
}
