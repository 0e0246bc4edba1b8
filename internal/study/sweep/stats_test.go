package sweep

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
)

// Every statistic is a column at the end of the table and has the run's value, even after the result is read from its
// file.
func TestStatisticsAreColumns(t *testing.T) {
	p := plan(t, "[[grid]]\nprogram = \"fib 9\"\npes = 12\nparam.mlpe = \"on\"\nset.fifo_words = 4\n")
	x := &p.Points[0]
	target, err := x.Spec.Build(t.Context())
	require.NoError(t, err)
	got, err := target.Run(t.Context(), target.Words, em4.RunOptions{})
	require.NoError(t, err)
	dir := t.TempDir()
	table := sweep(t, dir, p, 1)
	require.Equal(t, string(table), string(sweep(t, dir, p, 1)), "from the file")
	row := rows(t, table)[0]
	list := em4.StatisticsIn(em4.InSweep)
	columns := p.Columns()[len(p.Columns())-len(list):]
	for i, s := range list {
		require.Equal(t, Column{s.Key, s.MachineUnit(), s.MachineDoc()}, columns[i])
		want := fmt.Sprint(s.Total(&got.Totals))
		if share, is := s.Total(&got.Totals).(float64); is {
			want = strconv.FormatFloat(share, 'f', 6, 64)
		}
		require.Equal(t, want, row[s.Key], s.Key)
	}
	require.False(t, slices.ContainsFunc(p.Columns()[:len(p.Columns())-len(list)], func(c Column) bool {
		return slices.ContainsFunc(list, func(s em4.Statistic) bool { return s.Key == c.Name })
	}))
}
