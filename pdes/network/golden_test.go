package network

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// Packets hop by hop, offered loads, saturated permutations and the patterns of figure 1 match their recorded texts.
func TestTimings(t *testing.T) {
	golden.Script(t, "timing.txt", func(c golden.Case) string {
		arg := map[string]string{}
		for _, a := range c.Args {
			arg[a.Key] = a.Value
		}
		net := mustParse(t, Kind(c.Args[0].Key), c.Args[0].Value)
		_, net.YFirst = arg["yfirst"]
		hop, _ := strconv.ParseInt(arg["hop"], 10, 64)
		switch c.Cmd {
		case "packets":
			return packets(net, hop, c)
		case "offer":
			rho, _ := strconv.ParseFloat(arg["load"], 64)
			samples, err := Uniform(context.Background(), net, rho, 30, 64, 10, 2)
			require.NoError(t, err)
			return offered(samples)
		case "saturate":
			var partner []int
			for _, w := range strings.Fields(c.Input[0]) {
				to, _ := strconv.Atoi(w)
				partner = append(partner, to)
			}
			clocks, err := Saturate(context.Background(), net, partner, 5, 64, 10)
			require.NoError(t, err)
			return fmt.Sprintln(clocks)
		}
		var b strings.Builder
		for _, p := range Patterns() {
			fmt.Fprintf(&b, "%d  %.5f  congested on the SR2201: %-5v %s: %v\n", p.Number, p.SlowDown(net), p.Congested,
				p.What, p.Flows)
		}
		return b.String()
	})
}

// packets runs lines of "clock from to length [ahead]". It returns the clocks at which each packet's head reaches its
// ports, and the clock of its delivery.
func packets(net *Net, hop int64, c golden.Case) string {
	var q Queue
	f := NewFabric(net, hop, &q)
	told := make([]string, len(c.Input))
	routes := make([][]int32, len(c.Input))
	next := make([]int, len(c.Input))
	packet := map[int32]int{} // packet number by slot
	at := make([][5]string, len(c.Input))
	for i, line := range c.Input {
		copy(at[i][:], strings.Fields(line))
		clock, _ := strconv.ParseInt(at[i][0], 10, 64)
		from, _ := strconv.Atoi(at[i][1])
		to, _ := strconv.Atoi(at[i][2])
		routes[i] = net.Route(nil, from, to)
		q.Push(clock, Wake, int64(i), int32(i))
	}
	slots, busy := 0, map[int32]int64{} // busy: by port, the clocks of its packets
	for {
		e, ok := q.Pop()
		if !ok {
			break
		}
		switch e.Class() {
		case Wake:
			length, _ := strconv.ParseInt(at[e.Arg][3], 10, 64)
			send := f.Send
			if at[e.Arg][4] != "" {
				send = f.SendAhead
			}
			packet[send(e.Clock, routes[e.Arg], length)] = int(e.Arg)
			slots = max(slots, len(f.packets)-len(f.idle))
		case Head:
			i := packet[e.Arg]
			told[i] += fmt.Sprintf("%d %s, ", e.Clock, net.PortName(routes[i][next[i]]))
			busy[routes[i][next[i]]] += f.packets[e.Arg].length
			next[i]++
			f.Head(e.Clock, e.Arg)
		case Deliver:
			told[packet[e.Arg]] += fmt.Sprintf("delivered %d", e.Clock)
			f.Release(e.Arg)
		}
	}
	var b strings.Builder
	for i, text := range told {
		fmt.Fprintf(&b, "%d: %s\n", i, text)
	}
	b.WriteString("busy")
	for port := range net.Ports() {
		if n := busy[int32(port)]; n > 0 {
			fmt.Fprintf(&b, " %s %d", net.PortName(int32(port)), n)
		}
	}
	fmt.Fprintf(&b, "\n%d sent, %d at a time, %d left", f.Sent(), slots, len(f.packets)-len(f.idle))
	return b.String()
}

func offered(samples []Sample) string {
	all := Sample{}
	for _, s := range samples {
		all.Packets += s.Packets
		all.Clocks += s.Clocks
	}
	first, last := samples[0], samples[len(samples)-1]
	return fmt.Sprintf("%d pairs, %d packets, mean %.3f; first %+v, last %+v", len(samples), all.Packets, all.Mean(),
		first, last)
}

// Coordinates, neighbours and the inputs of the cost function are correct.
func TestGeometry(t *testing.T) {
	net := mustParse(t, Torus, "5x4x3")
	require.Equal(t, 60, net.Nodes())
	node := net.Node(3, 2, 1)
	require.Equal(t, 3+5*2+20, node)
	require.Equal(t, []int{3, 2, 1}, []int{net.Coord(node, 0), net.Coord(node, 1), net.Coord(node, 2)})
	require.Equal(t, net.Node(3, 0, 1), net.At(node, 1, 0))
	require.Equal(t, net.Node(4, 2, 1), net.At(node, 0, 4))
	require.Equal(t, net.Node(3, 2, 2), net.At(node, 2, 2))
	for _, c := range []struct {
		kind     Kind
		shape    string
		from, to int
		d, c     int
	}{
		{Torus, "5x4x3", 0, 0, 0, 0},
		{Torus, "5x4x3", 0, 2, 2, 0},
		{Torus, "5x4x3", 0, 3, 2, 0}, // around the ring
		{Torus, "5x4x3", 0, 4, 1, 0},
		{Torus, "5x4x3", 4, 0, 1, 0},
		{Torus, "5x4x3", 0, 5 + 1, 2, 1},
		{Torus, "5x4x3", 0, 20 + 10 + 3, 2 + 2 + 1, 2},
		{HXB, "4x4", 0, 3, 1, 0},
		{HXB, "4x4", 0, 13, 2, 1},
		{HXB, "4x4x2", 0, 31, 3, 2},
		{HCB, "4", 0, 15, 4, 3},
		{HCB, "4", 5, 4, 1, 0},
	} {
		net := mustParse(t, c.kind, c.shape)
		d, turns := net.Distance(c.from, c.to)
		require.Equal(t, [2]int{c.d, c.c}, [2]int{d, turns}, "%+v", c)
	}
	for kind, ports := range map[Kind]int{HXB: 16 * 6, Torus: 16 * 6} {
		net := mustParse(t, kind, "4x4")
		require.Equal(t, ports, net.Ports())
	}
	require.Equal(t, 16*6, mustParse(t, HCB, "4").Ports())
}

// Invalid shapes are rejected with the full message, and the largest valid shapes are accepted.
func TestShapeRefusals(t *testing.T) {
	for _, c := range []struct {
		kind  Kind
		shape string
		want  string
	}{
		{"mesh", "4x4", `no network is called "mesh"; the networks are hxb, torus and hcb`},
		{
			HXB,
			"4xx4",
			`shape "4xx4": "" is not a number; write it as in 4x4 or 4x4x2, a hypercube as its number of dimensions`,
		},
		{HXB, "0x4", "axis 0 of the shape has 0 nodes; expected 1 to 1024"},
		{Torus, "4x1025", "axis 1 of the shape has 1025 nodes; expected 1 to 1024"},
		{HXB, "2x2x2x2", "a network hxb has 1 to 3 axes, got 4 ([2 2 2 2])"},
		{Torus, "33x32", "the shape [33 32] has more than 1024 nodes"},
		{HCB, "0", `shape "0": a hypercube has 1 to 10 dimensions, as in 4 for 16 nodes`},
		{HCB, "11", `shape "11": a hypercube has 1 to 10 dimensions, as in 4 for 16 nodes`},
		{HCB, "1x1", `shape "1x1": a hypercube has 1 to 10 dimensions, as in 4 for 16 nodes`},
		{
			HCB,
			"3x4",
			`shape "3x4": a hypercube is given as its number of dimensions, as in 4, or by powers of two, as in 4x4; 3 is not a power of two`,
		},
		{
			HCB,
			"4x0",
			`shape "4x0": a hypercube is given as its number of dimensions, as in 4, or by powers of two, as in 4x4; 0 is not a power of two`,
		},
		{
			HCB,
			"4x-4",
			`shape "4x-4": a hypercube is given as its number of dimensions, as in 4, or by powers of two, as in 4x4; -4 is not a power of two`,
		},
	} {
		_, err := Parse(c.kind, c.shape)
		require.Error(t, err)
		require.Equal(t, bare(c.want), bare(err.Error()))
	}
	_, err := New(HCB, 2, 4)
	require.EqualError(t, err, "a hypercube has 2 nodes along every axis, got 4 along axis 1; give its number of "+
		"dimensions, as in 4")
	_, err = New(HXB)
	require.EqualError(t, err, "a network hxb has 1 to 3 axes, got 0 ([])")
	_, err = New(HCB, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)
	require.ErrorContains(t, err, "1 to 10 axes, got 11")
	for _, c := range []struct {
		kind         Kind
		shape, again string
		nodes        int
	}{
		{HXB, "1", "1", 1},
		{HXB, "1024", "1024", 1024},
		{Torus, "32x32", "32x32", 1024},
		{Torus, "8x8x16", "8x8x16", 1024},
		{HCB, "1", "1", 2},
		{HCB, "10", "10", 1024},
		{HCB, "1x8", "3", 8},
		{HCB, "2x4x8", "6", 64},
	} {
		net := mustParse(t, c.kind, c.shape)
		require.Equal(t, c.again, net.Shape())
		require.Equal(t, c.nodes, net.Nodes())
	}
}

// A freed slot is the next one used, so tables by slot grow only with the packets in flight.
func TestSlotsAreReused(t *testing.T) {
	net := mustParse(t, Torus, "4")
	var q Queue
	f := NewFabric(net, 10, &q)
	route := net.Route(nil, 0, 1)
	require.EqualValues(t, 0, f.Send(0, route, 1))
	require.EqualValues(t, 1, f.Send(0, route, 1))
	f.Release(0)
	require.EqualValues(t, 0, f.Send(0, route, 1))
	require.EqualValues(t, 2, f.Send(0, route, 1))
	require.Len(t, f.packets, 3)
	require.Empty(t, f.idle)
	require.EqualValues(t, 4, f.Sent())
	for _, s := range must(ZeroLoad(context.Background(), net, 64, 10)) {
		require.EqualValues(t, 1, s.Packets)
	}
}

// must returns v; it is for calls that cannot fail here.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// reasons matches the reasons for limits, which messages give in brackets.
var reasons = regexp.MustCompile(` \([^()]*\)`)

// bare returns a message without the reasons.
func bare(message string) string { return reasons.ReplaceAllString(message, "") }
