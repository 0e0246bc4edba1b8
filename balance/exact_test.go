package balance

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/mlpe"
	"emsim/mnc"
)

// The prices and graphs of the common fabric are the recorded ones.
func TestFabricNumbers(t *testing.T) {
	f := Common()
	require.EqualValues(t, 100, f.Move())
	require.Equal(t, []int32{4, 2, 5, 1, 6, 0, 7, 13, 8, 12, 9, 11}, VisibilityGraph(14)[3])
	require.Equal(t, []int32{1, 24, 2, 23, 3, 22, 4, 21, 5, 20, 6, 19}, VisibilityGraph(25)[0])
	require.Equal(t, []int32{1, 25, 3, 23, 8, 18, 9, 17, 11, 15, 12, 14}, VisibilityGraph(26)[0])
	require.Equal(t, []int32{1, 48, 3, 46, 8, 41, 9, 40, 11, 38, 12, 37}, VisibilityGraph(49)[0])
	require.Equal(t, []int32{1, 49, 4, 46, 15, 35, 16, 34, 19, 31, 20, 30}, VisibilityGraph(50)[0])
	require.Len(t, VisibilityGraph(MaxWorkers), MaxWorkers)
	c := TorusCircuits(6) // 0 1 2 above 3 4 5
	require.Equal(t, Circuits{
		In: []int32{1, 2, 0, 4, 5, 3}, Out: []int32{3, 4, 5, 0, 1, 2},
		Line: []int32{1, 2, 3, 4, 5, 0},
	}, c)
	for to, want := range []int64{0, 1, 2, 1, 1, 2, 3, 2, 1, 2, 3, 2} { // 3 rows of 4
		require.Equal(t, want, torusDistance(3, 4, 0, to), "to %d", to)
	}
}

// The sizes of trees and graphs are correct, and so are the conditions for a graph's unit to be ready.
func TestSizes(t *testing.T) {
	for n, want := range map[int]int{1: 2, 4: 2, 5: 3, 12: 3, 13: 4, 32: 4, 33: 5} {
		require.Equal(t, want, stages(n), "%d units", n)
	}
	for n, want := range map[int32]int{1: 1, 2: 1, 3: 3, 4: 5, 5: 9, 6: 15, 10: 109} {
		require.Equal(t, want, calls(n), "fib %d", n)
	}
	m := newMesh(2, []Traffic{{0, 1}})
	for _, c := range []struct {
		unit         uint32
		runs, others int32
		got          int32
		want         bool
	}{
		{0, 0, 0, 0, true}, {0, 7, 0, 0, true}, {0, 8, 0, 0, false}, {0, 8, 1, 0, true}, // seven steps ahead at most
		{0, 19, 19, 0, true}, {0, 20, 20, 0, false}, // the last one of 20
		{1, 0, 0, 0, false}, {1, 0, 1, 1, true}, {1, 3, 4, 3, false}, {1, 3, 4, 4, true},
	} {
		units := make([]unit, 2)
		units[c.unit].runs, units[1-c.unit].runs, m.got[0] = c.runs, c.others, c.got
		require.Equal(t, c.want, m.ready(units, int32(c.unit), 20), "%+v", c)
	}
}

// idler returns a worker with units that wait.
func idler(backlog int) *Worker {
	w := &Worker{world: &world{result: &Result{}}, running: -1}
	for k := range backlog {
		w.queue.Push(int32(k))
	}
	return w
}

// Abilities and proper loads follow equations (2) and (3) of paper 000.
func TestAbilities(t *testing.T) {
	p := &autonomous{
		pa: []int64{mnc.One, mnc.One}, x: []int64{0, 0}, acc: []int64{0, 0}, e: []int64{0, 0},
		c: MNCConfig{Interval: 100},
	}
	for x, want := range map[int64]int64{0: 0, 1: 0, 2: 1, 9: 3, 10: 3, 11: 4} {
		require.Equal(t, want, p.proper(x), "a third of %d", x)
	}
	p.pa[0], p.x[0], p.x[1] = 2*mnc.One, 5, 4
	require.EqualValues(t, 4, p.proper(10), "(10 + 2·5 + 4) / (1 + 4 + 1)")

	p.pa[0] = mnc.One
	p.integrate(10, 4) // the loads are 5 and 4: from now on the imbalances are -1/16 and 0
	require.Equal(t, []int64{-mnc.One / 16, 0}, p.e)
	p.x[0], p.x[1] = 4, 2
	p.integrate(60, 4) // from now on the imbalances are 0 and 1/4
	require.Equal(t, []int64{-50 * mnc.One / 16, 0}, p.acc)
	require.Equal(t, []int64{mnc.One, mnc.One}, p.pa)
	p.integrate(99, 4)
	require.Equal(t, []int64{mnc.One, mnc.One}, p.pa, "the interval is not over")
	p.integrate(100, 4)
	require.Equal(t, []int64{mnc.One - 2048, mnc.One + 40*mnc.One/400}, p.pa) // half of 1/16; 0.4 of 1/4
	require.Equal(t, []int64{0, 0}, p.acc)
	p.e[0], p.e[1] = -mnc.One, mnc.One
	for now := int64(200); now < 4000; now += 100 {
		p.x[0], p.x[1] = 9, 0
		p.integrate(now, 4)
	}
	require.Equal(t, []int64{mnc.One / 16, 16 * mnc.One}, p.pa, "the bounds")
}

// A backlog gives the right load value of the EM-4.
func TestLoadValue(t *testing.T) {
	for backlog, want := range map[int]int64{0: 0, 1: 1, 2: 2, 3: 3, 5: 3, 6: 4, 10: 4, 11: 5, 47: 11, 48: 12} {
		p := &search{Hooks: Hooks{idler(backlog)}, words: wordsOfUnit}
		require.Equal(t, want, p.loadValue(), "%d units", backlog)
	}
}

// Equation (1) of paper 001 gives these moves, and no value without a speed.
func TestSplit(t *testing.T) {
	p := &periodic{Hooks: Hooks{idler(0)}}
	fill := func(units ...int64) {
		p.known = nil
		for _, n := range units {
			p.known = append(p.known, report{true, n, 1})
		}
	}
	fill(10, 0, 2)
	p.known[2].speed = 2
	require.Equal(t, []int64{0, 1, 3, 0, 2, 4}, p.decide(0, 3)) // shares of 3, 3 and 6
	fill(0, 9, 1, 2)
	require.Equal(t, []int64{1, 2, 3, 1, 3, 2}, p.decide(1, 4))
	fill(4, 4)
	require.Empty(t, p.decide(0, 2))
	fill(1, 9, 6, 0)
	require.Equal(t, []int64{1, 0, 3, 1, 3, 2, 2, 3, 2}, p.decide(0, 4))
	require.Empty(t, p.W.world.result.NA)
	p.known[3].speed = 0
	require.Empty(t, p.decide(0, 4))
	require.Contains(t, p.W.world.result.NA, "no speed in equation (1)")
}

// A row is the mean over its worlds.
func TestRow(t *testing.T) {
	p := Plan{
		Policies: []Policy{{Name: "none"}}, Workloads: []Workload{{Name: "bag"}}, Workers: []int{4},
		Grains: []int{30}, Seeds: 2,
	}
	row := p.summariseCell(cell{}, []outcome{
		{r: &Result{
			Time: 100, Ideal: 50, Units: 10, Moved: 5, Messages: 20, Probes: 40, Overhead: 200, Starved: 0.25,
			Spread: 3,
		}},
		{r: &Result{
			Time: 300, Ideal: 100, Units: 20, Moved: 30, Messages: 20, Probes: 0, Overhead: 1200, Starved: 0.75,
			Spread: 1,
		}},
	})
	mean, sd, worst := 2.5, math.Sqrt(0.5), 3.0
	require.Equal(t, Row{
		Policy: "none", Workload: "bag", N: 4, Grain: 30, Mean: &mean, SD: &sd, Worst: &worst, Seeds: 2,
		Moved: 1, Messages: 1.5, Probes: 2, Overhead: 0.75, Starved: 0.5, Deviation: 2, judged: []float64{2, 3},
	}, row)
	row = p.summariseCell(cell{}, []outcome{{r: &Result{Ideal: 1}}})
	require.Zero(t, *row.Mean, "no unit and no time")
	row = p.summariseCell(cell{}, []outcome{{r: &Result{Ideal: 1}}, {r: &Result{NA: "why, indeed"}}})
	require.Nil(t, row.Mean)
	require.Equal(t, "why, indeed", *row.NA)
	failed := p.summariseCell(cell{}, []outcome{{r: &Result{Ideal: 1}}, {err: errors.ErrUnsupported}})
	require.Equal(t, "unsupported operation", *failed.NA)

	p.Seeds = 1
	require.Nil(t, p.summariseCell(cell{}, []outcome{{r: &Result{Ideal: 1}}}).SD)
	require.Equal(t, csvHeader()+"none,bag,4,30,,,,,,,,,2,0,,,,,,,,,,,,,,,,,,,why; indeed\n", CSV([]Row{row}))
}

// Regrets are relative to the best policy of a cell that is not free.
func TestRegrets(t *testing.T) {
	of := func(policy, workload string, n, grain int, mean float64) Row {
		return Row{
			Policy: policy, Workload: workload, N: n, Grain: grain, Mean: &mean, SD: &mean, Worst: &mean,
			judged: []float64{mean},
		}
	}
	rows := []Row{
		of("a", "bag", 4, 3, 3), of("b", "bag", 4, 3, 2), of("bound", "bag", 4, 3, 1),
		{Policy: "c", Workload: "bag", N: 4, Grain: 3},
		of("a", "bag", 4, 30, 1.5), of("a", "bag", 8, 3, 1.6), of("a", "tree", 4, 3, 1.7),
	}
	p := Plan{Policies: []Policy{{Name: "a"}, {Name: "b"}, {Name: "bound", Free: true}, {Name: "c"}}}
	p.regrets(rows)
	for k, want := range []float64{0.5, 0, -1, -1, 0, 0, 0} {
		if want < 0 {
			require.Nil(t, rows[k].Regret)
		} else {
			require.Equal(t, want, *rows[k].Regret)
		}
	}
	require.Equal(t,
		csvHeader()+
			"a,bag,4,3,3,,,3,3,,,,0,0,0.5,,,,0,0,0,0,0,0,,,,,,,,,\n"+
			"bound,bag,4,3,1,,,1,1,,,,0,0,,,,,0,0,0,0,0,0,,,,,,,,,\n",
		CSV([]Row{rows[0], rows[2]}))
}

// A row gets the nearest check of its policy: first by the workload's paper and by the network, then by size and
// grain; of several, the worst. A check that is near validates the row.
func TestJudge(t *testing.T) {
	at := func(paper, network string, n int, grain, deviation float64, ok bool) Check {
		return Check{Policy: "a", Conditions: Conditions{
			Paper: paper, Machine: "M", Load: fmt.Sprint(deviation),
			Network: network, N: n, Grain: grain,
		}, Quantity: "clocks", Deviation: deviation, OK: ok}
	}
	p := Plan{Checks: []Check{
		at("000", "free", 16, 30, -.1, true), at("000", "free", 64, 30, .1, true),
		at("000", "free", 64, 30, -.2, false),
		at("000", "busy", 16, 30, .3, true), at("001", "free", 16, 0, .4, true), at("000", "free", 16, 300, .5, true),
	}}
	other := p.Checks[2]
	other.Quantity, other.Deviation, other.OK = "moves", 9, true
	p.Checks = append(p.Checks, other)
	for _, c := range []struct {
		paper     string
		n, grain  int
		hold      int64
		check     float64
		validated string
	}{
		{"000", 16, 30, 0, .1, "true"},
		{"000", 31, 30, 0, .1, "true"},
		{"000", 33, 30, 0, .2, "false"},
		{"000", 129, 30, 0, .2, ""},
		{"000", 16, 7, 0, .1, ""},
		{"000", 16, 8, 0, .1, "true"},
		{"000", 16, 300, 0, .5, "true"},
		{"000", 16, 300, 9, .3, ""},
		{"001", 16, 3, 0, .4, "true"},
		{"002", 16, 30, 0, .4, ""},
	} {
		r := Row{Policy: "a", N: c.n, Grain: c.grain}
		p.Fabric.Hold = c.hold
		r.judge(&p, &Workload{Paper: c.paper})
		require.Equal(t, c.check, *r.Check, c)
		validated := ""
		if r.Validated != nil {
			validated = fmt.Sprint(*r.Validated)
		}
		require.Equal(t, c.validated, validated, c)
		r = Row{Policy: "b", N: 16, Grain: 30}
		r.judge(&p, &Workload{Paper: c.paper})
		require.Nil(t, r.Check)
	}
	r := Row{Policy: "a", N: 64, Grain: 30}
	r.judge(&p, &Workload{Paper: "000"})
	require.Equal(t, "M 64 -0.2", *r.Nearest)
	require.Equal(t, p.Checks, ParseChecks(CSV(p.Checks)))
}

// A barrier on workers of full speed consists of messages up and down a binomial tree. Worker 0 reads from each of
// its children in turn, and writes to each.
func TestTreeOfBarrier(t *testing.T) {
	none, _ := FindPolicy("none")
	for n, want := range map[int]int64{1: 0, 2: 360, 4: 720, 8: 1080} { // each level takes 180 in each direction
		w := newWorld(&Setup{
			Policy: none, Workers: n, Fabric: Fabric{Message: 40, Latency: 100},
			Workload: Workload{Shape: Loop, Units: 1, Rounds: 9, Work: 100},
		})
		w.barrier()
		most := int64(0)
		for i := range w.workers {
			most = max(most, w.workers[i].handler)
		}
		require.EqualValues(t, want, most, n)
		require.EqualValues(t, 4*40*(n-1), w.result.Overhead)
		w.load.Exchange, w.load.Gap = 1, 1000
		for i := range w.workers {
			w.workers[i].handler = 0
		}
		w.barrier()
		require.GreaterOrEqual(t, w.workers[0].handler, int64(n-1)*1000)
	}
	slow := Workload{Shape: Loop, Units: 1, Rounds: 2, Work: 100, Slow: []int{0}, Of: 4, Percent: 10}
	fast := slow
	fast.Slow = []int{3}
	inner, leaf := runs(t, Setup{Policy: none, Workers: 4, Workload: slow, Fabric: Common()}),
		runs(t, Setup{Policy: none, Workers: 4, Workload: fast, Fabric: Common()})
	require.Greater(t, inner.Time, leaf.Time, "all messages wait for the CPU of worker 0")
}

// Results leave at the sink. Each takes CPU time of all workers on its path.
func TestSink(t *testing.T) {
	none, _ := FindPolicy("none")
	s := Setup{
		Policy: none, Workers: 3, Near: Graph{{1}, {0, 2}, {1}}, Fabric: Fabric{Unit: 10, Latency: 1},
		Workload: Workload{Shape: Bag, Units: 1, Counts: []int{4, 0, 0}, Work: 100},
	}
	plain := runs(t, s)
	s.Workload.Home = [][]int32{{1}, {2}, {}}
	r := runs(t, s)
	require.EqualValues(t, 4*(2*2*10+10), r.Overhead-plain.Overhead)
	require.Equal(t, plain.Units, r.Units)
	require.EqualValues(t, 400+4*10+1+10+10+1+10, r.Time,
		"the first worker gives four, the last one of which goes over two links")
}

// Watch without a period is called at every tick, and the time of a running unit counts as busy.
func TestWatchEveryTick(t *testing.T) {
	none, _ := FindPolicy("none")
	var at, busy []int64
	s := Setup{Policy: none, Workers: 1, Workload: Workload{Shape: Bag, Units: 2, Work: 2}}
	w := newWorld(&s)
	w.watch = func(now int64, _ []Load) {
		at, busy = append(at, now), append(busy, w.workers[0].Busy())
	}
	require.NoError(t, w.runEvents(t.Context(), "none"))
	require.Equal(t, []int64{0, 1, 2, 3}, at)
	require.Equal(t, []int64{0, 0, 2, 2}, busy, "as of the event before")
}

// The full comparison has more sizes and grains.
func TestDefault(t *testing.T) {
	p, whole := Default(false), Default(true)
	require.Equal(t, [][]int{{16, 64}, {3, 30}, {32}}, [][]int{p.Workers, p.Grains, {p.Seeds}})
	require.Equal(t, [][]int{{16, 64, 256, 1024}, {3, 30, 300}, {32}},
		[][]int{whole.Workers, whole.Grains, {whole.Seeds}})
	require.Equal(t, len(Policies())*len(Workloads())*4, p.Rows())
	s := p.setup(cell{policy: 1, load: 3, size: 1, grain: 1}, 6)
	require.Equal(t, []any{"mnc-naive", "tree", 64, int64(3000), uint64(7)},
		[]any{s.Policy.Name, s.Workload.Name, s.Workers, s.Workload.Work, s.Seed})
}

// The interval of a rule is in typical units, and at least one tick.
func TestRuleInterval(t *testing.T) {
	for interval, want := range map[float64]int64{0.1: 1, 1: 4, 2.5: 10, 2.4: 9} {
		w := idler(0)
		w.world.load = &Workload{Work: 4}
		p := &own{Hooks: Hooks{w}, r: Rule{Interval: interval}}
		require.Equal(t, want, p.interval(), "%g units", interval)
	}
}

// A search that has come back reserves the worker's own place if that is the best, and no place if all workers are
// full.
func TestSearchComesBack(t *testing.T) {
	for _, c := range []struct {
		load  int64
		place int
	}{{0, 0}, {mlpe.MaxLoad - 1, 0}, {mlpe.MaxLoad, -1}} {
		p := &search{Hooks: Hooks{idler(0)}, place: -1, asked: true}
		p.Message(&Message{Kind: searchFor, A: c.load, Data: []int64{0}})
		require.False(t, p.asked)
		require.Equal(t, c.place, p.place, "load %d", c.load)
	}
}

// A worker without units ends its intervals unless an answer is expected, and they stay ended.
func TestPowerEnds(t *testing.T) {
	for _, c := range []struct {
		ended bool
		asked int
		want  bool
	}{{false, 0, true}, {false, 1, false}, {true, 0, true}, {true, 1, true}} {
		p := &power{ended: c.ended, asked: c.asked}
		p.Idle()
		require.Equal(t, c.want, p.ended, "%+v", c)
	}
}

// Reports of a phase that is over are ignored; reports of a phase that has not begun are kept.
func TestPeriodicPhases(t *testing.T) {
	for _, c := range []struct {
		active bool
		phase  int64
		early  int
	}{{false, 2, 0}, {true, 1, 0}, {true, 3, 1}, {false, 3, 1}} {
		p := &periodic{
			Hooks: Hooks{idler(0)}, c: PeriodicConfig{Size: 1}, phase: 2, active: c.active,
			known: make([]report, 2),
		}
		p.Message(&Message{Kind: reports, A: c.phase, B: 1, reports: []report{{true, 5, 0}}})
		require.Zero(t, p.have, "%+v", c)
		require.Len(t, p.early, c.early, "%+v", c)
	}
}

// csvHeader returns the first line of the table.
func csvHeader() string { return CSV[Row](nil) }
