package instrument

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/moves"
	"emsim/internal/dev/vcdread"
)

// At the time of every event, the waves match the record: the contents of each ring, the PEs that transfer through a
// board, and the action and data of each PE. Two records give equal bytes, and gtkwave's tools can read them.
func TestBoards(t *testing.T) {
	r := recorded(t, "mnc")
	var b, again bytes.Buffer
	require.NoError(t, r.WriteBoards(&b, "made"))
	require.NoError(t, recorded(t, "mnc").WriteBoards(&again, "made"))
	require.Equal(t, again.String(), b.String())
	vcdread.RoundTrip(t, b.Bytes())
	signals := vcdread.Read(t, b.String())
	require.Contains(t, b.String(), fmt.Sprintf("\n#%d\n", r.End))
	value := func(path string, at int64) string {
		require.Contains(t, signals, "mnc."+path)
		return vcdread.At(signals["mnc."+path], uint64(at))
	}
	rings := map[string]bool{}
	for _, m := range r.Moves {
		if m.Via != "" && m.Moved() {
			rings[fmt.Sprintf("%s.%s_%d_to_%d", strings.ToLower(strings.ReplaceAll(m.Via, " ", "_")),
				strings.ToLower(m.Kind), m.From, m.To)] = true
		}
	}
	require.Greater(t, len(rings), 10)
	most := 0
	for _, at := range []int64{0, 1, 500, 502, 1500, 3000, 3001, 4999, 7777, 9000, 12000, r.End - 1, r.End} {
		held, y := map[string]int{}, make([]int, r.Workers)
		for _, m := range r.Moves {
			if m.Via != "" && m.Moved() && m.Left <= at && at < m.Came {
				held[fmt.Sprintf("%s.%s_%d_to_%d", strings.ToLower(strings.ReplaceAll(m.Via, " ", "_")),
					strings.ToLower(m.Kind), m.From, m.To)]++
			}
			if m.Kind == "Y" && m.From != moves.Outside && m.Left <= at {
				y[m.From]--
			}
			if m.Kind == "Y" && m.To != moves.Outside && m.Came <= at {
				y[m.To]++
			}
		}
		for ring := range rings {
			require.Equal(t, fmt.Sprint(held[ring]), value(ring, at), "%s at %d", ring, at)
			most = max(most, held[ring])
		}
		for w := range r.Workers {
			doing := "idle"
			for _, s := range r.spans[w] {
				if s.From <= at && at < s.To {
					doing = strings.ReplaceAll(s.Doing, " ", "_")
				}
			}
			pe := fmt.Sprintf("pe_%d.", w)
			require.Equal(t, []string{doing, fmt.Sprint(valueAt(r.load[w], at)), fmt.Sprint(y[w])},
				[]string{value(pe+"action", at), value(pe+"x", at), value(pe+"y", at)}, "at %d", at)
		}
	}
	require.Greater(t, most, 1)
}

// A PE that gives or takes through a board is on it until the transfer ends. The PEs are in numeric order, and at the
// end no PE is on a board.
func TestWhoIsOnABoard(t *testing.T) {
	r := recorded(t, "mnc")
	var b bytes.Buffer
	require.NoError(t, r.WriteBoards(&b, "made"))
	signals := vcdread.Read(t, b.String())
	users := func(path string, at int64) []string {
		require.Contains(t, signals, "mnc."+path)
		return strings.Split(vcdread.At(signals["mnc."+path], uint64(at)), "+")
	}
	for _, m := range r.Moves {
		if m.Via == "" || m.From == moves.Outside {
			continue
		}
		on := strings.ToLower(strings.ReplaceAll(m.Via, " ", "_")) + ".on"
		require.Contains(t, users(on, m.Left-1), fmt.Sprint(m.From))
		require.True(t, slices.IsSortedFunc(users(on, m.Left-1),
			func(a, b string) int { return strings.Compare(fmt.Sprintf("%3s", a), fmt.Sprintf("%3s", b)) }))
		if m.To != moves.Outside {
			require.Contains(t, users(on, m.Came-1), fmt.Sprint(m.To))
		}
	}
	for path, list := range signals {
		if pe, ok := strings.CutSuffix(path, ".on"); ok {
			require.Equal(t, "none", list[len(list)-1].Value, pe)
		}
	}
}
