package pdes

import (
	"emsim/internal/base/lists"
	"emsim/internal/base/simerr"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// The migration follows the nine steps of [004 §3]; PP 0 coordinates. It uses only
// control packets on the same network, at the same cost as other packets:
//
//	1  STOP to all (PP 0's flush)
//	2  ACK to PP 0 (the flush towards it), FLUSH to every other PP;
//	   READY when STOP and all FLUSHes are in
//	3  START to all, once every ACK and READY is in
//	4  TRAFFIC to PP 0, which runs the minimiser
//	5  NOTIFY to the PPs involved: LPs to send, number to expect
//	6  STATE, an LP, from PP to PP
//	7  MOVED to PP 0 when all is sent and received
//	8  PP 0 updates its map
//	9  RESUME to all, with the map (chosen)
//
// The paper does not say what happens when a FLUSH arrives before the STOP, a
// STATE before its NOTIFY, or events from a resumed PP before the receiver's
// own RESUME. The first two are counted early; the third is received and
// waits. Credits are external messages and drain with the others.

// coordinator is PP 0's side of a migration.
type coordinator struct {
	due      bool // the trigger's clock has been reached
	active   bool // between STOP and the last PP's resumption
	resuming bool // RESUME has been sent
	deciding bool // the minimiser runs before anything else

	acks, readies, reports int         // messages of each kind received
	involved, moved        int         // PPs that were notified, and PPs that are done
	resumed                int         // PPs that have resumed
	counts                 body        // the LP kernels' counts
	places                 mapping.Map // the new map
	report                 *Report
}

// A Report describes the course of a migration. A clock is the time at which an operation of PP 0 began, unless
// stated otherwise.
type Report struct {
	Triggered int64 // STOP
	Quiet     int64 // START: no event is in flight
	Decided   int64 // NOTIFY: the minimiser's operation begins
	Arrived   int64 // RESUME: every LP is in its place
	Ended     int64 // end of the operation with which the last PP resumes

	Moves       int     // LPs that moved
	Swaps       int     // changes of the map that the minimiser applied
	Evaluations int64   // maps or exchanges that the minimiser rated
	Before      float64 // cost of the counted traffic under the old map
	After       float64 // cost of the counted traffic under the new map
	StateBytes  int64   // bytes of the LPs that moved
	PPs         []Pause // by PP

	EarlyFlushes int64 // FLUSHes that came before the STOP
	EarlyStates  int64 // STATEs that came before the NOTIFY
	HeldEvents   int64 // external messages that came before the RESUME
}

// Pause is one PP's pause.
type Pause struct {
	Stopped int64 // start of the operation that receives STOP
	Ready   int64 // no event is in flight to this PP
	Resumed int64 // end of the operation that receives RESUME
}

// Clocks returns the length of the whole pause.
func (r *Report) Clocks() int64 { return r.Ended - r.Triggered }

// again sets the timer of the next migration when a migration is over. Every counts from the end of a migration: with
// fixed times, migrations could follow each other so closely that PP 0 would never run an LP.
func (m *Machine) again(now int64) {
	every := m.cfg.Migrate.Every
	if every == 0 || m.running == 0 {
		return
	}
	m.queue.Push(now+every, network.Wake, int64(len(m.background.flows)), trigger)
}

// stopAll does step 1: it stops PP 0 and sends STOP to all other PPs.
func (m *Machine) stopAll(p *processor) {
	m.migration = coordinator{
		active: true,
		report: &Report{Triggered: m.queue.Now(), PPs: make([]Pause, len(m.pps))},
	}
	m.reports = append(m.reports, m.migration.report)
	p.mover.stopped = true
	m.migration.report.PPs[0].Stopped = m.queue.Now()
	m.broadcast(p, message{kind: Stop})
	m.startAll(p)
}

// broadcast sends a message to every other PP.
func (m *Machine) broadcast(p *processor, msg message) {
	for to := range m.pps {
		if to != p.id {
			msg.to = int32(to)
			p.out = append(p.out, msg)
		}
	}
}

// startAll does steps 2d and 3: it begins once no event is in flight.
func (m *Machine) startAll(p *processor) {
	c, others := &m.migration, len(m.pps)-1
	if c.acks < others || c.readies < others {
		return
	}
	p.mover.ready = true
	c.report.PPs[0].Ready = m.queue.Now()
	if m.flying != 0 {
		m.violation("in_flight", 0, "%d external messages are in flight at START", m.flying)
		return
	}
	c.report.Quiet = m.queue.Now()
	m.broadcast(p, message{kind: Start})
	m.collect(p, m.traffic(p))
}

// collect does step 4: it gathers the counts and, when they are complete, lets PP 0 decide.
func (m *Machine) collect(p *processor, counts *body) {
	c := &m.migration
	c.counts.traffic = append(c.counts.traffic, counts.traffic...)
	c.counts.work = append(c.counts.work, counts.work...)
	c.reports++
	c.deciding = c.reports == len(m.pps)
}

// decide runs the minimiser and does step 5. If the context ends during the minimiser, the run can be continued from
// the state saved before it.
func (m *Machine) decide(p *processor) {
	c, order := &m.migration, m.cfg.Migrate
	problem := m.problem(&c.counts)
	found, err := order.minimiser()(m.ctx, problem, append(mapping.Map(nil), p.places...))
	if err == nil {
		err = found.Map.Check(m.program.LPs(), len(m.pps))
	}
	if err == nil && (found.Evaluations < 0 || found.Evaluations > maxTime) {
		err = simerr.Usagef("the minimiser rated %d maps: expected 0 to %d", found.Evaluations, int64(maxTime))
	}
	if err != nil {
		m.err = err
		return
	}
	c.deciding = false
	r := c.report
	r.Decided = m.queue.Now()
	r.Evaluations, r.Swaps = found.Evaluations, found.Swaps
	r.Before, r.After = problem.Total(p.places), found.Score.Cost
	p.work += m.cfg.Timing.Decide * found.Evaluations
	c.places = found.Map
	m.recordDecision(p)

	out := make([][]move, len(m.pps))
	in := make([]int64, len(m.pps))
	for lp, to := range found.Map {
		from := p.places[lp]
		if from == to {
			continue
		}
		r.Moves++
		out[from] = append(out[from], move{int32(lp), to})
		in[to]++
	}
	for to := range m.pps {
		if len(out[to])+int(in[to]) > 0 {
			c.involved++
		}
	}
	if c.involved == 0 {
		m.resumeAll(p)
		return
	}
	for to := 1; to < len(m.pps); to++ {
		if len(out[to])+int(in[to]) > 0 {
			p.out = append(p.out, message{kind: Notify, to: int32(to), count: in[to], body: &body{moves: out[to]}})
		}
	}
	if len(out[0])+int(in[0]) > 0 {
		m.sendAway(p, out[0], int(in[0]))
	}
}

// problem returns the mapping problem with the counted traffic and work.
func (m *Machine) problem(b *body) *mapping.Problem {
	edges := lists.Of(m.program.channels, func(c channel) mapping.Edge { return mapping.Edge{From: c.from, To: c.to} })
	work := m.cfg.handling(m.program.LPs(), len(edges))
	// The counts are stored by channel and LP, because the minimiser must not depend on the order in which the
	// reports arrived.
	for _, x := range b.traffic {
		edges[x.channel].Traffic = x.traffic
		m.cfg.Timing.handle(work, int(x.channel), x.packets, m.creditAt)
	}
	for _, x := range b.work {
		work.Clocks[x.lp] = float64(x.clocks)
	}
	return mapping.NewProblem(mapping.NewGraph(m.program.LPs(), edges), m.cfg.Net, m.cfg.Migrate.Weights).With(work)
}

// arrived counts a PP at which step 7 is over. After the last one, steps 8 and 9 follow.
func (m *Machine) arrived(p *processor) {
	if m.migration.moved++; m.migration.moved == m.migration.involved {
		m.resumeAll(p)
	}
}

// resumeAll does steps 8 and 9: PP 0 takes over the new map, and all PPs resume with it.
func (m *Machine) resumeAll(p *processor) {
	c := &m.migration
	c.report.Arrived = m.queue.Now()
	c.resuming = true
	m.broadcast(p, message{kind: Resume, body: &body{places: c.places}})
	m.resume(p, c.places)
}
