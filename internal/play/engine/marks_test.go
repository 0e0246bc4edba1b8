package engine

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Spills, stops and faults are marked, and a new program begins without marks.
func TestMarks(t *testing.T) {
	x := Setup{Main: "fib.s", Args: []string{"14"}, PEs: 12, Sets: map[string]string{"banks": "1"}}
	s := opened(t, x)
	require.Empty(t, do(t, s, "step 300").Marks)
	list := do(t, s, "step 300").Marks
	require.Equal(t, []Mark{{410, "spill", "first spill"}}, list)
	hit := do(t, s, "until label got1")
	require.Equal(t, Mark{hit.Frame.Clock, "stop", hit.Hits[0]}, hit.Marks[1])
	do(t, s, "back 1")
	require.Equal(t, hit.Marks, do(t, s, "until label got1").Marks, "the same stop again")
	end := do(t, s, "continue")
	require.Len(t, end.Marks, 4)
	require.Equal(t, "fault", end.Marks[2].Kind)
	require.Equal(t, end.Frame.Clock, end.Marks[2].Clock)
	require.Contains(t, end.Marks[2].Text, "deadlock at clock 3568")
	require.Equal(t, "last spill", end.Marks[3].Text)
	require.Equal(t, end.Marks, do(t, s, "goto +0").Marks)
	require.Equal(t, end.Marks, do(t, s, "continue").Marks)
	do(t, s, "goto +0")
	for range 2 * mostStops {
		list = do(t, s, "until label got1").Marks
	}
	require.Len(t, slices.DeleteFunc(slices.Clone(list), func(x Mark) bool { return x.Kind != "stop" }), mostStops)
	require.Subset(t, list, []Mark{end.Marks[0], end.Marks[2], end.Marks[3]}, "only stops make room")
	require.Empty(t, s.Open(context.Background(), x).Error)
	require.Empty(t, do(t, s, "step").Marks)
}

// A mark has the first line of its text, and each mark exists once. Only the oldest mark at a stop is dropped for a new
// one.
func TestAddMark(t *testing.T) {
	require.Equal(t, 40, mostStops)
	var m marks
	m.addMark(1, "spill", "one line\nand another")
	m.addMark(1, "spill", "one line")
	require.Equal(t, []Mark{{1, "spill", "one line"}}, m.list)
	for clock := range uint64(mostStops) {
		m.addMark(clock, "stop", "here")
		m.addMark(clock, "stop", "here")
	}
	require.Len(t, m.list, 1+mostStops)
	m.addMark(90, "fault", "broken")
	m.addMark(91, "stop", "here")
	require.Len(t, m.list, 2+mostStops)
	require.Equal(t, []Mark{{1, "spill", "one line"}, {1, "stop", "here"}}, m.list[:2])
	require.Equal(t, []Mark{{39, "stop", "here"}, {90, "fault", "broken"}, {91, "stop", "here"}}, m.list[mostStops-1:])
}

// If a search for a spill is ended, it is repeated after the next motion.
func TestMarkAgain(t *testing.T) {
	s := opened(t, Setup{Main: "fib.s", Args: []string{"14"}, PEs: 12})
	require.NoError(t, s.d.Do(context.Background(), "step 600"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.markMotion(ctx, &Moved{Frame: s.Frame()})
	require.Empty(t, s.marks.list)
	list := do(t, s, "back 1").Marks
	require.Len(t, list, 1)
	require.Equal(t, list, do(t, s, "step").Marks)
	end := do(t, s, "continue").Marks
	require.Len(t, end, 2)
	spilled := func(clock uint64) (n uint64) {
		for _, x := range do(t, s, fmt.Sprintf("goto %d", clock)).Frame.Spilled {
			n += x
		}
		return n
	}
	require.Zero(t, spilled(end[0].Clock-1))
	require.Positive(t, spilled(end[0].Clock))
	last := spilled(end[1].Clock)
	require.Greater(t, last, spilled(end[1].Clock-1))
	require.Equal(t, last, do(t, s, "continue").Frame.Result.Spilled)
}

// The mark of the first spill is about one packet, even if others follow in later clocks.
func TestFirstSpill(t *testing.T) {
	s := opened(t, flooding)
	list := do(t, s, "step 600").Marks
	require.Len(t, list, 1)
	f := do(t, s, fmt.Sprintf("goto %d", list[0].Clock)).Frame
	require.EqualValues(t, 1, f.Spilled[0])
	require.Zero(t, do(t, s, "back 1").Frame.Spilled[0])
}
