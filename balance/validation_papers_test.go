package balance

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/cluster/rhinet"
	"emsim/cluster/spmd"
	"emsim/mnc"
	"emsim/pdes"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// [002 §3]: seven workstations on T*, 100 tasks each, 16 seeds: tasks and end
// of each processor.
func againstWorkstations(t *testing.T) []check {
	const seeds = 16
	var out []check
	for _, m := range []struct {
		scheme string
		method spmd.Method
	}{{"none", spmd.None}, {"power-static", spmd.Static}, {"power", spmd.Proposed}} {
		c := spmd.Paper(m.method)
		rs, err := spmd.RunSeeds(context.Background(), c, seeds)
		require.NoError(t, err)
		n := len(c.Topology)
		near := make(Graph, n)
		for i, readers := range c.Topology {
			for _, r := range readers {
				near[i] = append(near[i], int32(r))
			}
		}
		load := Workload{
			Shape: Bag, Units: c.Tasks, Work: c.FreeUS, Spread: int(c.JitterPPM / 10_000),
			Slow: c.Loaded, Of: n, Percent: 100 * float64(c.FreeUS) / float64(c.LoadedUS),
		}
		scheme, _ := FindScheme(m.scheme)
		if m.method != spmd.None {
			scheme.New = func(w *Worker) Policy {
				return NewPower(w, PowerConfig{Interval: c.IntervalUS, Readers: near, All: m.method == spmd.Proposed})
			}
		}
		tasks, ends := make([]float64, n), make([]float64, n)
		for seed := range seeds {
			r := runs(t, Setup{Scheme: scheme, Workload: load, Fabric: Fabric{Latency: c.LatencyUS}, Workers: n, Seed: uint64(seed), Near: near})
			for i := range n {
				tasks[i] += float64(r.Done[i]) / seeds
				ends[i] += float64(r.End[i]) / 1e6 / seeds
			}
		}
		worstTasks, worstEnd := 0.0, 0.0
		for i := range n {
			worstTasks = max(worstTasks, math.Abs(tasks[i]-spmd.MeanOf(rs, func(r *spmd.Result) int64 { return int64(r.Tasks[i]) })))
			worstEnd = max(worstEnd, math.Abs(ends[i]/(spmd.MeanOf(rs, func(r *spmd.Result) int64 { return r.EndUS[i] })/1e6)-1))
		}
		out = append(out,
			check{m.scheme, "002 T* 7 workstations", "tasks of the processor that differs most", 0, worstTasks, 3, true},
			check{m.scheme, "002 T* 7 workstations", "end of the processor that differs most", 0, worstEnd, 0.05, true})
	}
	return out
}

// [000 §5]: the MNC computer of 16 PEs, 5,000 heavy data, and of 64 PEs from the source.
func againstMNC(t *testing.T) []check {
	const items = 5_000
	var out []check
	for _, pes := range []int{16, 64} {
		wiring, err := mnc.MNC(pes)
		require.NoError(t, err)
		near := make(Graph, pes)
		for i := range near {
			for _, j := range wiring.Neighbours(i) {
				near[i] = append(near[i], int32(j))
			}
		}
		var at []int
		for _, pe := range wiring.Boards[wiring.Source].Ports {
			at = append(at, pe)
		}
		for _, policy := range []mnc.Policy{mnc.None, mnc.Naive, mnc.Auto} {
			c := mnc.Default(wiring)
			c.Items, c.Loops, c.Policy = items, 1000, policy
			m, err := mnc.New(c)
			require.NoError(t, err)
			require.NoError(t, m.Run(context.Background()))
			s := m.Stats()
			given := 0.0
			for _, pe := range s.PE {
				given += float64(pe.Moved[mnc.XPut]) / items
			}
			name := "mnc-" + string(policy)
			scheme, _ := FindScheme(name)
			if policy == mnc.None {
				name = "none"
			}
			work := int64(c.Loops) * c.Cost.Loop
			conf := MNCConfig{
				Policy: string(policy), Slice: int(max(1, c.Slice/work)), Keep: int(c.KeepClk / work), Batch: c.Batch, Slots: c.Slots,
				Iteration: 2*c.Cost.QPRWord*4 + c.Cost.Iteration - 8, Wait: c.Cost.Idle, WaitMax: c.Cost.IdleMax, Interval: c.AbilityInterval,
			}
			if policy == mnc.Naive {
				conf.Keep = 0
			}
			scheme.Name = name
			scheme.New = func(w *Worker) Policy { return NewAutonomous(w, conf) }
			r := runs(t, Setup{
				Scheme: scheme, Workers: pes, Seed: 1, Near: near,
				Workload: Workload{Shape: Bag, Units: 1, Counts: make([]int, pes), Pool: items, PoolAt: at, Work: work},
				Fabric:   Fabric{Message: c.Cost.Ring, Unit: 12, Probe: 2*c.Cost.QPRWord + c.Cost.Neighbour, Latency: 1},
			})
			where := fmt.Sprintf("000 %d PEs 1000 loops", pes)
			out = append(out, check{name, where, "clocks", float64(s.Clocks), float64(r.Time), 0.1, false})
			if policy != mnc.None {
				out = append(out, check{name, where, "moves of each X", given, float64(r.Moved) / items, 0.3, false})
			}
		}
	}
	return out
}

// [001 §5.4]: RHiNET-2, one host of eight loaded: the gain over no balancing,
// mean of 8 seeds. A unit is eight of the paper's rows.
func againstRHiNET(t *testing.T) []check {
	const seeds, rows, tick = 8, 8, 100 // ns
	var out []check
	for _, nodes := range []int{8, 16} {
		run := func(a rhinet.Algorithm) (finish float64, loops int) {
			for seed := range seeds {
				c := rhinet.Default()
				c.Nodes, c.Algorithm, c.Load, c.Seed = nodes, a, rhinet.OneLoad, uint64(seed+1)
				r, err := rhinet.Run(context.Background(), c)
				require.NoError(t, err)
				finish, loops = finish+r.Finish()/seeds, r.Iterations
			}
			return finish, loops
		}
		base, loops := run(rhinet.NoLB)
		c := rhinet.Default()
		work := rows * int64(c.Host.RowCost) / tick
		part := func(d int64) int64 { return 100 * d / tick / work }
		load := Workload{
			Shape: Loop, Units: c.SOR.Rows / rows / nodes, Rounds: loops, Work: work, Slow: []int{c.Host.LoadedPosition}, Of: 8,
			On: part(int64(c.Host.SliceOn)), Off: part(int64(c.Host.SliceOff)), Jitter: part(int64(c.Host.SliceJitter)),
		}
		fabric := Fabric{Message: int64(c.Host.RHiNETMessage) / tick, Probe: int64(c.Host.RHiNETMessage) / tick, Latency: 30}
		hooks := func(s Scheme) (finish float64) {
			for seed := range seeds {
				r := runs(t, Setup{Scheme: s, Workload: load, Fabric: fabric, Workers: nodes, Seed: uint64(seed + 1)})
				finish += float64(r.Time) * tick / 1e9 / seeds
			}
			return finish
		}
		none, _ := FindScheme("none")
		plain := hooks(none)
		where := fmt.Sprintf("001 %d nodes one loaded", nodes)
		out = append(out, check{"none", where, "seconds", base, plain, 0.05, false})
		for _, a := range []struct {
			scheme string
			native rhinet.Algorithm
			conf   PeriodicConfig
		}{
			{"clb", rhinet.CLB, PeriodicConfig{Size: 1}},
			{"dlb", rhinet.DLB, PeriodicConfig{Size: 1, Ring: true}},
			{"glb", rhinet.GLB, PeriodicConfig{Size: 2, Own: true}},
			{"igclb", rhinet.IGCLB, PeriodicConfig{Size: 2, Turns: true}},
			{"igdlb", rhinet.IGDLB, PeriodicConfig{Size: 2, Turns: true, Ring: true}},
		} {
			native, _ := run(a.native)
			s, _ := FindScheme(a.scheme)
			s.New = func(w *Worker) Policy { a.conf.Every = c.Every; return NewPeriodic(w, a.conf) }
			mine := hooks(s)
			out = append(out, check{a.scheme, where, "gain over no balancing", 1 - native/base, 1 - mine/plain, 0.04, true},
				check{a.scheme, where, "seconds", native, mine, 0.05, false})
		}
	}
	return out
}

// [004 §4.2]: the map that the migration finds, on two tori. Both count the
// traffic until then, but not until the same moment, and the search follows
// small differences: so the native migration gets the counts of the other one.
func againstPDES(t *testing.T) []check {
	var out []check
	for _, shape := range []string{"4x4", "8x4"} {
		net, err := network.Parse(network.Torus, shape)
		require.NoError(t, err)
		scheme, _ := FindScheme("lp-mapping")
		w := newWorld(&Setup{
			Scheme: scheme, Workers: net.Nodes(), Seed: 1, Fabric: Common(),
			Workload: Workload{Shape: Mesh, Units: 32 / net.Nodes(), Work: 3000, Rounds: 60},
		})
		old := make(mapping.Map, len(w.units))
		for u := range w.units {
			old[u] = w.units[u].at
		}
		require.NoError(t, w.runEvents(context.Background(), "lp-mapping"))
		now, moved := make(mapping.Map, len(w.units)), 0
		for u := range w.units {
			now[u] = w.units[u].at
			if now[u] != old[u] {
				moved++
			}
		}
		counts := mapping.NewGraph(len(now), w.workers[0].policy.(*mapper).edges)
		problem := mapping.NewProblem(counts, net, mapping.Reference())
		c := pdes.Default(net, 4, 60)
		c.Migrate = &pdes.Migration{At: 5000, Weights: mapping.Reference(), Minimiser: func(ctx context.Context, _ *mapping.Problem, places mapping.Map) (mapping.Search, error) {
			return problem.Greedy(ctx, places, mapping.Grid, mapping.ByCost)
		}}
		native, err := pdes.Run(context.Background(), c)
		require.NoError(t, err)
		where := "004 torus " + shape + " 4 stages"
		out = append(out,
			check{"lp-mapping", where, "cost of the map found", problem.Cost(native.Map), problem.Cost(now), 0.001, false},
			check{"lp-mapping", where, "LPs moved", float64(native.Migrations[0].Moves), float64(moved), 0.001, false})
	}
	return out
}
