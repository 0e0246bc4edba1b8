package sweep

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Clocks of other computers may be anything: what their logs say, and when,
// changes neither what is run nor how often, and no table.
func TestClocksThatDiffer(t *testing.T) {
	p := plan(t, small)
	want := sweep(t, t.TempDir(), p, 2)
	for _, ahead := range []time.Duration{-100 * 24 * time.Hour, -time.Hour, 0, time.Hour, 100 * 24 * time.Hour} {
		s := store(t, t.TempDir())
		for i, name := range []string{"a", "b", "c"} {
			file := log(t, s, name, head("far", 7+i, "one"), "begin "+p.Points[0].ID, "begin "+p.Points[i+1].ID)
			require.NoError(t, os.Chtimes(file, time.Time{}, time.Now().Add(ahead)))
		}
		_, err := s.Status(survey(t, s, p))
		require.NoError(t, err)
		ran := 0
		for _, i := range []int{2, 1, 3} {
			x := survey(t, s, p)
			x.Only(Share{i, 3})
			require.NoError(t, s.Run(t.Context(), x, 1, nil))
			require.Equal(t, 4, x.Ran, "%v ahead", ahead)
			ran += x.Ran
		}
		require.Equal(t, 12, ran)
		x, err := s.Status(survey(t, s, p))
		require.NoError(t, err)
		require.Equal(t, [4]int{12, 0, 0, 0}, [4]int{x.Done, x.Running, x.Failed, x.Missing})
		require.Equal(t, string(want), string(sweep(t, s.Dir, p, 1)))
	}
}
