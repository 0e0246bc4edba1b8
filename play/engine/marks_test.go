package engine

import (
	"context"
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
	require.Equal(t, []Mark{{488, "spill", "first spill, in clock 487"}}, list)
	hit := do(t, s, "until label got1")
	require.Equal(t, Mark{hit.Frame.Clock, "stop", hit.Hits[0]}, hit.Marks[1])
	do(t, s, "back 1")
	require.Equal(t, hit.Marks, do(t, s, "until label got1").Marks, "the same stop again")
	end := do(t, s, "continue")
	require.Len(t, end.Marks, 4)
	require.Equal(t, "fault", end.Marks[2].Kind)
	require.Equal(t, end.Frame.Clock, end.Marks[2].Clock)
	require.Contains(t, end.Marks[2].Text, "deadlock at clock 3051")
	require.Regexp(t, `^last spill, in clock \d+$`, end.Marks[3].Text)
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
