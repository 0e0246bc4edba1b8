package lpgraph

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
	"emsim/internal/base/srcerr"
	"emsim/pdes/banyan"
)

const text = `# comment
lp a 200
channel b c 2.25
channel a b 0.5 # before its LP
lp b 900
lp c
from 10
lp b 300
channel a b 0.9
from 20
lp c 5
`

func parsed(t *testing.T, text string) *Graph {
	g, err := Parse("g", []byte(text))
	require.NoError(t, err)
	return g
}

func TestParse(t *testing.T) {
	g := parsed(t, text)
	require.Equal(t, &Graph{
		LPs: []LP{
			{"a", []Change{{0, 200}}, nil},
			{"b", []Change{{0, 900}, {10, 300}}, nil},
			{"c", []Change{{20, 5}}, nil},
		},
		Channels: []Channel{
			{0, 1, []Change{{0, 500_000}, {10, 900_000}}},
			{1, 2, []Change{{0, 2_250_000}}},
		},
	}, g)
	for slot, want := range map[int64][3]int64{
		0: {200, 900, 7}, 9: {200, 900, 7}, 10: {200, 300, 7}, 19: {200, 300, 7},
		20: {200, 300, 5}, 99: {200, 300, 5},
	} {
		for lp, clocks := range want {
			require.Equal(t, clocks, g.ClocksOf(lp, slot, 7), "LP %d, slot %d", lp, slot)
		}
	}
	require.EqualValues(t, 500_000, g.RateOf(0, 9))
	require.EqualValues(t, 900_000, g.RateOf(0, 10))
}

// The mean over some slots equals the mean of the values in each slot.
func TestMean(t *testing.T) {
	g := parsed(t, text+"channel b c 0\nfrom 40\nchannel b c 1.000001\nlp a 1")
	g.Channels[1].Rate[1].Value = 3 // the mean of two is rounded up
	for from := range int64(50) {
		for slots := int64(1); slots < 60; slots += 1 + slots/7 {
			m := g.Mean(from, slots, 7)
			require.NoError(t, m.Validate())
			for lp := range g.LPs {
				sum := int64(0)
				for slot := from; slot < from+slots; slot++ {
					sum += g.ClocksOf(lp, slot, 7)
				}
				require.Equal(t, (sum+slots/2)/slots, m.ClocksOf(lp, 0, 7), "LP %d, %d slots from %d on", lp, slots,
					from)
			}
			for c := range g.Channels {
				sum := int64(0)
				for slot := from; slot < from+slots; slot++ {
					sum += g.RateOf(c, slot)
				}
				require.Equal(t, (sum+slots/2)/slots, m.RateOf(c, 99), "channel %d, %d slots from %d on", c, slots,
					from)
			}
		}
	}
	require.Equal(t, parsed(t, text+"channel b c 0\nfrom 40\nchannel b c 1.000001\nlp a 1").LPs, g.LPs,
		"the graph itself stays")
	silent := parsed(t, "lp a\nlp b\nchannel a b 1")
	require.Equal(t, silent, silent.Mean(3, 5, 7), "an LP that says nothing still says nothing")
	most := parsed(t, "lp a 2147483648\nlp b\nchannel a b 1000")
	require.Equal(t, most, most.Mean(0, 1<<31, 1), "no sum is too large")
}

// Every mistake is reported with its place and a caret.
func TestBadGraphs(t *testing.T) {
	for text, want := range map[string]string{
		"":                             `g: no LPs; expected lines such as "lp NAME 200"`,
		"lp":                           "g:1:1: the line ends here; expected \"lp NAME\"",
		"lp a 1 2":                     "g:1:8: expected the end of the line",
		"lp a 0":                       `g:1:6: "0" is not a number of clocks from 1 to 2147483648`,
		"lp a\nlp a":                   "g:2:4: a second LP a\n    lp a\n       ^",
		"lp a\nfrom 3\nlp a":           "g:3:4: the line ends here; expected the clocks of a slot from slot 3 on",
		"lp a\nfrom 3\nlp b 3":         "g:3:4: no LP is called b",
		"lp a\nlp b\nchannel a b":      "g:3:11: the line ends here; expected \"channel FROM TO RATE\"",
		"lp a\nlp b\nchannel a c 1":    "g:3:11: no LP is called c",
		"lp a\nlp b\nchannel a a 1":    "g:3:11: a channel from a to itself",
		"lp a\nlp b\nchannel a b 1001": `g:3:13: "1001" is not a number of messages a slot from 0 to 1000`,
		"lp a\nlp b\nchannel a b 1\nchannel a b 1": "g:4:9: a second channel from a to b",
		"lp a\nlp b\nfrom 2\nchannel a b 1": "g:4:9: there is no channel from a to b; " +
			"expected one before",
		"lp a\nlp b\nchannel a b 1\nfrom 2\nchannel a b 1\nchannel a b 2": "g:6:9: a second channel from a to b",
		"lp a 3\nfrom 4\nlp a 5\nlp a 6": "g:4:4: a second line for LP " +
			"a from slot 4 on",
		"lp a\nfrom 0": `g:2:6: "0" is not a slot from 1 to`,
		"lp a\nfrom 5\nfrom 5": "g:3:6: this part begins at slot 5, the " +
			"one before it at slot 5",
		"lp a\nfrom":                 `g:2:1: the line ends here; expected "from SLOT"`,
		"lp a\nnode b":               `g:2:1: "node" does not begin a statement; expected lp, channel or from`,
		strings.Repeat("lp a\n", 40): "these are the first 20 errors",
	} {
		_, err := Parse("g", []byte(text))
		require.ErrorContains(t, err, want, text)
		require.ErrorAs(t, err, new(*simerr.Usage))
		require.True(t, errors.As(err, new(srcerr.Errors)))
	}
	var many strings.Builder
	for i := range MaxLPs + 1 {
		many.WriteString("lp x" + strings.Repeat("i", i) + "\n")
	}
	_, err := Parse("g", []byte(many.String()))
	require.ErrorContains(t, err, "more than 1024 LPs")
}

func TestValidate(t *testing.T) {
	most := parsed(t, "lp a\nlp b\nchannel a b 1")
	most.Channels = slices.Repeat(most.Channels, MaxChannels)
	require.NoError(t, most.Validate())
	for want, spoil := range map[string]func(g *Graph){
		"the graph has 0 LPs": func(g *Graph) { g.LPs = nil },
		"the graph has 65537 channels": func(g *Graph) {
			g.Channels = make([]Channel, MaxChannels+
				1)
		},
		"LP b: its clocks":                  func(g *Graph) { g.LPs[1].Clocks[1].From = 0 },
		"LP a: its clocks":                  func(g *Graph) { g.LPs[0].Clocks[0].Value = 0 },
		"channel 1 leads from LP 1 to LP 3": func(g *Graph) { g.Channels[1].To = 3 },
		"channel 1 leads from LP 1 to LP 1": func(g *Graph) { g.Channels[1].To = 1 },
		"channel 1 has the sender 0, the one before it 1": func(g *Graph) {
			g.Channels[0],
				g.Channels[1] = g.Channels[1], g.Channels[0]
		},
		"the channel from a to b": func(g *Graph) { g.Channels[0].Rate[0].Value = -1 },
	} {
		g := parsed(t, text)
		require.NoError(t, g.Validate())
		spoil(g)
		require.ErrorContains(t, g.Validate(), want)
	}
}

// The smallest rate and the largest fraction of a message are drawn exactly: on average one message in a million
// slots, and one missing.
func TestSmallestRate(t *testing.T) {
	g := parsed(t, "lp a\nlp b\nlp c\nchannel a b 0.000001\nchannel a c 0.999999")
	p, out := g.Start(0, 3), make([]banyan.Slot, 2)
	sent, missing := 0, 0
	for range 4_000_000 {
		p.Take(nil, out)
		if out[0].Full {
			sent++
		}
		if !out[1].Full {
			missing++
		}
	}
	require.Equal(t, [2]int{8, 3}, [2]int{sent, missing})
}

// The rates hold from their slot on, and an LP's messages depend on the seed only.
func TestRates(t *testing.T) {
	g := parsed(t, "lp a\nlp b\nlp c\nchannel a b 0.25\nchannel a c 2.5\nfrom 10000\nchannel a b 0")
	p, again := g.Start(0, 7), g.Start(0, 7)
	out, same := make([]banyan.Slot, 2), make([]banyan.Slot, 2)
	sum := [2][2]int{}
	for slot := range 20_000 {
		p.Take(nil, out)
		again.Take(nil, same)
		require.Equal(t, out, same)
		for k, s := range out {
			if s.Full {
				require.EqualValues(t, slot, s.Born)
				sum[k][slot/10_000] += int(s.Dst)
			}
		}
	}
	require.InDelta(t, 2500, sum[0][0], 150)
	require.Zero(t, sum[0][1])
	require.InDelta(t, 25000, sum[1][0], 150)
	require.InDelta(t, 25000, sum[1][1], 150)
	require.EqualValues(t, sum[0][0]+sum[1][0]+sum[1][1], p.Counts().Injected)
	require.NotEqual(t, p.Fold(1), g.Start(0, 8).Fold(1))
}

// The fingerprint of an LP depends on the messages that it takes.
func TestFingerprint(t *testing.T) {
	g := parsed(t, text)
	p := g.Start(1, 3)
	in, out := []banyan.Slot{{Full: true, Cell: banyan.Cell{Dst: 3, Born: 0}}}, make([]banyan.Slot, 1)
	p.Take(in, out)
	p.Take(in, out)
	require.Equal(t, banyan.Counts{Injected: p.Counts().Injected, Sunk: 6, Delay: 6}, p.Counts())
	require.Equal(t, uint64(0x90a1363f9ba5d4f4), p.Fold(1),
		"fingerprints of all runs with a graph change with this one")
	other := g.Start(1, 3)
	other.Take([]banyan.Slot{{}}, out)
	other.Take(in, out)
	require.NotEqual(t, p.Fold(1), other.Fold(1))
}

// The example in docs/PDES.md is valid.
func TestExample(t *testing.T) {
	text, err := os.ReadFile("../../docs/examples/pdes-graph.txt")
	require.NoError(t, err)
	g, err := Parse("pdes-graph.txt", text)
	require.NoError(t, err)
	require.Len(t, g.LPs, 5)
	require.Len(t, g.Channels, 6)
	require.Equal(t, []Change{{0, 150}, {4000, 900}}, g.LPs[1].Clocks)
}

// No text makes the parser panic, and every text that it accepts gives a valid graph.
func FuzzParse(f *testing.F) {
	f.Add(text)
	f.Fuzz(func(t *testing.T, text string) {
		if g, err := Parse("fuzz", []byte(text)); err == nil {
			require.NoError(t, g.Validate())
		}
	})
}

// A handler is created for every run. It gets the events by channel, and returns its events and its time. Its numbers
// change the fingerprint.
func TestHandler(t *testing.T) {
	g := parsed(t, "lp a 70\nlp b\nlp c\nchannel b a 0\nchannel c a 0\nchannel a b 0\nchannel a c 0")
	var got [][]Event
	g.LPs[0].Start = func() Handler {
		calls := int64(0)
		return func(slot int64, in, out []Event) int64 {
			require.Equal(t, calls, slot)
			require.Equal(t, []Event{{}, {}}, out)
			got = append(got, slices.Clone(in))
			calls++
			out[1] = Event{Full: in[0].Full, Value: in[0].Value + in[1].Value}
			return 10 * slot
		}
	}
	full := func(v uint32) banyan.Slot {
		return banyan.Slot{Full: true, Cell: banyan.Cell{Dst: 1, Born: v}}
	}
	folds := map[uint64]bool{}
	for _, v := range []uint32{1 << 31, 3} {
		p, out := g.Start(0, 3), make([]banyan.Slot, 2)
		p.Take([]banyan.Slot{{}, full(5)}, out)
		require.Equal(t, []banyan.Slot{{}, {}}, out)
		require.EqualValues(t, 70, p.Clocks(7), "those of the LP")
		p.Take([]banyan.Slot{full(v), full(9)}, out)
		require.Equal(t, []banyan.Slot{{}, full(v + 9)}, out)
		require.EqualValues(t, 10, p.Clocks(7))
		require.Equal(t, banyan.Counts{Injected: 1, Sunk: 3, Delay: 3}, p.Counts())
		folds[p.Fold(1)] = true
	}
	require.Len(t, folds, 2)
	require.Equal(t, [][]Event{{{}, {true, 5}}, {{true, 1 << 31}, {true, 9}}, {{}, {true, 5}}, {{true, 3}, {true, 9}}},
		got)
}
