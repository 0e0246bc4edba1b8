package machines

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/ordered"
	"emsim/internal/base/simerr"
	"emsim/internal/dev/golden"
	"emsim/internal/machine/machinefile"
)

// small lists changes that make a run of each kind short.
var small = map[string][]string{
	"mnc":     {"items=500", "pes=4"},
	"rhinet":  {"nodes=4", "rows=64", "application=heat", "steps=20"},
	"spmd":    {"tasks=5"},
	"pdes":    {"slots=50", "migrate_at=1000"},
	"net":     {"pes=12", "clocks=300"},
	"balance": {"workload=poisson", "workers=2", "grain=3"},
}

func machine(t *testing.T, kind string) *machinefile.Machine {
	t.Helper()
	k, ok := KindOf(kind)
	require.True(t, ok)
	m := k.NewMachine()
	require.NoError(t, m.Set(small[kind]))
	return m
}

// Every kind except the EM-4 runs here. Its numbers are keys of its answer and have descriptions, and one of them is
// its time.
func TestAnswers(t *testing.T) {
	names := []string{"em4"}
	for _, k := range Kinds()[1:] {
		names = append(names, k.Name)
		said, err := Run(t.Context(), machine(t, k.Name), Watch{})
		require.NoError(t, err, k.Name)
		text, err := json.Marshal(said)
		require.NoError(t, err)
		var keys map[string]any
		require.NoError(t, json.Unmarshal(text, &keys))
		numbers := map[string]bool{}
		for _, n := range Numbers(k.Name) {
			if n.Key == "saturated" { // a boolean, or null after a short run
				require.Nil(t, keys[n.Key])
				delete(keys, n.Key)
				continue
			}
			require.IsType(t, 0., keys[n.Key], "%s: %s", k.Name, n.Key)
			require.NotEmpty(t, n.Doc, "%s: %s", k.Name, n.Key)
			numbers[n.Key] = true
		}
		for key, v := range keys {
			_, is := v.(float64)
			require.Equal(t, is && key != "wall_seconds" && !strings.HasSuffix(key, "_per_second"), numbers[key],
				"%s: %s", k.Name, key)
		}
		require.True(t, numbers[ModelOf(k.Name).Time], k.Name)
		require.Positive(t, keys[ModelOf(k.Name).Time])
	}
	require.ElementsMatch(t, names, slices.Collect(maps.Keys(models)))
	_, err := Run(t.Context(), Kinds()[0].NewMachine(), Watch{})
	require.EqualError(t, err, "the EM-4 runs programs: use 'emsim run'")
}

// The answers of small runs, without wall times, equal the recorded ones.
func TestAnswersAreRecorded(t *testing.T) {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(small)) {
		said, err := Run(t.Context(), machine(t, name), Watch{})
		require.NoError(t, err)
		text, err := json.MarshalIndent(said, "", "  ")
		require.NoError(t, err)
		fmt.Fprintf(&out, "%s\n%s\n", name,
			regexp.MustCompile(`"(wall_seconds|[a-z_]+_per_second)": [^\n]*`).ReplaceAll(text, []byte(`"$1": ...`)))
	}
	golden.Check(t, "answers.txt", []byte(out.String()))

	with := func(lists bool) int {
		said, err := Run(t.Context(), machine(t, "mnc"), Watch{On: map[string]bool{"each": lists}})
		require.NoError(t, err)
		list, _ := said.Value("per_pe").([]ordered.Object)
		return len(list)
	}
	require.Zero(t, with(false))
	require.Equal(t, 4, with(true), "--each")
}

// On some machines, certain errors count as the result of a run.
func TestResults(t *testing.T) {
	require.Equal(t, []string{"stalled"}, ModelOf("mnc").Ends)
	require.Equal(t, []string{"no_convergence"}, ModelOf("rhinet").Ends)
	require.Empty(t, ModelOf("spmd").Ends)
	require.Equal(t, []string{"deadlock", "max_clocks", "no_proof", "no_migration"}, ModelOf("pdes").Ends)
	require.Equal(t, []string{simerr.KindDeadlock}, ModelOf("net").Ends)
	require.Equal(t, [5]string{"clocks", "total_s", "finish_s", "clocks", "latency_mean"},
		[5]string{
			ModelOf("mnc").Time, ModelOf("rhinet").Time, ModelOf("spmd").Time, ModelOf("pdes").Time,
			ModelOf("net").Time,
		})
}

// A run ends with its context.
func TestEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for name := range small {
		_, err := Run(ctx, machine(t, name), Watch{})
		require.ErrorIs(t, err, context.Canceled, name)
	}
}
