package network

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/rng"
)

func mustParse(t require.TestingT, kind Kind, shape string) *Net {
	net, err := Parse(kind, shape)
	require.NoError(t, err)
	return net
}

// Patterns 1, 2, 5 and 7 congest on the SR2201, the others do not [004 §4.1]; the slow-downs are from the model.
func TestPatterns(t *testing.T) {
	want := map[string][8]float64{
		"hxb":         {2, 2, 1, 1, 2, 1, 3, 1},
		"torus":       {2, 1, 2, 1, 2, 2, 2, 1},
		"hcb":         {2, 2, 1, 1, 2, 1, 2, 1},
		"hxb Y first": {1, 1, 1, 1, 1, 1, 1, 1},
	}
	yFirst := mustParse(t, HXB, "4x4")
	yFirst.YFirst = true
	nets := map[string]*Net{
		"hxb": mustParse(t, HXB, "4x4"), "torus": mustParse(t, Torus, "4x4"),
		"hcb": mustParse(t, HCB, "4"), "hxb Y first": yFirst,
	}
	for name, net := range nets {
		for i, p := range Patterns() {
			got := p.SlowDown(net)
			require.InDelta(t, want[name][i], got, 0.02, "%s, pattern %d", name, p.Number)
			if name == "hxb" {
				require.Equal(t, p.Congested, got > 1.5, "pattern %d", p.Number)
			}
		}
	}
}

func TestRoutesInWords(t *testing.T) {
	for _, c := range []struct {
		kind     Kind
		shape    string
		from, to int
		want     string
	}{
		{HXB, "4x4", 0, 6, "inj[0] xin[0] xout[2] yin[2] yout[6] ej[6]"},
		{HXB, "4x4x2", 5, 21, "inj[5] zin[5] zout[21] ej[21]"},
		{Torus, "4x4", 0, 3, "inj[0] x-[0] ej[3]"},
		{Torus, "4x4", 0, 2, "inj[0] x+[0] x+[1] ej[2]"}, // a tie goes +
		{Torus, "8x4", 0, 13, "inj[0] x-[0] x-[7] x-[6] y+[5] ej[13]"},
		{HCB, "4", 0, 10, "inj[0] d1[0] d3[2] ej[10]"},
	} {
		net := mustParse(t, c.kind, c.shape)
		words := ""
		for i, port := range net.Route(nil, c.from, c.to) {
			if i > 0 {
				words += " "
			}
			words += net.PortName(port)
		}
		require.Equal(t, c.want, words)
	}
}

// Every route ends at its destination, has as many ports as the distance
// requires, and takes the zero-load latency; no port number is used twice.
func TestRoutesAndDistances(t *testing.T) {
	for _, net := range []*Net{
		mustParse(t, HXB, "4x3"), mustParse(t, HXB, "3x2x4"), mustParse(t, Torus, "5x4"),
		mustParse(t, Torus, "3x3x2"), mustParse(t, HCB, "4"),
	} {
		perHop := 1
		if net.Kind == HXB {
			perHop = 2
		}
		names := map[string]bool{}
		for port := range net.Ports() {
			name := net.PortName(int32(port))
			require.False(t, names[name], name)
			names[name] = true
		}
		samples, err := ZeroLoad(t.Context(), net, 64, 10)
		require.NoError(t, err)
		for _, s := range samples {
			d, c := net.Distance(s.From, s.To)
			back, backC := net.Distance(s.To, s.From)
			require.Equal(t, d, back)
			require.Equal(t, c, backC)
			require.Len(t, net.Route(nil, s.From, s.To), 2+perHop*d)
			require.EqualValues(t, 64+10*(1+perHop*d), s.Clocks)
		}
	}
}

func TestShapes(t *testing.T) {
	require.Equal(t, "4", mustParse(t, HCB, "4x4").Shape())
	require.Equal(t, "4x4x2", mustParse(t, HXB, "4x4x2").Shape())
	for _, c := range []struct {
		kind  Kind
		shape string
		want  string
	}{
		{"mesh", "4x4", "no network is called"},
		{HXB, "", "not a number"},
		{HXB, "4xx4", "not a number"},
		{HXB, "0x4", "1 to 1024"},
		{HXB, "-1", "1 to 1024"},
		{HXB, "2x2x2x2", "1 to 3 axes"},
		{Torus, "64x64", "more than 1024"},
		{HXB, "99999999999999999999", "not a number"},
		{HCB, "0", "1 to 10 dimensions"},
		{HCB, "11", "1 to 10 dimensions"},
		{HCB, "3x4", "powers of two"},
	} {
		_, err := Parse(c.kind, c.shape)
		require.ErrorContains(t, err, c.want, "%s %s", c.kind, c.shape)
		require.Equal(t, "usage", err.(interface{ Kind() string }).Kind())
	}
}

// plain steps the fabric's rule clock by clock, without an event queue. At every clock the due heads take their ports
// in order of packet numbers.
func plain(net *Net, inject []int64, routes [][]int32, length []int64, hop int64) []int64 {
	free := make([]int64, net.Ports())
	due, next, done := append([]int64(nil), inject...), make([]int, len(routes)), make([]int64, len(routes))
	for clock, left := int64(0), len(routes); left > 0; clock++ {
		for id := range routes {
			if done[id] > 0 || due[id] != clock {
				continue
			}
			port := routes[id][next[id]]
			start := max(clock, free[port])
			free[port] = start + length[id]
			due[id] = start + hop
			if next[id]++; next[id] == len(routes[id]) {
				done[id] = start + length[id]
				left--
			}
		}
	}
	return done
}

// The event queue gives the same times as plain stepping, packet by packet.
func TestFabricEqualsPlainStepping(t *testing.T) {
	nets := []*Net{
		mustParse(t, HXB, "4x3"), mustParse(t, Torus, "4x4"), mustParse(t, HCB, "3"),
		mustParse(t, HXB, "2x2x2"),
	}
	rapid.Check(t, func(t *rapid.T) {
		net := nets[rapid.IntRange(0, len(nets)-1).Draw(t, "net")]
		hop := rapid.Int64Range(1, 12).Draw(t, "hop")
		n := rapid.IntRange(1, 60).Draw(t, "packets")
		var inject, length []int64
		var routes [][]int32
		clock := int64(0)
		for range n {
			clock += rapid.Int64Range(0, 9).Draw(t, "gap")
			from := rapid.IntRange(0, net.Nodes()-1).Draw(t, "from")
			to := rapid.IntRange(0, net.Nodes()-1).Filter(func(v int) bool { return v != from }).Draw(t, "to")
			inject, length = append(inject, clock), append(length, rapid.Int64Range(1, 40).Draw(t, "length"))
			routes = append(routes, net.Route(nil, from, to))
		}
		want := plain(net, inject, routes, length, hop)

		var q Queue
		f := NewFabric(net, hop, &q)
		for i := range routes {
			q.Push(inject[i], Wake, int64(i), int32(i))
		}
		got := make([]int64, n)
		for {
			e, ok := q.Pop()
			if !ok {
				break
			}
			switch e.Class() {
			case Wake:
				require.EqualValues(t, e.Arg, f.Send(e.Clock, routes[e.Arg], length[e.Arg]))
			case Head:
				f.Head(e.Clock, e.Arg)
			case Deliver:
				got[e.Arg] = e.Clock
			}
		}
		require.Equal(t, want, got)
		require.EqualValues(t, n, f.Sent())
	})
}

// The queue orders events by (clock, class, id), whatever the order in which they are pushed.
func TestQueueOrder(t *testing.T) {
	draw := rng.New(1, 9)
	var keys [][3]int64
	for i := range int64(500) {
		keys = append(keys, [3]int64{int64(draw.Below(20)), int64(draw.Below(4)), i})
	}
	run := func() (order string) {
		var q Queue
		for _, k := range keys {
			q.Push(k[0], Class(k[1]), k[2], int32(k[2]))
		}
		last := [3]int64{-1}
		for len(q.events) > 0 {
			e, _ := q.Pop()
			at := [3]int64{e.Clock, int64(e.Class()), int64(e.Arg)}
			require.True(t, last[0] < at[0] || last[0] == at[0] &&
				(last[1] < at[1] || last[1] == at[1] && last[2] < at[2]))
			last = at
			order += fmt.Sprint(at)
		}
		return order
	}
	first := run()
	rng.Shuffle(&draw, keys)
	require.Equal(t, first, run())
}

func TestUniformDeliversEverything(t *testing.T) {
	net := mustParse(t, Torus, "4x3")
	packets := int64(0)
	samples, err := Uniform(t.Context(), net, 0.9, 100, 64, 10, 3)
	require.NoError(t, err)
	for _, s := range samples {
		packets += s.Packets
		require.GreaterOrEqual(t, s.Mean(), 84.0)
	}
	require.EqualValues(t, 12*90, packets)
}

func BenchmarkFabric(b *testing.B) {
	net := mustParse(b, HXB, "4x4")
	for b.Loop() {
		if _, err := Uniform(b.Context(), net, 0.6, 2000, 64, 10, 1); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*16*2000)/b.Elapsed().Seconds(), "packets/s")
}

// checked is a context that ends at its n-th check.
type checked struct {
	context.Context
	n int
}

func (l *checked) Err() error {
	if l.n--; l.n < 0 {
		return context.Canceled
	}
	return nil
}

func TestMeasurementsEndWithTheirContext(t *testing.T) {
	net := mustParse(t, HXB, "4x4")
	partner := make([]int, net.Nodes())
	for i := range partner {
		partner[i] = (i + 1) % net.Nodes()
	}
	for name, measure := range map[string]func(ctx context.Context) error{
		"zero load": func(ctx context.Context) error { _, err := ZeroLoad(ctx, net, 64, 10); return err },
		"uniform":   func(ctx context.Context) error { _, err := Uniform(ctx, net, 0.5, 2000, 64, 10, 1); return err },
		"saturate": func(ctx context.Context) error {
			_,
				err := Saturate(ctx, net, partner, 1000, 64, 10)
			return err
		},
	} {
		require.NoError(t, measure(t.Context()), name)
		require.ErrorIs(t, measure(&checked{t.Context(), 2}), context.Canceled, name)
	}
}
