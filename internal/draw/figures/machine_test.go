package figures

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/lists"
	"emsim/internal/base/moves"
	"emsim/internal/inspect/instrument"
	"emsim/internal/machine/machines"
)

// machineRun records a small run of a machine in which load moves.
func machineRun(t *testing.T, kind string, sets ...string) *instrument.Run {
	t.Helper()
	k, ok := machines.KindOf(kind)
	require.True(t, ok)
	m := k.NewMachine()
	require.NoError(t, m.Set(map[string][]string{
		"mnc":    {"pes=4", "items=200", "loops=100"},
		"rhinet": {"nodes=8", "rows=128", "loaded=one", "interval=10"},
		"spmd":   {"tasks=20", "interval=5s", "request_again=true"},
		"pdes":   {"network=torus", "shape=4x2", "stages=3", "slots=100", "migrate_at=5000", "interval=20000"},
	}[kind]))
	require.NoError(t, m.Set(sets))
	r, err := instrument.Record(t.Context(), m)
	require.NoError(t, err)
	r.Label = strings.Join(sets, " ")
	return r
}

// Every figure of every machine has its title, and names its runs if there are two. It is
// the same if it is drawn again.
func TestMachineFigures(t *testing.T) {
	vs := map[string]string{
		"mnc": "policy=none", "rhinet": "policy=gnolb", "spmd": "policy=static",
		"pdes": "migrate_at=9000",
	}
	for _, kind := range slices.Sorted(maps.Keys(vs)) {
		one, other := machineRun(t, kind), machineRun(t, kind, vs[kind])
		one.Label = "this run"
		for _, f := range MachineFigures() {
			draw := func(runs ...*instrument.Run) string {
				svg, err := Encode(t.Context(), f.FigureOf(runs, OwnSize{}), "x.svg")
				require.NoError(t, err)
				return string(svg)
			}
			both := draw(one, other)
			said := strings.Join(lists.Of(readSketch(t, []byte(both)).texts,
				func(w written) string { return w.text }), " ")
			require.Contains(t, said, f.Title+"; "+one.Answer.Title+" on "+one.Answer.Machine)
			require.NotContains(t, both, "NaN")
			require.Contains(t, said, one.Answer.Title+", this run: ")
			require.Contains(t, said, vs[kind]+": ", "%s %s", kind, f.Name)
			if kind == "spmd" {
				alone := draw(one)
				require.Equal(t, alone, draw(one))
				require.NotContains(t, alone, "this run")
			}
			require.NotEmpty(t, f.Reads)
		}
	}
}

// given returns how many items of the load changed their worker.
func given(r *instrument.Run) (n int) {
	for _, m := range r.Moves {
		if m.Kind == r.Kind && m.From >= 0 && m.To >= 0 {
			n += m.Count
		}
	}
	return n
}

// The numbers in the matrix add up to all items given. The numbers at the arrows of spmd and
// pdes do, too.
func TestGivenShowsTheMoves(t *testing.T) {
	for _, kind := range []string{"mnc", "rhinet", "spmd", "pdes"} {
		r := machineRun(t, kind)
		sum := func(size float64, d Drawing) (sum int) {
			for _, x := range readSketch(t, encoded(t, d)).texts {
				if x.size <= size && x.size > size-3 && x.text != "0" {
					n, err := strconv.Atoi(strings.ReplaceAll(x.text, ",", ""))
					require.NoError(t, err)
					sum += n
				}
			}
			return sum
		}
		require.Positive(t, given(r))
		require.Equal(t, given(r), sum(7.5, machineGave([]*instrument.Run{r})), kind)
		net := machineNetwork([]*instrument.Run{r})
		said := lists.Of(readSketch(t, encoded(t, net)).texts, func(w written) string { return w.text })
		require.Contains(t, strings.Join(said, " "), fmt.Sprintf("%s given", r.Count(given(r))))
		if kind == "spmd" || kind == "pdes" {
			require.Equal(t, given(r), sum(8, net), kind)
		}
	}
	nothing := machineRun(t, "mnc", "pes=1")
	require.Contains(t, string(encoded(t, machineNetwork([]*instrument.Run{nothing}))), ": nothing moved")
	require.Contains(t, string(encoded(t, machineKnowledge([]*instrument.Run{nothing}))), ": nothing was compared")
}

// The bars show each worker's waits and its uses of time.
func TestBarsShowTheTime(t *testing.T) {
	r := machineRun(t, "pdes")
	bars := func(d Drawing, fill string) []float64 {
		var high []float64
		for _, p := range sketched(t, d).styled(`fill="` + fill)[1:] { // the first is in the legend
			low, top := p.ends(1)
			high = append(high, top-low)
		}
		return high
	}
	work := bars(machineUse([]*instrument.Run{r}), hex(states[0]))
	waited := bars(machineIdle([]*instrument.Run{r}), hex(paleBand))
	require.Len(t, work, r.Workers)
	require.Len(t, waited, r.Workers)
	for w := range r.Workers {
		all, busy := int64(0), int64(0)
		for _, s := range r.Spans {
			if s.Worker == w {
				if busy += s.To - s.From; s.Use == moves.Work {
					all += s.To - s.From
				}
			}
		}
		require.InEpsilon(t, float64(all)/float64(r.UsedFor(0, moves.Work)), work[w]/work[0], 1e-3)
		require.Equal(t, r.End-busy, r.Waited(w).All)
		require.InEpsilon(t, float64(r.Waited(w).All)/float64(r.Waited(0).All), waited[w]/waited[0], 1e-3)
	}
}

// The shades of the load reach from the least to the most that a worker holds.
func TestLoadShowsTheRun(t *testing.T) {
	r := machineRun(t, "mnc")
	d := machineLoad([]*instrument.Run{r})
	least, most := r.Loads()
	require.Contains(t, string(encoded(t, d)), ">"+number(least)+"<")
	require.Contains(t, string(encoded(t, d)), ">"+number(most)+" "+r.Items+"<")
	least--
	shades := heldShades(r, 1024, least, most)
	for c := range 1024 {
		held := r.LoadAt(1, int64((float64(c)+0.5)/1024*float64(r.End)))
		require.Equal(t, mixColours(white, states[0], (held-least)/(most-least)), shades.colour(c, c+1, 1, 2))
	}
	level := int64(0)
	for _, x := range r.Level() {
		level += x[1] - x[0]
	}
	require.Positive(t, level)
	require.Contains(t, string(encoded(t, d)),
		fmt.Sprintf("level for %.1f %% of it", 100*float64(level)/float64(r.End)))
}

// Few enough workers are numbered that the numbers do not touch.
func TestWorkerTicks(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 2, 12: 12, 16: 16, 64: 13, 128: 13, 1024: 11} {
		ticks := workerTicks(n, 16)
		require.Len(t, ticks, want, n)
		require.Equal(t, "0", ticks[0].Label)
	}
}
