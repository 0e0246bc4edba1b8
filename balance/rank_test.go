package balance

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Policies are ranked by the number of cells in which they have a value, then by the geometric mean.
func TestRanking(t *testing.T) {
	row := func(policy, workload string, regret float64, tie bool) Row {
		return Row{Policy: policy, Workload: workload, N: 16, Grain: 30, Regret: &regret, Tie: &tie}
	}
	rows := []Row{
		row("near", "a", 0, true), row("far", "a", 3, false), row("here", "a", 0.1, true),
		row("far", "b", 0, true), row("near", "b", 0.21, false),
		{Policy: "bound"},
	}
	got := Ranking(rows)
	require.InDelta(t, 1.1, got[0].Mean, 1e-12)
	require.InDelta(t, 2, got[1].Mean, 1e-12)
	for k := range got {
		got[k].Mean = 0
	}
	require.Equal(t, []Standing{
		{"near", 2, 1, 0, 1.21, "b, 16 workers, grain 30"},
		{"far", 2, 1, 0, 4, "a, 16 workers, grain 30"},
		{"here", 1, 1, 0, 1.1, "a, 16 workers, grain 30"},
	}, got)
}

// If units come below the workers' capacity, policies are compared by response time; otherwise by the time of the run.
func TestJudged(t *testing.T) {
	p := Plan{Policies: []Policy{{Name: "none"}}, Workers: []int{4}, Grains: []int{30}, Seeds: 2}
	l := Workload{Name: "open", Arrivals: Poisson, Load: 80}
	worlds := []outcome{
		{r: &Result{Time: 100, Ideal: 50}, response: responses{some: true, mean: 15}},
		{r: &Result{Time: 150, Ideal: 50}, response: responses{some: true, mean: 30}},
	}
	for load, want := range map[float64][]float64{80: {0.5, 1}, 100: {2, 3}} {
		l.Load = load
		p.Workloads = []Workload{l}
		require.Equal(t, want, p.summariseCell(cell{}, worlds).judged)
	}
}

// wrong sends to a worker that does not exist.
type wrong struct{ Hooks }

func (p *wrong) Born(int) int { return -3 }

// A run whose policy sends to a worker that does not exist ends with a message about that.
func TestNobody(t *testing.T) {
	r, err := Run(t.Context(), cellOf(Policy{Name: "wrong", New: func(w *Worker) Agent { return &wrong{Hooks{w}} }},
		Workloads()[0], 4, 30, 1))
	require.NoError(t, err)
	require.Equal(t, "worker 3 sends to worker -3; expected one from 0 to 3", r.NA)
}
