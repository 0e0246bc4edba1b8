package rhinet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/simerr"
	"emsim/internal/dev/inorder"
)

// Runs with seed 1 agree with an independent implementation of the same rules: total, calc, packets.
func TestOrientation(t *testing.T) {
	for _, c := range []struct {
		net         Network
		nodes       int
		load        Load
		total, calc float64
		packets     int64
	}{
		{RHiNET2, 8, NoLoad, 37.612872, 37.409476, 10372},
		{RHiNET2, 64, NoLoad, 7.907991, 5.746439, 107478},
		{RHiNET2, 8, OneLoad, 44.883212, 38.230649, 10344},
		{RHiNET2, 64, OneLoad, 24.149854, 5.900210, 107478},
		{Ethernet, 64, OneLoad, 24.494488, 6.848585, 136962},
	} {
		cfg := Default()
		cfg.Network, cfg.Nodes, cfg.Load = c.net, c.nodes, c.load
		r, err := Run(context.Background(), cfg)
		require.NoError(t, err)
		require.InEpsilon(t, c.total, r.Total(), 0.002)
		require.InEpsilon(t, c.calc, r.Calc(), 0.002)
		require.Equal(t, c.packets, r.Packets)
	}
}

// In loops whose compute takes less than half a tick, the ranks still have speeds, and the rows stay distributed.
func TestLoopsOfNoTime(t *testing.T) {
	for _, a := range append(PaperPolicies(), WLB) {
		c := Default()
		c.Nodes, c.Policy, c.Group, c.Network, c.Load = 4, a, 2, Ethernet, OneLoad
		c.Host.LoadedPosition = 2
		c.SOR.Rows, c.Host.RowCost, c.Host.EthernetCost = 64, 8*time.Nanosecond, 0.01
		r, err := Run(context.Background(), c)
		require.NoError(t, err, a)
		require.Zero(t, r.Calc(), a)
		rows := 0
		for _, rank := range r.Ranks {
			rows += rank.Rows
		}
		require.Equal(t, 64, rows, a)
	}
}

// Every row has one owner in every epoch, every message arrives, times add up, the solution is right, and a second
// run is equal.
func TestRandomMachines(t *testing.T) {
	ended := 0
	rapid.Check(t, func(t *rapid.T) {
		c := randomConfig(t)
		s, err := newSim(c)
		require.NoError(t, err)
		require.NoError(t, s.start())
		err = s.runEvents(context.Background())
		if l := (*Limit)(nil); errors.As(err, &l) && l.Kind() == "no_convergence" {
			return // not every omega, rho and dominance converges
		}
		require.NoError(t, err)
		ended++
		r := s.result()
		checkConservation(t, s, r)
		if c.Application == Heat {
			require.Zero(t, r.Deviation)
		} else {
			require.Less(t, r.Deviation, 1e-6)
		}
		rec := &Record{}
		again, err := RunWatched(context.Background(), c, Watch{Record: rec})
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(r, again))
		require.NoError(t, inorder.Check(rec, s.now, true), "%+v", c)
	})
	if !testing.Short() { // which draws too few
		require.Greater(t, ended, 50, "most runs are to end with an answer")
	}
}

func checkConservation(t require.TestingT, s *sim, r *Result) {
	rows := s.cfg.distributedRows()
	for m, e := range r.Epochs {
		at, sum := 0, 0
		for i, n := range e.Rows {
			require.Equal(t, at, e.First[i], "epoch %d, rank %d", m, i)
			if s.cfg.Policy != WLB {
				require.GreaterOrEqual(t, n, 1)
			}
			at += n
			sum += n
		}
		require.Equal(t, rows, sum, "epoch %d", m)
	}
	require.Zero(t, s.net.inAir, "messages lost")
	left := 0
	for i := range s.ranks {
		left += len(s.ranks[i].inbox)
		n := r.Ranks[i]
		require.LessOrEqual(t, n.Calc+n.LB, n.Finish)
		require.LessOrEqual(t, n.Calc+n.Wait, n.Finish)
	}
	if s.cfg.Policy != WLB { // a resting rank's last report stays unread
		require.Zero(t, left, "messages that nobody received")
	}
	require.InDelta(t, r.Total(), r.Calc()+r.Comm()+r.LB(), 1e-9)
	require.InDelta(t, r.Total(), r.Calc()+r.Other(), 1e-9)
}

// The order of the queue's heap, the order of waking ranks, and the number of the computer's processors do not affect
// the result.
func TestEvaluationOrder(t *testing.T) {
	for _, c := range []Config{
		{Policy: IGDLB, Load: TwoLoad, Nodes: 16, Network: RHiNET2},
		{Policy: WLB, Load: OneLoad, Nodes: 32, Network: Ethernet},
	} {
		d := Default()
		d.Policy, d.Load, d.Nodes, d.Network = c.Policy, c.Load, c.Nodes, c.Network
		want, err := Run(context.Background(), d)
		require.NoError(t, err)
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		s, err := newSim(d)
		require.NoError(t, err)
		for i := range s.ranks {
			s.wakeRank(len(s.ranks)-1-i, 0)
		}
		rnd := rand.New(rand.NewPCG(3, 4))
		for steps := 0; len(s.net.events) > 0; steps++ {
			if steps%100 == 0 {
				shuffle(t, s, rnd)
			}
			s.handleNext()
		}
		require.NoError(t, s.err)
		s.deviation, err = s.app.deviation(t.Context())
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(want, s.result()))
	}
}

// shuffle rebuilds the queue in a random order. It checks that no two events have the same place in it.
func shuffle(t *testing.T, s *sim, rnd *rand.Rand) {
	all := slices.Clone(s.net.events)
	rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	s.net.events = s.net.events[:0]
	seen := map[item]bool{}
	for _, x := range all {
		place := item{At: x.At, Order: x.Order}
		require.False(t, seen[place], "two events at tick %d with order %d", x.At, x.Order)
		seen[place] = true
		s.net.events.Add(x)
	}
}

// The messages of a balancing phase are as in figures 4-8 of [001].
func TestPhaseMessages(t *testing.T) {
	const p, size, groups = 16, 4, 4
	for _, c := range []struct {
		a         Policy
		odd, even int // first phase, second phase
	}{
		{CLB, 2 * (p - 1), 2 * (p - 1)},
		{DLB, p * (p - 1), p * (p - 1)},
		{GLB, p * (size - 1), p * (size - 1)},
		{IGCLB, p * (size - 1), 2*(p-groups) + 2*(groups-1)},
		{IGDLB, p * (size - 1), 2*(p-groups) + groups*(groups-1)},
	} {
		cfg := Default()
		cfg.Policy, cfg.Nodes, cfg.Group = c.a, p, size
		s, err := newSim(cfg)
		require.NoError(t, err)
		for _, want := range []int{c.odd, c.even} {
			sends, recvs := 0, 0
			for i := range s.ranks {
				r := &s.ranks[i]
				r.ops = nil
				s.balance(r)
				for _, o := range r.ops {
					switch o.kind {
					case opSend:
						sends++
					case opRecv:
						recvs++
					}
				}
			}
			require.Equal(t, want, sends, "%v", c.a)
			require.Equal(t, want, recvs, "%v", c.a)
		}
	}
}

// Computing a split takes Decide for each node, in every phase, on every rank.
func TestDecisionTakesTime(t *testing.T) {
	c := Default()
	c.Nodes, c.Policy = 8, DLB
	quick, err := Run(context.Background(), c)
	require.NoError(t, err)
	c.Host.Decide = 1001 * time.Microsecond
	slow, err := Run(context.Background(), c)
	require.NoError(t, err)
	require.InDelta(t, 4*8*0.001, slow.LB()-quick.LB(), 1e-5)
}

// Ranks do not rest because of constantly slower hosts or constantly slow messages: a smaller share is enough.
func TestNoRestForSteadyRanks(t *testing.T) {
	for _, n := range []int{16, 64} {
		c := Default()
		c.Nodes, c.Policy, c.Application, c.Network = n, WLB, Heat, Ethernet
		c.Host.Spread = 0.4
		r, err := Run(context.Background(), c)
		require.NoError(t, err)
		for _, e := range r.Epochs {
			require.NotContains(t, e.Rows, 0)
		}
	}
}

func TestDeadlockNamesWhoWaits(t *testing.T) {
	c := Default()
	c.Nodes = 4
	s, err := newSim(c)
	require.NoError(t, err)
	require.NoError(t, s.start())
	s.ranks[2].recv(3, aBlock) // no rank will send this message
	err = s.runEvents(context.Background())
	var dead *Deadlock
	require.ErrorAs(t, err, &dead)
	require.Equal(t, "deadlock", dead.Kind())
	require.Contains(t, err.Error(), "has been waiting in loop")
	require.Equal(t, []simerr.Wait{{Who: "rank 0", For: fmt.Sprintf("a message from rank %v", dead.Details()["peer"])}},
		dead.Waits)
}

func TestEndlessRunStops(t *testing.T) {
	c := Default()
	c.Application, c.Nodes, c.Policy = Heat, 1, NoLB
	c.Heat.Rows, c.Heat.Columns, c.Heat.RowCost, c.Heat.Steps = maxRows, 1, maxCost, maxLoop
	s, err := newSim(c)
	require.NoError(t, err)
	s.now = maxTicks - 1000
	s.wakeRank(0, s.now)
	s.handleNext() // into the first loop, which ends after maxTicks
	s.handleNext()
	var late *Limit
	require.ErrorAs(t, s.err, &late)
	require.Equal(t, "max_clocks", late.Kind())
	require.ErrorContains(t, late, "18 years")
	require.Contains(t, late.Details(), "clock")
}

func TestNoConvergence(t *testing.T) {
	c := Default()
	c.Nodes = 8
	c.SOR.MaxLoops = 20
	_, err := Run(context.Background(), c)
	var conv *Limit
	require.ErrorAs(t, err, &conv)
	require.Equal(t, 20, conv.Keys["loops"])
	c = Default()
	c.Nodes, c.SOR.Rows, c.SOR.Exchange = 2, 2, 1 // with two unknowns, over-relaxation diverges
	_, err = Run(context.Background(), c)
	require.ErrorContains(t, err, "after 5000 loops")
	require.Equal(t, "no_convergence", conv.Kind())

	c = Default()
	c.Nodes = 2
	s, err := newSim(c)
	require.NoError(t, err)
	require.NoError(t, s.start())
	s.app.(*sor).b[7] = math.Inf(1) // a diverging solution ends the run at once
	require.ErrorAs(t, s.runEvents(context.Background()), &conv)
	require.Equal(t, 1, conv.Keys["loops"])
	require.ErrorContains(t, conv, "no convergence")
}

func TestBadParameters(t *testing.T) {
	for name, c := range map[string]struct {
		change func(c *Config)
		says   string
	}{
		"nodes":   {func(c *Config) { c.Nodes = 65 }, "1 to 64"},
		"no rows": {func(c *Config) { c.Nodes, c.SOR.Rows = 1, 0 }, "rows is 0"},
		"factor": {
			func(c *Config) { c.Host.EthernetCost = math.NaN() },
			"ethernet_cost is NaN, it must be above 0 and at most 8",
		},
		"jitter":  {func(c *Config) { c.Host.SliceJitter = c.Host.SliceOn }, "shortest slice"},
		"courant": {func(c *Config) { c.Heat.Courant = 0.3 }, "courant is 0.3"},
		"network": {func(c *Config) { c.Network = "atm" }, "one of rhinet2, ethernet"},
	} {
		cfg := Default()
		c.change(&cfg)
		_, err := Run(context.Background(), cfg)
		var bad *Usage
		require.ErrorAs(t, err, &bad, name)
		require.ErrorContains(t, err, c.says, name)
		require.Equal(t, "usage", bad.Kind())
	}
}

func BenchmarkRun(b *testing.B) {
	for _, n := range []int{8, 64} {
		for _, net := range Networks() {
			b.Run(string(net)+"/"+map[int]string{8: "8", 64: "64"}[n], func(b *testing.B) {
				c := Default()
				c.Nodes, c.Network, c.Load = n, net, OneLoad
				var ticks float64
				for b.Loop() {
					r, err := Run(context.Background(), c)
					if err != nil {
						b.Fatal(err)
					}
					ticks += r.Finish() * 1e9 / TickNs
				}
				b.ReportMetric(ticks/b.Elapsed().Seconds(), "ticks/s")
			})
		}
	}
}
