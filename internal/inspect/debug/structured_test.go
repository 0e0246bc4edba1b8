package debug

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
	"emsim/packet"
	"emsim/trace"
)

// A packet's way begins with its send and ends with the block that it starts, and the debugger can stop at every
// station.
func TestFollow(t *testing.T) {
	b := newBench(t, spec("fib", "9"))
	b.do("until packet data made on [1,2]; step 60")
	id := fmt.Sprintf("[1,2].%d", b.peAt(5).PacketsMade())
	way, err := b.Follow(context.Background(), id)
	require.NoError(t, err)
	require.Equal(t, id, way.Packet.ID)
	require.Equal(t, "send", way.Stations[0].What)
	require.Contains(t, way.Stations[0].Text, "made by [1,2], at ")
	b.do("continue")
	way, err = b.Follow(context.Background(), id)
	require.NoError(t, err)
	require.True(t, way.Done)
	require.Equal(t, "begin", way.Stations[len(way.Stations)-1].What)
	text := b.do("follow " + id)
	require.Regexp(t, `^packet `+regexp.QuoteMeta(id)+`\b.*\n  clock `, text)
	b.do("goto +0")
	for i, x := range way.Stations {
		require.Contains(t, text, fmt.Sprintf("clock %-6d %s\n", x.Clock, x.Text))
		if x.What == "match" || x.What == "fire" || x.What == "begin" || i > 0 && x.Clock == way.Stations[i-1].Clock {
			continue // its events may be about the partner; and a stop is hit once a clock
		}
		require.Contains(t, b.do("until packet "+id), x.Text)
		require.Equal(t, x.Clock+1, b.clock())
	}
	require.Contains(t, b.wrong("follow [1,2].9999"), "there is no packet [1,2].9999 yet")
	require.Contains(t, b.wrong("follow [9,2].1"), "[9,2]")
	require.Contains(t, b.wrong("follow x"), `"x" is not a packet: expected a name as in [1,2].3`)
	require.Contains(t, b.wrong("follow host.0"), "is not a packet")
	require.Contains(t, b.wrong("follow"), "follow needs the name of a packet")
	require.Contains(t, b.wrong("until packet [1,2].3 made"), "not expected")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b.do("continue")
	_, err = b.Follow(ctx, id)
	require.ErrorContains(t, err, "while packet "+id+" was followed")
}

// Every packet of a run can be followed from its send, over as many links as its path has. A packet that a PE takes
// before its partner has come waits for the partner.
func TestFollowAll(t *testing.T) {
	b := newBench(t, spec("fib", "5"))
	b.do("continue")
	kinds := map[string]bool{}
	for pe := range 12 {
		for n := range b.peAt(pe).PacketsMade() {
			way, err := b.Follow(context.Background(), fmt.Sprintf("%v.%d", b.address(pe), n+1))
			require.NoError(t, err)
			require.True(t, way.Done, way)
			hops := 0
			for _, x := range way.Stations {
				if kinds[x.What] = true; x.What == "move" && strings.Contains(x.Text, "link to") {
					hops++
				}
			}
			last := way.Stations[len(way.Stations)-1]
			if last.What == "begin" && !strings.Contains(way.Packet.About, "mlpe") {
				require.Equal(t, b.s.Net.Distance(b.address(pe), b.address(last.PE)), hops, way)
			}
		}
	}
	for _, what := range []string{"send", "move", "queue", "take", "store", "match", "fire", "begin", "leave"} {
		require.True(t, kinds[what], what)
	}
	first, err := b.Follow(context.Background(), "host.1")
	require.NoError(t, err)
	require.Equal(t, "enter", first.Stations[0].What)
}

// The structured forms match the contents of the PE.
func TestStructuredForms(t *testing.T) {
	b := newBench(t, spec("fib", "12"))
	b.do("step 400")
	most := 0
	for pe := range 12 {
		p := b.peAt(pe)
		q := b.Queues(pe)
		require.Len(t, q.FIFO, p.IBU().FIFOWords()/2)
		require.Len(t, q.MIB, p.IBU().MIBWords()/2)
		require.Equal(t, p.Pins().InFull, q.Intake != nil)
		list, more := b.Segments(pe, 1<<30)
		require.False(t, more)
		require.Len(t, list, p.SegmentsInUse())
		waiting := 0
		for _, s := range list {
			waiting += len(s.Operands)
			for _, o := range s.Operands {
				require.NotEqual(t, o.Have, o.Wants)
				require.Contains(t, []string{packet.Left.String(), packet.Right.String()}, o.Wants)
			}
		}
		require.LessOrEqual(t, waiting, p.CountWaitingOperands())
		require.GreaterOrEqual(t, waiting+1, p.CountWaitingOperands(),
			"one that the FMU is matching has left the memory")
		if len(list) > 1 {
			few, more := b.Segments(pe, 1)
			require.True(t, more)
			require.Equal(t, list[:1], few)
		}
		most = max(most, waiting)
		require.Equal(t, p.EXU().Regs[3], b.Registers(pe)[3].Value)
		require.Equal(t, "fp", b.Registers(pe)[15].Name)
		require.Len(t, b.Slots(pe), len(b.s.Net.Slots(pe, b.clock())))
		require.Equal(t, activity(p), b.Activity(pe))
	}
	require.Positive(t, most)
	require.Empty(t, b.Stops())
	b.do("break got1; watch load; disable 2")
	b.do("continue")
	require.Equal(t, []Stop{{1, "got1", true, 1}, {2, "load", false, 0}}, b.Stops())
	require.Len(t, b.Hits(), 1)
	require.Contains(t, b.Hits()[0], "stop 1: ")

	tree, err := b.Tree(context.Background(), TreeOptions{All: true, PE: -1, Depth: 1 << 30, Lines: 5})
	require.NoError(t, err)
	require.Len(t, tree.Instances, 5)
	require.Equal(t, tree.Total, 5+tree.Cut)
	require.True(t, slices.ContainsFunc(tree.Instances,
		func(x Instance) bool { return strings.HasPrefix(x.Text, "fib ") }))
	require.Equal(t, "[0,1].7", b.PacketName(trace.ID{Src: 1, Seq: 7}))
	require.Same(t, b.s, b.Batch())
	require.Equal(t, b.pe, b.Chosen())
}

// The series holds the PEs' activities up to each sample. It keeps its end when the machine goes back, and its length
// is limited.
func TestSeries(t *testing.T) {
	b := newBench(t, spec("fib", "12"))
	first := b.clock()
	b.do("step 250")
	want := b.sample()
	b.do("step 30; goto +40")
	list := b.Series()
	require.Equal(t, first, list[0].Clock)
	for i, x := range list[:len(list)-1] {
		require.Equal(t, first+uint64(i)*firstSample, x.Clock)
	}
	require.Equal(t, first+272, list[len(list)-1].Clock, "the last sample before the furthest clock")
	b.do("goto +250")
	require.Equal(t, want, b.sample())
	require.Equal(t, uint64(12*250), sum(want.States)-sum(list[0].States))
	long := newBench(t, spec("fib", "12"))
	long.series.every = 1
	long.do("goto +1500")
	list = long.Series()
	require.Greater(t, long.series.every, uint64(1))
	require.LessOrEqual(t, len(list), mostSamples+1)
	require.Equal(t, first, list[0].Clock)
	require.Equal(t, first+1500, list[len(list)-1].Clock)
	for i := 1; i < len(list); i++ {
		require.Equal(t, 12*(list[i].Clock-list[i-1].Clock), sum(list[i].States)-sum(list[i-1].States))
	}
}

func sum(list [emcr.Activities]uint64) (n uint64) {
	for _, x := range list {
		n += x
	}
	return n
}

// Uncompressed snapshots give the same states. Going forward, the debugger uses existing snapshots.
func TestPlainHistory(t *testing.T) {
	_, want := hashes(t, nil)
	b := newBench(t, spec("fib", "9"))
	b.Debugger = NewWith(b.s, b.out, History{Every: 50, Shots: 1000, Bytes: 1 << 30, Near: 8, Plain: true})
	first := b.clock()
	b.do("continue")
	require.Len(t, b.hist.shots, (len(want)-2)/50+1)
	for _, clock := range []int{0, 333, 49, 50, 51, 400, 410, 120} {
		b.do(fmt.Sprintf("goto +%d", clock))
		require.Equal(t, first+uint64(clock), b.clock())
		require.Equal(t, want[clock], b.hash(), "clock +%d", clock)
	}
	for _, x := range b.hist.shots {
		require.True(t, x.plain)
	}
}

// The clock of a spill is the clock in which the number of spilled packets grows.
func TestSpillClock(t *testing.T) {
	b := newBench(t, spec("fib", "14"))
	b.hist.every, b.hist.most.Shots = 5, 1<<20
	_, err := b.SpillClock(context.Background(), 1)
	require.ErrorContains(t, err, "the PEs have not spilled 1 packet yet")
	var want []uint64
	for !b.s.Current.Ended() {
		b.do("step")
		for n := spilled(b.s); uint64(len(want)) < n; {
			want = append(want, b.clock()-1)
		}
	}
	require.Greater(t, len(want), 1000)
	for _, back := range []string{"back 1", "goto +0"} {
		for _, n := range []int{1, 2, 3, len(want) / 2, len(want)} {
			clock, err := b.SpillClock(context.Background(), uint64(n))
			require.NoError(t, err)
			require.Equal(t, want[n-1], clock, "packet %d", n)
		}
		b.do(back)
	}
	_, err = b.SpillClock(context.Background(), uint64(len(want)+1))
	require.ErrorContains(t, err, "have not spilled")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = b.SpillClock(ctx, 1)
	require.ErrorContains(t, err, "during the search for a spill")
}

// At any clock, in any order of clocks, every instance except the first, which the host called, was called from some
// PE.
func TestCalled(t *testing.T) {
	b := newBench(t, spec("fib", "9"))
	lines := []string{"step 30", "step 200", "back 90", "continue"}
	for clock := range 100 {
		lines = append(lines, fmt.Sprintf("goto +%d", 30+clock))
	}
	for _, line := range lines {
		b.do(line)
		sum := make([]int, 12)
		sum[0] = min(1, int(b.peAt(0).Calls))
		for from := range 12 {
			list, err := b.Called(context.Background(), from)
			require.NoError(t, err)
			for pe, n := range list {
				sum[pe] += n
			}
		}
		for pe := range 12 {
			require.EqualValues(t, b.peAt(pe).Calls, sum[pe], "%s: calls on PE %d", line, pe)
		}
	}
	from, err := b.Called(context.Background(), 0)
	require.NoError(t, err)
	require.NotEqual(t, make([]int, 12), from)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b.do("continue")
	b.tree = nil
	_, err = b.Called(ctx, 0)
	require.ErrorContains(t, err, "during the search for callers")
}

// At any clock, in any order of clocks, the numbers of times that blocks have begun match the trace. A PE that executes
// a block has begun it last.
func TestBlocks(t *testing.T) {
	type begun struct {
		clock uint64
		pe    int
		label string
	}
	var all []begun
	other := newBench(t, spec("fib", "9"))
	other.s.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
		if e.Kind == trace.Begun {
			all = append(all, begun{e.Clock, int(e.PE), other.label(e.PC)})
		}
	}), 12, trace.All(12)), 0, em4.ToEnd)
	other.do("continue")
	require.Greater(t, len(all), 100)

	b := newBench(t, spec("fib", "9"))
	lines := []string{"step 1", "step 60", "step 200", "back 90", "continue"}
	for clock := range 40 {
		lines = append(lines, fmt.Sprintf("goto +%d", 150-clock))
	}
	for _, line := range lines {
		b.do(line)
		list, last, err := b.Blocks(context.Background())
		require.NoError(t, err)
		times, before := map[string]int{}, make([]string, 12)
		for _, x := range all {
			if x.clock < b.clock() {
				times[x.label]++
				before[x.pe] = x.label
			}
		}
		require.Len(t, list, len(times))
		for _, x := range list {
			require.Equal(t, times[x.Label], x.Times, "%s: %s", line, x.Label)
		}
		for pe := range 12 {
			require.Equal(t, before[pe] == "", last[pe] < 0)
			for i, x := range list {
				require.Equal(t, i == last[pe] && b.peAt(pe).EXU().Busy, slices.Contains(x.PEs, pe),
					"%s: %s", line, x.Label)
			}
			if last[pe] >= 0 {
				require.Equal(t, before[pe], list[last[pe]].Label)
			}
		}
	}
}
