package balance

import (
	"fmt"
	"strings"
	"testing"

	"emsim/internal/dev/golden"
)

// recording is a table of exact results of small worlds.
type recording struct {
	strings.Builder
	t *testing.T
}

// add runs a world and writes its result.
func (rec *recording) add(name string, s Setup) {
	r := sane(rec.t, s)
	if r.NA != "" {
		fmt.Fprintf(rec, "%-60s no value at %d\n", name, r.Time)
		return
	}
	fmt.Fprintf(rec, "%-60s %6d of %6d, %3d moved, %4d messages, %4d probes, overhead %6d, starved %.4f, deviation "+
		"%.4f, done %v\n",
		name, r.Time, r.Ideal, r.Moved, r.Messages, r.Probes, r.Overhead, r.Starved, r.Spread, r.Done)
}

// small returns a workload of the comparison with few units and rounds.
func small(l Workload) Workload {
	l.Units, l.Rounds = min(l.Units, 8), min(l.Rounds, 9)
	return l
}

// Every policy gives its recorded results on every workload, including pairs with an odd number of workers, and a
// torus with both circuits.
func TestRecordedPolicies(t *testing.T) {
	rec := &recording{t: t}
	for _, size := range []struct{ n, grain int }{{5, 30}, {12, 5}} {
		for _, l := range Workloads() {
			for _, s := range Policies() {
				if s.Only == "" || s.Only == string(l.Shape) {
					rec.add(fmt.Sprintf("%d workers, grain %d: %s at %s", size.n, size.grain, s.Name, l.Name),
						cellOf(s, small(l), size.n, size.grain, 1))
				}
			}
		}
	}
	golden.Check(t, "policies.txt", []byte(rec.String()))
}

// Every kind of rule gives its recorded results, with six workers that begin with unequal loads, one of them slow, in
// groups of four and two.
func TestRecordedRules(t *testing.T) {
	rec := &recording{t: t}
	l := Workload{
		Shape: Bag, Units: 1, Counts: []int{12, 0, 3, 1, 7, 0}, Spread: 25, Slow: []int{3}, Of: 6,
		Percent: 40,
	}
	for _, information := range Parts("information") {
		for _, trigger := range Parts("trigger") {
			for _, amount := range Parts("amount") {
				for _, reach := range Parts("range") {
					r := DefaultRule()
					r.Information, r.Trigger, r.Amount, r.Range, r.Threshold, r.Interval = information, trigger, amount,
						reach, 2, 2.5
					if _, err := r.Validate(); err == nil {
						rec.add(fmt.Sprintf("%s, %s, %s, %s", information, trigger, amount, reach),
							cellOf(r.Policy(), l, 6, 10, 1))
					}
				}
			}
		}
	}
	for _, probes := range []int{1, 3, 4} { // of the three others in the group
		r := DefaultRule()
		r.Information, r.Range, r.Probes = "probe", "group", probes
		rec.add(fmt.Sprintf("%d probes", probes), cellOf(r.Policy(), l, 6, 10, 1))
	}
	golden.Check(t, "rules.txt", []byte(rec.String()))
}

// Some policies give their recorded results on networks other than the comparison's; none of these policies polls.
func TestRecordedFabrics(t *testing.T) {
	rec := &recording{t: t}
	const n = 6
	routes := &Routes{Links: 2 * n, Path: func(from, to int) []int32 { return []int32{int32(from), int32(n + to)} }}
	turn := Fabric{Message: 40, Unit: 10, Probe: 30, Latency: 100, Hop: 20, InOrder: true}
	spills, asks, both, links := turn, Common(), turn, Common()
	spills.Buffer, spills.Spill = 2, 7
	asks.Asks, both.Asks = true, true
	links.Hold = 60
	for _, f := range []struct {
		name   string
		fabric Fabric
		routes *Routes
	}{{"in order", turn, nil}, {"spills", spills, nil}, {"asks", asks, nil}, {"asks in order", both, nil}, {
		"links",
		links, routes,
	}} {
		for _, l := range Workloads() {
			for _, name := range []string{"power", "glb", "random", "mlpe", "lp-mapping", "stealing"} {
				s, _ := FindPolicy(name)
				if s.Only == "" || s.Only == string(l.Shape) {
					setup := cellOf(s, small(l), n, 10, 1)
					setup.Fabric, setup.Routes = f.fabric, f.routes
					rec.add(fmt.Sprintf("%s: %s at %s", f.name, s.Name, l.Name), setup)
				}
			}
		}
	}
	golden.Check(t, "fabrics.txt", []byte(rec.String()))
}

// Policies give their recorded results with numbers that the comparison does not use: abilities that are measured
// often, few slots, groups of three, units in a pool.
func TestRecordedNumbers(t *testing.T) {
	rec := &recording{t: t}
	bag := Workload{
		Shape: Bag, Units: 1, Counts: []int{0, 9, 1, 0, 30, 2, 5}, Spread: 25, Slow: []int{1}, Of: 4,
		Percent: 40,
	}
	pool := Workload{
		Shape: Bag, Units: 1, Counts: make([]int, 7), Pool: 40, PoolAt: []int{2, 3}, Slow: []int{1}, Of: 4,
		Percent: 40,
	}
	loop := Workload{Shape: Loop, Units: 5, Rounds: 12, Spread: 25, Slow: []int{1}, Of: 4, Percent: 40}
	add := func(name string, n func(w *Worker) Agent, loads ...Workload) {
		for k, l := range loads {
			rec.add(fmt.Sprintf("%s, %d", name, k), cellOf(Policy{Name: name, New: n}, l, 7, 10, 1))
		}
	}
	for _, policy := range []string{"auto", "naive"} {
		for k, c := range []MNCConfig{
			{Slice: 1, Keep: 1, Batch: 3, Slots: 2, Iteration: 50, Wait: 200, WaitMax: 3200, Interval: 1500},
			{Slice: 2, Keep: 0, Batch: 8, Slots: 8, Iteration: 10, Wait: 300, WaitMax: 600, Interval: 400},
			{Slice: 3, Keep: 3, Batch: 1, Slots: 1, Iteration: 0, Wait: 900, WaitMax: 900, Interval: 5000},
		} {
			c.Policy = policy
			add(fmt.Sprintf("%s %d", policy, k), func(w *Worker) Agent { return NewAutonomous(w, c) }, bag, pool, loop)
		}
	}
	add("pool alone", autonomousOn("none"), pool)
	add("pool, stealing", stealing().New, pool)
	for _, c := range []PeriodicConfig{
		{Size: 3, Interval: 3500, Every: 2},
		{Size: 3, Own: true, Interval: 3500, Every: 3},
		{Size: 3, Ring: true, Interval: 3600, Every: 2},
		{Size: 3, Turns: true, Interval: 3700, Every: 2},
		{Size: 3, Turns: true, Ring: true, Interval: 3700, Every: 1},
		{Size: 7, Interval: 3500, Every: 2},
		{Size: 7, Ring: true, Interval: 3500, Every: 2},
	} {
		even := bag
		even.Counts, even.Units = nil, 14
		rounds := c
		rounds.Interval = 0
		add(fmt.Sprintf("%+v", c), func(w *Worker) Agent { return NewPeriodic(w, c) }, even)
		add(fmt.Sprintf("%+v", rounds), func(w *Worker) Agent { return NewPeriodic(w, rounds) }, loop)
	}
	for _, all := range []bool{false, true} {
		add(fmt.Sprintf("power %t", all), func(w *Worker) Agent {
			return NewPower(w, PowerConfig{Interval: 2500, Readers: VisibilityGraph(7), All: all})
		}, bag, loop)
	}
	golden.Check(t, "numbers.txt", []byte(rec.String()))
}
