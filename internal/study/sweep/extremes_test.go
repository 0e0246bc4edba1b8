package sweep

import (
	"context"
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/run"
)

// extremes returns the ends of a number's range, and the least value that is not 0.
func extremes(r knob.Row) []any {
	switch r.Get().(type) {
	case int64:
		return []any{r.Min, r.Max}
	case uint64:
		return []any{uint64(0), uint64(math.MaxUint64)}
	case time.Duration:
		return []any{time.Duration(r.Min), time.Duration(r.Max)}
	case float64:
		low, high := r.Real.Low, min(r.Real.High, math.MaxFloat64)
		if r.Real == (knob.Interval{}) {
			low, high = -math.MaxFloat64, math.MaxFloat64
		}
		return []any{low, math.Nextafter(low, math.Inf(1)), 1e-306, math.Nextafter(high, math.Inf(-1)), high}
	}
	return nil
}

// quick holds settings that make a machine's runs short.
var quick = map[string]map[string]string{
	"mnc":    {"items": "5", "loops": "3"},
	"rhinet": {"nodes": "8", "rows": "64", "policy": "glb", "loaded": "one"},
	"pdes":   {"slots": "5"},
	"net":    {"clocks": "5", "pes": "12"},
}

// At the ends of the range of every number of every machine, the answer can be written as JSON, or an error says what
// is wrong.
func TestExtremesGiveFiniteNumbers(t *testing.T) {
	answers := map[string]int{}
	for _, k := range machines.Kinds() {
		for i := range k.NewMachine().Rows {
			for _, v := range extremes(k.NewMachine().Rows[i]) {
				m := k.NewMachine()
				for key, text := range quick[k.Name] {
					r, ok := knob.Find(m.Rows, key)
					require.True(t, ok, "%s %s", k.Name, key)
					require.NoError(t, r.Set(text))
				}
				r := m.Rows[i]
				if r.Put(v) != nil || m.Check() != nil || r.Key == "pes" { // pes is tested elsewhere, and takes long
					continue
				}
				answer, err := extremeRun(t, k.Name, r)
				if k.Name != "em4" {
					ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
					answer, err = machines.Run(ctx, m, machines.Watch{})
					stop()
				}
				if err != nil {
					continue
				}
				_, err = json.Marshal(answer)
				require.NoError(t, err, "%s: %s = %v", k.Name, r.Key, v)
				answers[k.Name]++
			}
		}
	}
	for _, k := range machines.Kinds() {
		require.Greater(t, answers[k.Name], 8, k.Name)
	}
}

// A result that JSON cannot represent is a failure of its point, and does not end the sweep.
func TestInfiniteResult(t *testing.T) {
	p := plan(t, small)
	s := store(t, t.TempDir())
	var wrong *WrongPoint
	require.ErrorAs(t, s.saveResult(&p.Points[0], &Result{Each: map[string][]float64{"mips": {math.Inf(1)}}}), &wrong)
	require.Same(t, &p.Points[0], wrong.Point)
}

// extremeRun runs fib on an EM-4 with a changed knob.
func extremeRun(t *testing.T, kind string, r knob.Row) (any, error) {
	if kind != "em4" {
		return nil, nil
	}
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	pes := 12
	s := run.Spec{
		Program: "fib", Args: []string{"3"},
		Machine: run.Machine{Name: "emc-r", PEs: &pes, Sets: []string{r.Key + "=" + r.Text()}},
	}
	target, err := s.Build(ctx)
	if err != nil {
		return nil, err
	}
	b := run.New(target, run.Plan{Runs: 1})
	if err := b.Begin(); err != nil {
		return nil, err
	}
	if err := b.Advance(ctx, em4.ToEnd); err != nil {
		return nil, err
	}
	one, _ := b.EndRun(nil)
	return b.Answer(one), nil
}
