package profile

// Case is a question about the recorded run: how long would it take if some of its parts took less time?
type Case struct {
	Name  string // used in JSON and CSV
	Says  string // the description
	halve [Parts]bool
	drop  [Parts]bool
	free  bool // the packets and blocks of a PE do not wait for each other
}

// parts returns a set of parts.
func parts(list ...Part) (set [Parts]bool) {
	for _, p := range list {
		set[p] = true
	}
	return set
}

// cases lists the questions. The first is the run as it was.
var cases = [...]Case{
	{Name: "run", Says: "everything as it was"},
	{Name: "instructions_half", Says: "instructions in half the time", halve: parts(Execute)},
	{Name: "no_matching", Says: "matching in no time", drop: parts(MatchIt)},
	{Name: "hops_half", Says: "switch hops in half the time", halve: parts(Hop)},
	{Name: "no_network_waits", Says: "no waits in the network", drop: parts(Network, SendWait)},
	{Name: "no_spills", Says: "no spills", drop: parts(InMIB, Memory)},
	{Name: "free_pes", Says: "a free PE for every packet", drop: parts(Queue, InMIB, Busy, Memory), free: true},
	{Name: "no_waits", Says: "no waits at all", drop: parts(Network, SendWait, Queue, InMIB, Busy, Memory), free: true},
}

// moment is a clock of the recorded run, with its time in each case: half clocks since the start of the run.
type moment struct {
	rec uint64 // clock of the machine
	due [len(cases)]uint64
}

// after returns the moment that follows m by the clocks of a split.
func (m moment) after(took *Split) moment {
	for part, n := range took {
		m = m.laterBy(Part(part), uint64(n))
	}
	return m
}

// laterBy returns the moment that follows m by n clocks of one part.
func (m moment) laterBy(part Part, n uint64) moment {
	if n == 0 {
		return m
	}
	m.rec += n
	for c := range cases {
		switch {
		case cases[c].drop[part]:
		case cases[c].halve[part]:
			m.due[c] += n
		default:
			m.due[c] += 2 * n
		}
	}
	return m
}

// later returns the later of two moments. If order is set, o only orders work within a PE, and cases with free PEs
// ignore it.
func (m moment) later(o *moment, order bool) moment {
	m.rec = max(m.rec, o.rec)
	for c := range cases {
		if !order || !cases[c].free {
			m.due[c] = max(m.due[c], o.due[c])
		}
	}
	return m
}

// until returns the moment at a clock of the recorded run. It counts the clocks between m and that clock for the given
// part.
func (m moment) until(clock uint64, part Part) moment {
	return m.laterBy(part, clock-min(m.rec, clock))
}

// taken returns the moment at which the FMU takes a packet. By then the packet has arrived, the FMU has finished the
// previous packet, and the EXU, which has the memory port before the FMU, has finished its block. The remaining wait is
// due to the IBU as far as the FMU reported it.
func (f *flight) taken(clock uint64, fmu *matching, exu moment) moment {
	way := f.took
	way[Queue], way[InMIB] = 0, 0
	m := f.due.after(&way).later(&fmu.free, true).later(&exu, true)
	return m.laterBy(InMIB, min(fmu.ibu, clock-min(m.rec, clock))).until(clock, Queue)
}

// fired returns the moment at which a packet starts its block: it is matched, its partner is there, and the previous
// block has ended.
func (f *flight) fired(clock uint64, took *Split, exu moment) moment {
	work := *took
	work[Busy] = 0
	m := f.due.after(&work).later(&exu, true)
	if f.mate != nil {
		m = m.later(&f.mate.due, false)
	}
	return m.until(clock, Busy)
}

// Estimate is the answer to a Case.
type Estimate struct {
	Case
	Clocks uint64 // the length of the run in that case
}

// Estimates returns the length in clocks of the longest path through the recorded packets and blocks, for each case
// except the run as it was. The blocks of a PE keep their recorded order, unless the case has free PEs. The routes of
// packets, their order, and waits for other parts stay as recorded. The list is empty if no word has left the machine.
func (p *Profile) Estimates() []Estimate {
	if p.last == nil {
		return nil
	}
	var list []Estimate
	for c := range cases {
		if c > 0 {
			list = append(list, Estimate{cases[c], (p.due.due[c] + 1) / 2})
		}
	}
	return list
}

// Longest returns the length in clocks of the longest path as recorded. That is the length of the run up to its last
// word.
func (p *Profile) Longest() uint64 { return p.due.due[0] / 2 }
