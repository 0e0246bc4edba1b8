package pdes

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"emsim/internal/plural"
	"emsim/internal/simerr"
	"emsim/pdes/banyan"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// A Machine is a network of PPs during a run.
type Machine struct {
	cfg        Config
	queue      network.Queue
	fabric     *network.Fabric
	routes     [][]int32 // by from*nodes+to, built when first used
	messages   []message // by packet slot
	pps        []processor
	after      []int32 // by 2*lp+output: 2*lp+input that it leads to
	before     []int32 // by 2*lp+input: 2*lp+output that it comes from
	creditAt   int64   // messages taken before a credit is returned
	running    int     // LPs with slots left to run
	flying     int64   // external messages sent and not yet received
	local      int64   // external messages that stayed on a PP
	sent       [kinds]int64
	latency    [][]Latency // of external messages, from PP to PP
	migration  coordinator
	background background
	err        error
	ctx        context.Context // of the run, for the minimiser of a migration
}

// New builds a machine before its first clock.
func New(cfg Config) (*Machine, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	nodes, model := cfg.Net.Nodes(), &cfg.Banyan
	if cfg.Map == nil {
		cfg.Map = mapping.Conventional(model.LPs(), nodes)
	}
	m := &Machine{
		cfg: cfg, routes: make([][]int32, nodes*nodes), pps: make([]processor, nodes),
		after: make([]int32, 2*model.LPs()), before: make([]int32, 2*model.LPs()),
		creditAt: (cfg.Window + 1) / 2, running: model.LPs(),
		background: newBackground(cfg.Background, cfg.Net),
	}
	m.fabric = network.NewFabric(cfg.Net, cfg.Timing.Hop, &m.queue)
	for lp := range model.LPs() {
		if model.Stage(lp) == model.Stages-1 {
			continue
		}
		for k := range 2 {
			to, input := model.Next(lp, k)
			m.after[2*lp+k] = int32(2*to + input)
			m.before[2*to+input] = int32(2*lp + k)
		}
	}
	for i := range m.pps {
		m.pps[i] = processor{
			id: i, procs: make([]*process, model.LPs()), slow: m.background.slow[i],
			places: append(mapping.Map(nil), cfg.Map...),
		}
	}
	m.latency = make([][]Latency, nodes)
	for i := range m.latency {
		m.latency[i] = make([]Latency, nodes)
	}
	for lp, node := range cfg.Map {
		p := &m.pps[node]
		p.procs[lp] = newProcess(model, lp, cfg.Window)
		p.hosted = append(p.hosted, int32(lp))
	}
	return m, nil
}

// Run runs a configuration to its end. An error is a usage error, a
// cancelled context, or a model error of kind deadlock, max_clocks,
// no_migration or a broken invariant.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	m, err := New(cfg)
	if err != nil {
		return nil, err
	}
	return m.Run(ctx)
}

// trigger is the number of the migration's timer, among those of the background.
const trigger = -1

// Run runs the machine until every LP has run its slots and any migration is
// over. If ctx ends first, the Result is that of the run so far, with the error
// of ctx.
func (m *Machine) Run(ctx context.Context) (*Result, error) {
	m.ctx = ctx
	for i := range m.pps {
		m.dispatch(&m.pps[i])
	}
	for i := range m.background.flows {
		m.pause(int32(i))
	}
	if m.cfg.Migrate != nil {
		m.queue.Push(m.cfg.Migrate.At, network.Wake, int64(len(m.background.flows)), trigger)
	}
	for events := 0; m.err == nil && (m.running > 0 || m.migration.active); events++ {
		if events&0xfff == 0 && ctx.Err() != nil {
			return m.result(), ctx.Err()
		}
		e, ok := m.queue.Pop()
		if !ok {
			return nil, m.deadlock()
		}
		if m.cfg.MaxClocks > 0 && e.Clock > m.cfg.MaxClocks {
			return nil, &Limit{
				Machine: "pdes", Name: simerr.KindMaxClocks, Clock: e.Clock, Keys: simerr.Keys{"clock": e.Clock},
				Err: fmt.Errorf("the run is not over after %s; %s %s slots to run",
					plural.Of(m.cfg.MaxClocks, "clock"), plural.Of(m.running, "LP"), plural.Verb(m.running, "has", "have")),
			}
		}
		m.handle(e)
	}
	if m.err != nil && ctx.Err() != nil {
		return m.result(), m.err
	}
	if m.err != nil {
		return nil, m.err
	}
	if m.cfg.Migrate != nil && m.migration.report == nil {
		return nil, &Fault{
			Machine: "pdes", Name: "no_migration", Keys: simerr.Keys{"clock": m.queue.Now()},
			Err: fmt.Errorf("the run ended at clock %d, before the migration of clock %d could begin; choose an earlier clock or more slots", m.queue.Now(), m.cfg.Migrate.At),
		}
	}
	return m.result(), nil
}

func (m *Machine) handle(e network.Event) {
	switch e.Class() {
	case network.Head:
		m.fabric.Head(e.Clock, e.Arg)
	case network.Done:
		m.done(&m.pps[e.Arg])
	case network.Deliver:
		msg := &m.messages[e.Arg]
		if msg.kind == foreign {
			m.fabric.Release(e.Arg)
			m.pause(msg.lp)
			return
		}
		if msg.kind.external() {
			m.latency[msg.from][msg.to].Add(e.Clock - msg.at)
		}
		p := &m.pps[msg.to]
		p.inbox = append(p.inbox, e.Arg)
		m.dispatch(p)
	case network.Wake:
		if e.Arg == trigger {
			m.migration.due = true
			m.dispatch(&m.pps[0])
			return
		}
		slot := m.fabric.SendAhead(e.Clock, m.background.flows[e.Arg].route, m.cfg.Background.Length)
		m.keep(slot, message{kind: foreign, lp: e.Arg})
	}
}

// keep stores the message of a packet.
func (m *Machine) keep(slot int32, msg message) {
	if int(slot) == len(m.messages) {
		m.messages = append(m.messages, msg)
		return
	}
	m.messages[slot] = msg
}

func (m *Machine) route(from, to int) []int32 {
	r := &m.routes[from*m.cfg.Net.Nodes()+to]
	if *r == nil {
		*r = m.cfg.Net.Route(nil, from, to)
	}
	return *r
}

func (m *Machine) deadlock() error {
	d := &Deadlock{Machine: "pdes", Clock: m.queue.Now(), Keys: simerr.Keys{"clock": m.queue.Now()}}
	for i := range m.pps {
		for _, lp := range m.pps[i].hosted {
			if q := m.pps[i].procs[lp]; q.sw.Slot() < m.cfg.Slots {
				d.Keys["pp"] = i
				d.Waits = []simerr.Wait{{Who: fmt.Sprintf("LP %d on PP %d", lp, i), For: fmt.Sprintf("slot %d", q.sw.Slot())}}
				d.Err = fmt.Errorf("nothing can happen any more: LP %d on PP %d waits for slot %d with %d and %d messages and %d and %d credits",
					lp, i, q.sw.Slot(), q.in[0].len(), q.in[1].len(), q.credit[0], q.credit[1])
				return d
			}
		}
	}
	d.Waits = []simerr.Wait{{Who: "the migration", For: "its last step"}}
	d.Err = errors.New("nothing can happen any more, and the migration is not over")
	return d
}

// Latency sums the clocks that messages spent in the network.
type Latency struct{ Messages, Clocks int64 }

// Add counts one message.
func (l *Latency) Add(clocks int64) {
	l.Messages++
	l.Clocks += clocks
}

// A Result is the outcome of a run.
type Result struct {
	Clocks int64  // until the last LP has run its last slot and a migration is over
	Slots  int64  // slots that every LP has run: all of them at the end
	Hash   uint64 // fingerprint of the simulation, at the end the same on every machine
	banyan.Counts
	Queued    int64        // cells in the LPs' queues at the end
	Map       mapping.Map  // at the end
	Packets   int64        // sent into the network, background included
	Sent      [kinds]int64 // by Kind: packets that PPs sent
	Local     int64        // messages that stayed on a PP
	Latency   [][]Latency  // external messages, from PP to PP
	Migration *Report      // nil without a migration
}

func (m *Machine) result() *Result {
	r := &Result{
		Clocks: m.queue.Now(), Packets: m.fabric.Sent(), Local: m.local,
		Map: append(mapping.Map(nil), m.pps[0].places...), Sent: m.sent, Latency: m.latency, Migration: m.migration.report,
	}
	byLP := make([]*banyan.Switch, m.cfg.Banyan.LPs())
	for i := range m.pps {
		for _, lp := range m.pps[i].hosted {
			byLP[lp] = m.pps[i].procs[lp].sw
		}
	}
	// Before the end an LP may be under way between PPs.
	switches := slices.DeleteFunc(byLP, func(s *banyan.Switch) bool { return s == nil })
	r.Slots = m.cfg.Slots
	for _, s := range switches {
		r.Counts = r.Counts.Add(s.Counts())
		r.Queued += int64(s.Queued())
		r.Slots = min(r.Slots, s.Slot())
	}
	r.Hash = banyan.Fingerprint(switches)
	return r
}
