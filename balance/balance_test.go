package balance

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// cellOf returns the Setup of one cell of the comparison: a policy, a workload, n workers and a grain in moves.
func cellOf(s Policy, l Workload, n, grain int, seed uint64) Setup {
	l.Work = int64(grain) * Common().Move()
	return Setup{Policy: s, Workload: l, Fabric: Common(), Workers: n, Seed: seed}
}

// sane runs a world. It checks that all work was done once, that it is counted for the worker that did it, and that
// it was no faster than possible. The world itself checks that every unit ran as often as it should.
func sane(t *testing.T, s Setup) *Result {
	t.Helper()
	w := newWorld(&s)
	require.NoError(t, w.runEvents(context.Background(), s.Policy.Name))
	r := w.result
	if r.NA != "" {
		return r
	}
	sum := 0
	for i, n := range r.Done {
		sum += n
		require.LessOrEqual(t, r.End[i], r.Time)
	}
	require.Equal(t, r.Units, sum)
	require.Equal(t, len(w.units)*w.rounds(), sum)
	require.GreaterOrEqual(t, r.Time, r.Ideal, "%s at %s", s.Policy.Name, s.Workload.Name)
	capacity, work := int64(0), r.Overhead
	for i := range w.workers {
		capacity += w.workers[i].speed.capacity(max(r.Time, w.workers[i].handler))
	}
	for _, u := range w.units {
		work += u.work * int64(u.runs)
	}
	require.GreaterOrEqual(t, capacity, work-int64(len(w.units)*w.rounds()), "work and messages fit into the time")
	require.LessOrEqual(t, r.Starved, 1.0)
	return r
}

// Every policy does all work of every workload on any number of workers, and a second run is the same.
func TestPoliciesDoAllWork(t *testing.T) {
	for _, n := range []int{1, 2, 7, 16} {
		for _, l := range Workloads() {
			for _, s := range Policies() {
				if s.Only != "" && s.Only != string(l.Shape) {
					continue
				}
				setup := cellOf(s, l, n, 5, 3)
				setup.Workload.Units = min(setup.Workload.Units, 12)
				setup.Workload.Rounds = min(setup.Workload.Rounds, 9)
				require.Equal(t, sane(t, setup), sane(t, setup), "%s at %s", s.Name, l.Name)
			}
		}
	}
}

// Every rule does all work of any workload over any fabric.
func TestRandomRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(part string) string { return Parts(part)[rng.IntN(len(Parts(part)))] }
	for k := range 200 {
		r := DefaultRule()
		r.Information, r.Trigger, r.Amount, r.Range = pick("information"), pick("trigger"), pick("amount"),
			pick("range")
		r.Probes, r.Threshold, r.Group, r.Interval = 1+rng.IntN(5), rng.IntN(5), 2+rng.IntN(5), 0.5+9*rng.Float64()
		if _, err := r.Validate(); err != nil {
			require.ErrorContains(t, err, "needs to know")
			continue
		}
		l := Workload{
			Name: "random", Shape: Shapes()[rng.IntN(4)], Units: 1 + rng.IntN(9), Work: 1 + rng.Int64N(5000),
			Spread: rng.IntN(100),
			One:    rng.IntN(2) == 0, Rounds: 1 + rng.IntN(6), Slow: []int{1}, Of: 3, Percent: 1 + 99*rng.Float64(),
		}
		if rng.IntN(2) == 0 {
			l.On, l.Off, l.Jitter = 50+rng.Int64N(900), 1+rng.Int64N(900), rng.Int64N(50)
		}
		if l.Shape == Tree {
			l.Rest = rng.IntN(60)
		}
		f := Fabric{
			Message: rng.Int64N(90), Unit: rng.Int64N(50), Probe: rng.Int64N(90), Latency: 1 + rng.Int64N(900),
			Hop:  rng.Int64N(50),
			Hold: rng.Int64N(5), InOrder: rng.IntN(2) == 0, Asks: rng.IntN(2) == 0, Buffer: rng.IntN(5),
			Spill: rng.Int64N(9),
		}
		setup := Setup{Policy: r.Policy(), Workload: l, Fabric: f, Workers: 1 + rng.IntN(20), Seed: uint64(k)}
		if rng.IntN(2) == 0 {
			// each worker has one link out and one link in
			n := setup.Workers
			setup.Routes = &Routes{
				Links: 2 * n,
				Path:  func(from, to int) []int32 { return []int32{int32(from), int32(n + to)} },
			}
		}
		require.NoError(t, l.Validate(setup.Workers))
		sane(t, setup)
	}
}

// The rows do not depend on the number of threads, and a policy's rows do not depend on the other policies.
func TestThreads(t *testing.T) {
	p := Default(false)
	p.Workers, p.Grains, p.Seeds = []int{7}, []int{4}, 3
	for k := range p.Workloads {
		p.Workloads[k].Units = min(10, p.Workloads[k].Units)
	}
	worlds := 0
	one, err := p.Compare(context.Background(), 1, func(done, _ int) { worlds = done })
	require.NoError(t, err)
	three, err := p.Compare(context.Background(), 3, nil)
	require.NoError(t, err)
	require.Equal(t, one, three)
	require.Equal(t, p.Rows()*p.Seeds, worlds)
	require.Len(t, one, p.Rows())
	p.Policies = p.Policies[1:2]
	alone, err := p.Compare(context.Background(), 2, nil)
	require.NoError(t, err)
	for _, r := range alone {
		require.Zero(t, *r.Regret)
		k := slices.IndexFunc(one, func(o Row) bool { return o.Policy == r.Policy && o.Workload == r.Workload })
		require.Equal(t, *one[k].Mean, *r.Mean)
	}
}

// A comparison that the user stops has the rows whose worlds are all done.
func TestEnded(t *testing.T) {
	p := Default(false)
	p.Workers, p.Grains, p.Seeds = []int{4}, []int{4}, 2
	ctx, end := context.WithCancel(context.Background())
	rows, err := p.Compare(ctx, 1, func(worlds, _ int) {
		if worlds == 9 {
			end()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, rows, 5, "four and a half of two seeds each, and the first seed of a row comes with any other")
}

// If equation (1) has no value, there is no number. Nor is there one for a mapping without a graph.
func TestNoValue(t *testing.T) {
	p := Default(false)
	p.Workers, p.Grains, p.Seeds = []int{16}, []int{30}, 1
	p.Policies = slices.DeleteFunc(p.Policies, func(s Policy) bool { return s.Paper != "001" && s.Paper != "004" })
	rows, err := p.Compare(context.Background(), 2, nil)
	require.NoError(t, err)
	for _, r := range rows {
		if r.Workload == "graph" && r.Policy != "lp-mapping" {
			continue // depends on how soon the last stage has begun
		}
		want := r.Workload == "source" || r.Workload == "stream" || r.Workload == "tree"
		if r.Policy == "lp-mapping" {
			want = r.Workload != "graph"
		}
		require.Equal(t, want, r.NA != nil, "%s at %s", r.Policy, r.Workload)
		require.Equal(t, want, r.Mean == nil)
	}
}

// Watch is called with the loads of all workers at every sample up to the end.
func TestWatch(t *testing.T) {
	none, _ := FindPolicy("none")
	var seen []string
	_, err := Run(context.Background(), Setup{
		Policy: none, Workers: 2, Workload: Workload{Shape: Bag, Units: 1, Work: 100, One: true},
		Every: 50, Watch: func(at int64, l []Load) { seen = append(seen, fmt.Sprint(at, l)) },
	})
	require.NoError(t, err)
	require.Equal(t, []string{
		"0 [{1 true} {0 false}]", "50 [{1 true} {0 false}]", "100 [{0 true} {0 false}]",
		"150 [{0 true} {0 false}]",
	}, seen)
}

// flood sends messages to worker 0 again and again.
type flood struct {
	Hooks
	every int64
}

func (p flood) Timer(int) {
	p.W.Tell(0, Message{})
	p.W.After(p.every, 0)
}

// A unit that messages prevent from ending gives no value instead of an endless run. A unit that messages only delay
// ends.
func TestFlood(t *testing.T) {
	run := func(every int64) *Result {
		r, err := Run(context.Background(), Setup{
			Policy: Policy{Name: "flood", New: func(w *Worker) Agent {
				if w.ID == 1 {
					w.After(every, 0)
				}
				return flood{Hooks{w}, every}
			}},
			Workers: 2, Workload: Workload{Shape: Bag, Units: 1, Work: 10_000, One: true},
			Fabric: Fabric{Probe: 40, Latency: 100},
		})
		require.NoError(t, err)
		return r
	}
	r := run(10)
	require.Contains(t, r.NA, "messages come")
	// 247 messages come during the unit, and each delays it by 40; as many come during the delay
	require.EqualValues(t, 10_000+1000*247*40, r.Time, "given up at the end of the thousandth delay")
	r = run(44) // a tenth of the worker's time is left
	require.Empty(t, r.NA)
	require.InDelta(t, 220_000, r.Time, 5_000)
}

// teller sends one unit and one probe, and logs every hook with its time.
type teller struct {
	Hooks
	log *[]string
}

func (p teller) note(what string) {
	*p.log = append(*p.log, fmt.Sprintf("%d: worker %d %s", p.W.Now(), p.W.ID, what))
}

func (p teller) Born(k int) int { return min(k, 1) }
func (p teller) Done()          { p.note("done") }
func (p teller) Idle()          { p.note("idle") }

func (p teller) Message(m *Message) {
	p.note(fmt.Sprintf("message of %d units", m.Units()))
	if m.Units() > 0 {
		p.W.Tell(m.From, Message{Kind: 1})
	}
}

// Messages take CPU time at both ends, before any unit.
func TestPrices(t *testing.T) {
	var log []string
	s := Setup{
		Policy: Policy{Name: "teller", New: func(w *Worker) Agent { return teller{Hooks{w}, &log} }}, Workers: 2,
		Workload: Workload{Shape: Bag, Units: 1, Work: 1000, One: true, Slow: []int{1}, Of: 2, Percent: 50},
		Fabric:   Fabric{Message: 40, Unit: 10, Probe: 30, Latency: 100},
	}
	r := sane(t, s)
	require.Equal(t, []string{
		"0: worker 1 idle",
		// 50 ticks to send, 100 to travel, 50 to receive at half speed
		"250: worker 1 message of 1 units",
		// 30 to send at half speed, 100 to travel, 30 to receive
		"440: worker 0 message of 0 units",
		// 50 for the unit and 30 for the probe, in addition to the work
		"1080: worker 0 done",
		"1080: worker 0 idle",
		// 250, then 60 for the probe, then 2000
		"2310: worker 1 done",
		"2310: worker 1 idle",
	}, log)
	require.Equal(t, 1, r.Moved)
	require.Equal(t, 1, r.Messages)
	require.Equal(t, 1, r.Probes)
	require.EqualValues(t, 160, r.Overhead)
	require.EqualValues(t, 1334, r.Ideal)
}

// A unit waits while a worker is idle, and the integrals measure this.
func TestIntegrals(t *testing.T) {
	none, _ := FindPolicy("none")
	r := sane(t, Setup{Policy: none, Workers: 2, Workload: Workload{Shape: Bag, Units: 1, Work: 100, One: true}})
	require.EqualValues(t, 200, r.Time)
	require.EqualValues(t, 100, r.Ideal)
	require.InDelta(t, 0.25, r.Starved, 1e-12, "one of two, half of the time")
	require.InDelta(t, 0.25, r.Spread, 1e-12, "backlogs 1 and 0, half of the time")
}

// runs runs one world and fails the test if the run fails.
func runs(t *testing.T, s Setup) *Result {
	t.Helper()
	r, err := Run(context.Background(), s)
	require.NoError(t, err, s.Policy.Name)
	require.Empty(t, r.NA, s.Policy.Name)
	return r
}
