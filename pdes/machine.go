package pdes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/base/state"
	"emsim/pdes/banyan"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// A Machine is a network of PPs during a run.
type Machine struct {
	cfg        Config
	queue      network.Queue
	fabric     *network.Fabric
	routes     [][]int32 // by from*nodes+to, computed at first use
	messages   []message // by packet slot
	pps        []processor
	program    *program
	slots      [2][]banyan.Slot // inputs and outputs of the LP that runs
	room       int64            // messages that may be in flight on a channel
	creditAt   int64            // messages taken before a credit is returned
	running    int              // LPs with slots left to run
	flying     int64            // external messages sent and not yet received
	local      int64            // external messages that stayed on a PP
	sent       [kinds]int64
	latency    [][]Latency // of external messages, by sending and receiving PP
	migration  coordinator
	reports    []*Report // reports of the migrations so far
	background background
	watch      Watch
	shown      state.Shown
	record     *recorder // nil if nothing is recorded
	err        error
	ctx        context.Context // the run's context, for the minimiser of a migration
}

// New builds a machine before its first clock.
func New(cfg Config) (*Machine, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	m := &Machine{cfg: cfg}
	m.program = m.cfg.program()
	nodes, lps := cfg.Net.Nodes(), m.program.LPs()
	if cfg.Map == nil {
		m.cfg.Map = mapping.Conventional(lps, nodes)
	}
	m.routes, m.pps = make([][]int32, nodes*nodes), make([]processor, nodes)
	m.room, m.creditAt, m.running = cfg.Window, cfg.creditAt(), lps
	if m.program.ahead {
		m.room++ // the empty message of slot 0 is in flight in addition to the window
	}
	for lp := range lps {
		m.slots[0] = slices.Grow(m.slots[0], len(m.program.ins[lp]))
		m.slots[1] = slices.Grow(m.slots[1], len(m.program.outs[lp]))
	}
	m.background = newBackground(cfg.Background, cfg.Net)
	m.fabric = network.NewFabric(cfg.Net, cfg.Timing.Hop, &m.queue)
	for i := range m.pps {
		m.pps[i] = processor{
			id: i, procs: make([]*process, lps), slow: m.background.slow[i],
			places: append(mapping.Map(nil), m.cfg.Map...),
		}
	}
	m.latency = make([][]Latency, nodes)
	for i := range m.latency {
		m.latency[i] = make([]Latency, nodes)
	}
	for lp, node := range m.cfg.Map {
		p := &m.pps[node]
		p.procs[lp] = newProcess(m.program, lp, cfg.Window)
		p.hosted = append(p.hosted, int32(lp))
	}
	return m, nil
}

// Run runs a configuration to its end. The error is a usage error, the context's error, the error of a user's
// minimiser, or a model error: deadlock, max_clocks, no_migration or a broken invariant.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	m, err := New(cfg)
	if err != nil {
		return nil, err
	}
	return m.Run(ctx)
}

// trigger identifies the migration's timer among the timers of the background.
const trigger = -1

// Run runs the machine until every LP has run its slots and any migration is over. If ctx ends first, Run returns the
// results so far with the error of ctx.
func (m *Machine) Run(ctx context.Context) (*Result, error) {
	const checkEvery = 1 << 12 // events between two checks of ctx, which are made at the end of a clock
	m.ctx = ctx
	if err := m.begin(); err != nil {
		return nil, err
	}
	for n := checkEvery; m.err == nil && (m.running > 0 || m.migration.active); n++ {
		if m.migration.deciding {
			if m.decide(&m.pps[0]); m.err != nil {
				break
			}
			m.operate(&m.pps[0])
		}
		if m.isDead() {
			return nil, m.deadlock()
		}
		next, _ := m.queue.Next()
		if m.shown.Before(next); n >= checkEvery && next > m.queue.Now() {
			if n = 0; ctx.Err() != nil {
				return m.result(m.shown.Stop(next)), ctx.Err()
			}
			if m.watch.Progress != nil {
				m.watch.Progress(m.queue.Now(), m.slotsRun(), m.cfg.Slots)
			}
		}
		if m.cfg.MaxClocks > 0 && next > m.cfg.MaxClocks {
			m.shown.Stop(next)
			return nil, &Limit{
				Machine: "pdes", Name: simerr.KindMaxClocks, Clock: next, Keys: simerr.Keys{"clock": next},
				Err: fmt.Errorf("the run is not over after %s; %s %s slots to run",
					plural.Of(m.cfg.MaxClocks, "clock"), plural.Of(m.running, "LP"),
					plural.Verb(m.running, "has", "have")),
			}
		}
		e, _ := m.queue.Pop()
		m.handle(e)
	}
	if m.err == nil {
		m.shown.End(m.queue.Now())
	}
	if m.err != nil && ctx.Err() != nil {
		if m.migration.deciding {
			m.watch.Snapshots.Stopped(m.queue.Now(), m.state)
		}
		return m.result(m.queue.Now()), m.err
	}
	if m.err != nil {
		return nil, m.err
	}
	if m.cfg.Migrate != nil && len(m.reports) == 0 {
		return nil, &Fault{
			Machine: "pdes", Name: "no_migration", Keys: simerr.Keys{"clock": m.queue.Now()},
			Err: fmt.Errorf("the run ended at clock %d, before the migration of clock %d could begin; choose an "+
				"earlier clock or more slots", m.queue.Now(), m.cfg.Migrate.At),
		}
	}
	return m.result(m.queue.Now()), nil
}

// begin begins a run with all operations of clock 0 and the timers, or continues a run.
func (m *Machine) begin() error {
	var sample func(at int64)
	if m.watch.Sample != nil {
		sample = m.tellSample
	}
	var err error
	if m.shown, err = state.NewShown(m.watch.Every, sample, m.watch.Snapshots, m.state); err != nil ||
		m.watch.Snapshots.Resumed() {
		return err
	}
	m.beginRecord()
	for i := range m.pps {
		m.dispatch(&m.pps[i])
	}
	for i := range m.background.flows {
		m.pause(int32(i))
	}
	if m.cfg.Migrate != nil {
		m.queue.Push(m.cfg.Migrate.At, network.Wake, int64(len(m.background.flows)), trigger)
	}
	return nil
}

func (m *Machine) handle(e network.Event) {
	switch e.Class() {
	case network.Head:
		m.fabric.Head(e.Clock, e.Arg)
	case network.Done:
		m.endOperation(&m.pps[e.Arg])
	case network.Deliver:
		msg := &m.messages[e.Arg]
		if msg.kind == foreign {
			m.fabric.Release(e.Arg)
			m.pause(msg.lp)
			return
		}
		if msg.kind.external() {
			l := &m.latency[msg.from][msg.to]
			l.Messages++
			l.Clocks += e.Clock - msg.at
		}
		p := &m.pps[msg.to]
		p.inbox.Push(e.Arg)
		m.dispatch(p)
	case network.Wake:
		if e.Arg == trigger { // if a migration is active, PP 0 begins the next one after it
			m.migration.due = true
			m.dispatch(&m.pps[0])
			return
		}
		slot := m.fabric.SendAhead(e.Clock, m.background.flows[e.Arg].route, m.cfg.Background.Length)
		m.storeMessage(slot, message{kind: foreign, lp: e.Arg})
	}
}

// storeMessage stores the message of a packet.
func (m *Machine) storeMessage(slot int32, msg message) {
	for int(slot) >= len(m.messages) {
		m.messages = append(m.messages, message{})
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

// holds describes what a waiting LP has: messages by input and credits by output.
func (p *process) holds() string {
	messages := lists.Of(p.in, func(in input) string { return strconv.Itoa(in.Len()) })
	credits := lists.Of(p.out, func(out output) string { return strconv.FormatInt(out.credit, 10) })
	count := func(list []string, what string) string {
		if len(list) == 0 {
			return "no " + what
		}
		return strings.Join(list, " and ") + " " + what
	}
	return count(messages, "messages") + " and " + count(credits, "credits")
}

// isDead reports whether no event is left except on the background flows, each of which always has one event, and the
// timer of the next migration, which moves no message.
func (m *Machine) isDead() bool {
	others := len(m.background.flows)
	if x := &m.migration; m.cfg.Migrate != nil && !x.due && !x.active &&
		(len(m.reports) == 0 || m.cfg.Migrate.Every > 0) {
		others++
	}
	return m.queue.Len() <= others
}

func (m *Machine) deadlock() error {
	d := &Deadlock{Machine: "pdes", Clock: m.queue.Now(), Keys: simerr.Keys{"clock": m.queue.Now()}}
	moving := ""
	if n := len(m.background.flows); n > 0 {
		moving = fmt.Sprintf(", only packets of the %s move", plural.Of(n, "background flow"))
	}
	for i := range m.pps {
		for _, lp := range m.pps[i].hosted {
			if q := m.pps[i].procs[lp]; q.Slot() < m.cfg.Slots {
				d.Keys["pp"] = i
				d.Waits = []simerr.Wait{{
					Who: fmt.Sprintf("LP %d on PP %d", lp, i),
					For: fmt.Sprintf("slot %d", q.Slot()),
				}}
				d.Err = fmt.Errorf("nothing can happen any more"+moving+": LP %d on PP %d waits for slot %d with %s",
					lp, i, q.Slot(), q.holds())
				return d
			}
		}
	}
	d.Waits = []simerr.Wait{{Who: "the migration", For: "its last step"}}
	d.Err = errors.New("nothing can happen any more" + moving + ", and the migration is not over")
	return d
}

// Latency counts messages, and the clocks that they spent in the network, all together.
type Latency struct{ Messages, Clocks int64 }

// A Result is the outcome of a run.
type Result struct {
	Clocks int64  // so far; at the end, all LPs have run their slots and any migration is over
	Slots  int64  // slots that every LP has run; at the end, Config.Slots
	Hash   uint64 // fingerprint of the simulation; at the end, the same on every machine
	banyan.Counts
	Queued     int64        // cells in the LPs' queues at the end
	Map        mapping.Map  // map at the end
	Packets    int64        // packets sent into the network, including the background's
	Sent       [kinds]int64 // by Kind: packets that PPs sent
	Local      int64        // messages that stayed on a PP
	Latency    [][]Latency  // external messages, from PP to PP
	Migrations []*Report    // in order of time
	Slotted    []int64      // by PP: clocks of the slots that it ran
}

// slotsRun returns the number of slots that every LP has run, leaving out LPs in transit between two PPs.
func (m *Machine) slotsRun() int64 {
	n := m.cfg.Slots
	for i := range m.pps {
		for _, lp := range m.pps[i].hosted {
			if q := m.pps[i].procs[lp]; q != nil {
				n = min(n, q.Slot())
			}
		}
	}
	return n
}

// result returns the result of the run until the given clock.
func (m *Machine) result(clock int64) *Result {
	r := &Result{
		Clocks: clock, Packets: m.fabric.Sent(), Local: m.local,
		Map: append(mapping.Map(nil), m.pps[0].places...), Sent: m.sent, Latency: m.latency, Migrations: m.reports,
	}
	byLP := make([]*process, m.program.LPs())
	for i := range m.pps {
		r.Slotted = append(r.Slotted, m.pps[i].slots)
		for _, lp := range m.pps[i].hosted {
			byLP[lp] = m.pps[i].procs[lp]
		}
	}
	r.Slots, r.Hash = m.slotsRun(), 1
	for _, q := range byLP {
		if q == nil {
			continue // before the end an LP may be in transit between PPs
		}
		r.Counts = r.Counts.Add(q.Counts())
		r.Queued += int64(q.Queued())
		r.Hash = q.Fold(r.Hash)
	}
	return r
}
