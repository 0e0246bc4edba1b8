package mnc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/srcerr"
	"emsim/internal/dev/inorder"
)

// Equal data at the source give the same run whether they are counted or listed.
func TestListedWorkEqualsCounted(t *testing.T) {
	for _, p := range []Policy{Auto, Naive} {
		counted := Default(Net16())
		counted.Items, counted.Loops, counted.Policy = 700, 150, p
		listed := counted
		listed.SetWork([]Work{{PE: Source, Loops: 150, Count: 300}, {PE: Source, Loops: 150, Count: 400}})
		a, b := build(t, counted), build(t, listed)
		require.NoError(t, a.Run(t.Context()))
		require.NoError(t, b.Run(t.Context()))
		require.Equal(t, a.Stats(), b.Stats())
	}
}

// drawWork draws a list of groups of data of all kinds.
func drawWork(t *rapid.T, pes int) []Work {
	var list []Work
	for range rapid.IntRange(1, 12).Draw(t, "lines") {
		list = append(list, Work{
			Clock: int64(rapid.IntRange(0, 40_000).Draw(t, "clock")), PE: rapid.IntRange(Source, pes-1).Draw(t, "pe"),
			Loops: rapid.IntRange(0, 200).Draw(t, "loops"), Count: rapid.IntRange(1, 25).Draw(t, "count"),
		})
	}
	return list
}

// With any data, born anywhere at any time, stepping, skipping and planning in reverse give the same run, which loses
// no datum and does each f(). With extreme parameters the run may stall (see TestAgainstOracle); it then stalls in
// the same way in all three.
func TestAnyWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := randomConfig(t)
		list := drawWork(t, c.Wiring.PEs)
		c.SetWork(list)
		c.Slow, c.Events = nil, nil
		c.Stall = 100*c.workTime(c.slowest()) + 100_000
		stepped, skipped, backwards := build(t, c), build(t, c), build(t, c)
		for !stepped.Done() && stepped.err == nil {
			if stepped.Clock()%1000 == 0 {
				require.NoError(t, stepped.Check())
			}
			_ = stepped.Step() // the error is part of the state
		}
		_ = skipped.Run(t.Context())
		requireSame(t, stepped, skipped, "Run differs from Step")
		backwards.planBackwards = true
		_ = backwards.Run(t.Context())
		requireSame(t, stepped, backwards, "the order of planning matters")
		require.NoError(t, stepped.Check())
		if stepped.err != nil {
			require.ErrorAs(t, stepped.err, new(*Deadlock))
			return
		}

		s := stepped.Stats()
		checkStats(t, c, s)
		var proc, last int64
		items := 0
		for _, w := range list {
			proc += int64(w.Count) * max(1, int64(w.Loops)*c.Cost.Loop)
			items += w.Count
			last = max(last, w.Clock)
		}
		require.Equal(t, items, s.Items)
		require.Equal(t, proc, s.Proc)
		require.Greater(t, s.Clocks, last, "nothing is done before it is born")
		require.InDelta(t, float64(proc)/float64(s.Clocks), s.Speedup, 1e-9)
	})
}

// For one PE, computed by hand: a slice of 1600 clocks takes as many data as fit, counted from the first, and at
// least one. The data to keep are counted from the last.
func TestSliceOfUnequalData(t *testing.T) {
	c := Default(wiring(t, "mnc", 1))
	c.SetWork([]Work{{Loops: 100, Count: 3}, {Loops: 300, Count: 1}, {Loops: 5000, Count: 1}})
	m := build(t, c)
	e := &m.pes[0]
	for m.host.bearLocally(e, 0, c.XCap) {
	}
	require.Equal(t, 5, e.x.Len())
	require.Equal(t, 3, e.slice(&c)) // 3 × 400 clocks fit; another 1200 would not
	require.EqualValues(t, 3*400+1200, e.processTime(&c, 4))
	require.Zero(t, e.keptX(&c)) // the last datum takes 20,000 clocks
	for range 4 {
		e.x.PopOldest()
	}
	require.Equal(t, 1, e.slice(&c))
}

// Data born in a PE whose memory is full have to wait.
func TestFullMemoryAtBirth(t *testing.T) {
	c := Default(wiring(t, "mnc", 2))
	c.XCap = 2
	c.SetWork([]Work{{PE: 1, Loops: 10, Count: 5}})
	m := build(t, c)
	for m.host.bearLocally(&m.pes[1], 0, c.XCap) {
	}
	require.Equal(t, 2, m.pes[1].x.Len())
	require.Equal(t, 3, m.Unsent())
	require.NoError(t, m.Run(t.Context()))
	require.Zero(t, m.Unsent())
}

// No data are born in a dead PE: the run stalls, but not before the last birth.
func TestStallWaitsForBirths(t *testing.T) {
	c := Default(wiring(t, "mnc", 2))
	c.SetWork([]Work{{PE: 1, Loops: 10, Count: 5, Clock: 9_000_000}, {PE: Source, Loops: 10, Count: 1}})
	c.Events = []Event{DeadAt(8_000_000, 1)}
	err := build(t, c).Run(t.Context())
	var s *Stall
	require.ErrorAs(t, err, &s)
	require.EqualValues(t, 13_000_000, s.Clock)
	require.Equal(t, 5, s.Unsent)
	require.NotContains(t, err.Error(), "from", "which ones is not a range")
}

func TestParseWork(t *testing.T) {
	list, err := ParseWork("w", []byte("# clock place loops data\n20000 3 1000 25 # born in PE 3\n\n0\tsource  100 "+
		"5000\r\n20000 source 400"), 16)
	require.NoError(t, err)
	require.Equal(t, []Work{{20000, 3, 1000, 25}, {0, Source, 100, 5000}, {20000, Source, 400, 1}}, list)
	c := Default(Net16())
	c.SetWork(list)
	require.Equal(t, []int{5026, 1000}, []int{c.Items, c.Loops})
	require.InDelta(t, (25*1000+5000*100+400)/5026., c.MeanLoops(), 1e-9)
	require.Equal(t, []int64{0, 20000, 20000}, []int64{c.Work[0].Clock, c.Work[1].Clock, c.Work[2].Clock})
	require.NoError(t, c.Validate())
}

// The example in docs/MNC.md is valid.
func TestExampleOfWork(t *testing.T) {
	text, err := os.ReadFile("../docs/examples/mnc-work.txt")
	require.NoError(t, err)
	list, err := ParseWork("mnc-work.txt", text, 16)
	require.NoError(t, err)
	require.Equal(t, []Work{{0, Source, 100, 5000}, {20000, 3, 1000, 25}, {20000, Source, 400, 1}}, list)
}

// Every mistake is reported with its place and a caret.
func TestBadWork(t *testing.T) {
	for text, want := range map[string]string{
		"":           `w: no data; expected lines such as "0 source 100 5000"`,
		"0 source\n": "w:1:3: the line ends here; expected clock, place of birth, loops",
		"0 source 1 2 3": "w:1:14: expected the end of the line: clock, place of birth, loops and, if " +
			"there is more than one, the number of data, as in \"0 source 100 5000\"\n    0 source 1 2 3\n   " +
			"              ^",
		"\n-1 source 100 1": `w:2:1: "-1" is not a clock from 0 to`,
		"0 sink 100 1": "w:1:3: \"sink\" is not the word source or a PE from 0 to 3\n    0 sink " +
			"100 1\n      ^~~~",
		"0 4 100 1":                   `w:1:3: "4" is not the word source or a PE from 0 to 3`,
		"0 0 1e3 1":                   `w:1:5: "1e3" is not a number of loops from 0 to 2147483647`,
		"0 0 1 0":                     `w:1:7: "0" is not a number of data from 1`,
		"0 0 1 2147483647\n":          "",
		"0 0 1 2147483647\n0 0 1":     "w:2:5: these are 2147483648 data so far",
		strings.Repeat("x y z\n", 30): "these are the first 20 errors",
	} {
		_, err := ParseWork("w", []byte(text), 4)
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want)
		var u *Usage
		require.ErrorAs(t, err, &u)
		require.True(t, errors.As(err, new(srcerr.Errors)))
		require.Contains(t, u.Details(), "errors")
	}
}

func TestBadWorkOfAConfig(t *testing.T) {
	for want, spoil := range map[string]func(*Config){
		"work 0 is at clock -1": func(c *Config) { c.Work[0].Clock = -1 },
		"work 1 is at PE 16":    func(c *Config) { c.Work[1].PE = 16 },
		"work 1 is at PE -2":    func(c *Config) { c.Work[1].PE = -2 },
		"work 0 has 8 loops":    func(c *Config) { c.Work[0].Loops = 8 },
		"work 1 has 0 data":     func(c *Config) { c.Work[1].Count = 0 },
		"SetWork sorts":         func(c *Config) { c.Work[0].Clock = 9 },
		"Items is 3":            func(c *Config) { c.Items = 3 },
	} {
		c := Default(Net16())
		c.SetWork([]Work{{PE: Source, Loops: 7, Count: 1}, {PE: 2, Loops: 5, Count: 1, Clock: 3}})
		spoil(&c)
		require.ErrorContains(t, c.Validate(), want)
	}
}

// No text makes the parser panic, and every text that it accepts gives a valid machine.
func FuzzParseWork(f *testing.F) {
	f.Add("0 source 100 5000\n20000 3 1000 25 # c\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseWork("fuzz", []byte(text), 16)
		if err != nil {
			return
		}
		c := Default(Net16())
		c.SetWork(list)
		require.NoError(t, c.validateWork(), fmt.Sprint(list))
	})
}

// In a record of any machine, nothing comes before its cause.
func TestRecordsAreInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := randomConfig(t)
		c.Stall = 100*c.workTime(c.slowest()) + 100_000
		m, rec := build(t, c), &Record{}
		m.Record(rec)
		if err := m.Run(context.Background()); err != nil {
			require.ErrorAs(t, err, new(*Deadlock))
		}
		require.NoError(t, inorder.Check(rec, m.Clock(), false), "%+v", c)
	})
}
