package run

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/compile"
	"emsim/programs"
)

// placed is a run with a choice of placement.
type placed struct {
	policy, mlpe, blocks, guards string
	clocks                       uint64 // 0: it fails
}

func (p placed) String() string {
	s := p.policy
	if p.mlpe == "on" {
		s += " with MLPE"
	}
	if p.blocks != string(compile.Largest) {
		s += ", blocks " + p.blocks
	}
	if p.guards != string(compile.Caller) {
		s += ", guards at the " + p.guards
	}
	return s
}

// placedRun runs a program with parameters and returns what it chose.
func placedRun(t *testing.T, file, arg string, pes int, params map[string]string) placed {
	spec := &Spec{Machine: Machine{Name: "emc-r", PEs: &pes}, Program: file, Args: []string{arg}, Params: params, Seed: 1, Threads: 1}
	target, err := spec.Build(t.Context())
	require.NoError(t, err, "%v", params)
	var p placed
	for i := range target.Object.Params {
		v := target.Object.Params[i].Chosen()
		switch target.Object.Params[i].Name {
		case "policy":
			p.policy = v
		case "mlpe":
			p.mlpe = v
		case "blocks":
			p.blocks = v
		case "guards":
			p.guards = v
		}
	}
	s := New(target, Plan{Runs: 1, MaxClocks: 5_000_000})
	require.NoError(t, s.Begin())
	err = s.Advance(t.Context(), em4.ToEnd)
	one, _ := s.End(err)
	if err == nil {
		p.clocks = one.Clocks
	}
	return p
}

// by is the clocks of a run by those of another one.
func (p placed) by(o placed) float64 { return float64(p.clocks) / float64(o.clocks) }

// fastest is the run with the fewest clocks.
func fastest(list []placed) placed {
	least := list[0]
	for _, x := range list {
		if x.clocks > 0 && (least.clocks == 0 || x.clocks < least.clocks) {
			least = x
		}
	}
	return least
}

// policies runs a program with all policies, with and without MLPE, the default first.
func policies(t *testing.T, file, arg string, pes int, params map[string]string) []placed {
	var list []placed
	for _, mlpe := range []string{"off", "on"} {
		for _, policy := range programs.Policies() {
			p := map[string]string{"policy": policy, "mlpe": mlpe}
			maps.Copy(p, params)
			list = append(list, placedRun(t, file, arg, pes, p))
		}
	}
	return list
}

// autoBy is what placement auto takes by the best policy, and by the default.
func autoBy(t *testing.T, name, arg string, pes int) [2]float64 {
	file := fmt.Sprintf("../../programs/go/%s/%[1]s.go", name)
	auto := placedRun(t, file, arg, pes, map[string]string{"placement": "auto"})
	list := policies(t, file, arg, pes, nil)
	least := fastest(list)
	require.Equal(t, least.clocks == 0, auto.clocks == 0, "%s %s on %d PEs", name, arg, pes)
	by := [2]float64{1, 1} // if nothing fits the machine
	if least.clocks > 0 {
		by[0], by[1] = auto.by(least), 0
	}
	if list[0].clocks > 0 {
		by[1] = auto.by(list[0])
	}
	t.Logf("%s %s on %d PEs: %v, %.3f of the best, %.3f of the default", name, arg, pes, auto, by[0], by[1])
	return by
}

// reached reports the two goals: 1.10 of the best at most, and not more than the default.
func reached(by [2]float64) bool { return by[0] <= 1.10 && by[1] <= 1 }

// A sample of what a slow test runs at many sizes: the choice of placement auto is
// within 10 % of the best policy, and no slower than the default.
func TestPlacementReachesItsGoals(t *testing.T) {
	for _, p := range []struct {
		name, arg string
		pes       int
	}{{"fib", "12", 32}, {"knapsack", "10", 12}, {"queens", "6", 80}, {"pi", "10", 12}, {"sort", "40", 12}, {"stream", "5", 32}, {"sum", "500", 32}, {"matmul", "4", 12}} {
		require.True(t, reached(autoBy(t, p.name, p.arg, p.pes)), "%+v", p)
	}
}
