package run

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/compile"
	"emsim/omega"
	"emsim/programs"
)

// placed is a run with a placement.
type placed struct {
	policy, mlpe, blocks, guards string
	clocks                       uint64 // 0: it failed
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

// placedRun runs a program with parameters, and returns the placement and the clocks.
func placedRun(t *testing.T, file, arg string, pes int, params map[string]string) placed {
	spec := &Spec{
		Machine: Machine{Name: "emc-r", PEs: &pes}, Program: file, Args: []string{arg}, Params: params,
		Seed: 1, Threads: 1,
	}
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
	one, _ := s.EndRun(err)
	if err == nil {
		p.clocks = one.Clocks
	}
	return p
}

// by returns the clocks of p divided by the clocks of o.
func (p placed) by(o placed) float64 { return float64(p.clocks) / float64(o.clocks) }

// fastest returns the run with the fewest clocks.
func fastest(list []placed) placed {
	least := list[0]
	for _, x := range list {
		if x.clocks > 0 && (least.clocks == 0 || x.clocks < least.clocks) {
			least = x
		}
	}
	return least
}

// policies returns the runs of a program with all policies, with and without MLPE, the default first.
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

// autoBy returns the run of placement auto, and its clocks relative to the best policy and to the default.
func autoBy(t *testing.T, name, arg string, pes int) (placed, [2]float64) {
	file := fmt.Sprintf("../../../programs/go/%s/%[1]s.go", name)
	auto := placedRun(t, file, arg, pes, map[string]string{"placement": "auto"})
	list := policies(t, file, arg, pes, nil)
	least := fastest(list)
	require.Equal(t, least.clocks == 0, auto.clocks == 0, "%s %s on %d PEs", name, arg, pes)
	by := [2]float64{1, 1} // if no choice fits the machine
	if least.clocks > 0 {
		by[0], by[1] = auto.by(least), 0
	}
	if list[0].clocks > 0 {
		by[1] = auto.by(list[0])
	}
	t.Logf("%s %s on %d PEs: %v, %.3f of the best, %.3f of the default", name, arg, pes, auto, by[0], by[1])
	return auto, by
}

// The choice of placement auto takes at most 10 % more clocks than the best policy, and no more than the default. A
// slow test checks many more sizes.
func TestPlacementReachesItsGoals(t *testing.T) {
	for _, p := range []struct {
		name, arg string
		pes       int
	}{{"knapsack", "10", 12}, {"pi", "10", 12}, {"stream", "5", 32}} {
		_, by := autoBy(t, p.name, p.arg, p.pes)
		require.True(t, by[0] <= 1.10 && by[1] <= 1, "%+v", p)
	}
}

// chosen returns the placement for a program of the repository, or for the text of a program.
func chosen(t *testing.T, program, arg string, params map[string]string, change ...func(s *Spec)) *Placement {
	t.Helper()
	file := fmt.Sprintf("../../../programs/go/%s/%[1]s.go", program)
	if strings.Contains(program, "\n") {
		file = filepath.Join(t.TempDir(), "p.go")
		require.NoError(t, os.WriteFile(file, []byte(program), 0o666))
	}
	pes := 12
	s := &Spec{
		Machine: Machine{Name: "emc-r", PEs: &pes}, Program: file, Args: []string{arg},
		Params: map[string]string{"placement": "auto"}, Seed: 1, Threads: 1,
	}
	maps.Copy(s.Params, params)
	for _, f := range change {
		f(s)
	}
	g, err := s.CompileGo()
	require.NoError(t, err)
	require.Same(t, g.Plan, s.Plan)
	return g.Plan
}

// Only parameters that are not given are chosen. The choice is the same for any number of threads.
func TestPlacement(t *testing.T) {
	p := chosen(t, "knapsack", "8", nil)
	require.Empty(t, p.Fault)
	require.Len(t, p.Tried, 2*len(programs.Policies()))
	require.Len(t, p.Cuts, 6)
	again := chosen(t, "knapsack", "8", nil, func(s *Spec) { s.Threads = 3 })
	require.Equal(t, p.Explain(), again.Explain())
	p.placer, again.placer = nil, nil // these have the number of threads
	require.Equal(t, p, again)

	p = chosen(t, "knapsack", "8", map[string]string{
		"policy": "line", "mlpe": "off", "blocks": "finest",
		"guards": "callee",
	})
	require.Equal(t, []string{"line", "off", "finest", "callee"},
		[]string{p.Policy, p.MLPE, string(p.Blocks), string(p.Guards)})
	require.Len(t, p.Tried, 1)
	require.Contains(t, strings.Join(p.Explain(), "\n"), "Policy line and MLPE off are given.")

	_, err := (&Spec{
		Program: "../../../programs/go/fib/fib.go",
		Params:  map[string]string{"placement": "auto", "policy": "linear"},
	}).CompileGo()
	require.ErrorContains(t, err, "linear")
	_, err = (&Spec{
		Program: "../../../programs/go/fib/fib.go", Params: map[string]string{"placement": "auto"},
		Args: []string{"99"},
	}).CompileGo()
	require.ErrorContains(t, err, "it must be 1..47")
}

// The run takes as many clocks as the chosen trial. A slower trial was stopped when it had taken longer. A choice that
// exists is not made again.
func TestPlacementIsTheRun(t *testing.T) {
	pes := 80
	s := &Spec{
		Machine: Machine{Name: "emc-r", PEs: &pes}, Program: "../../../programs/go/queens/queens.go",
		Args: []string{"6"}, Params: map[string]string{"placement": "auto"}, Seed: 7, Threads: 1,
	}
	target, err := s.Build(t.Context())
	require.NoError(t, err)
	b := New(target, Plan{Runs: 1})
	require.NoError(t, b.Begin())
	require.NoError(t, b.Advance(t.Context(), em4.ToEnd))
	one, _ := b.EndRun(nil)
	best := s.Plan.fastest(s.Plan.Cuts)
	require.Equal(t, best.Clocks, one.Clocks)
	require.Less(t, best.Clocks, s.Plan.Tried[0].Clocks)
	ended := 0
	for _, x := range s.Plan.Tried[1:] {
		if x.Fault == "" {
			ended++
		} else {
			require.Regexp(t, "^more than [0-9,]+ clocks$", x.Fault)
			require.GreaterOrEqual(t, x.Clocks, best.Clocks)
		}
	}
	require.Less(t, ended, 6)

	later := *s
	later.Seed++
	g, err := later.CompileGo()
	require.NoError(t, err)
	require.Same(t, s.Plan, g.Plan)
}

// If the arguments take too long, auto tries smaller ones; measured does not.
func TestPlacementOfLongRuns(t *testing.T) {
	const text = "package main\n\n//emsim:arg n 3 100000000\nfunc f(n int32) int32 {\n\ts := int32(0)\n\tfor i := " +
		"range n {\n\t\ts += i\n\t}\n\treturn s\n}\n"
	few := map[string]string{"policy": "ring", "blocks": "largest", "guards": "caller"}
	p := chosen(t, text, "500000", few)
	require.True(t, p.Smaller)
	require.InDelta(t, 225_000, p.Args[0], 25_000) // but not smaller than necessary
	require.LessOrEqual(t, p.Tried[0].Instructions, uint64(mostWork))
	require.Contains(t, strings.Join(p.Explain(), "\n"), "because more takes too long to try or fails")
	few["placement"] = "measured"
	p = chosen(t, text, "500000", few)
	require.False(t, p.Smaller)
	require.Greater(t, p.Tried[0].Instructions, uint64(mostWork))
	p = chosen(t, "fib", "", map[string]string{"policy": "ring", "mlpe": "off"}, func(s *Spec) { s.Args = nil })
	require.InDelta(t, 20, p.Args[0], 3, "the segments do not suffice for 47, the largest")
}

// A program that fails in every trial gets the defaults, with the reason.
func TestPlacementOfFaults(t *testing.T) {
	const head = "package main\n\n//emsim:arg n 1 9\n"
	for text, want := range map[string]string{
		head +
			"func f(n int32) int32 {\n\tif n == 7 {\n\t\tpanic(1)\n\t}\n\treturn n\n}\n": "the program panics: it called panic",
		head +
			"func f(n int32) int32 {\n\tfor n > 0 {\n\t\tn = n ^ 2 | 1\n\t}\n\treturn n\n}\n": "a trial takes too long, even with the smallest arguments",
	} {
		p := chosen(t, text, "7", nil)
		require.Equal(t, []string{want, "ring", "off", "largest", "caller"},
			[]string{p.Fault, p.Policy, p.MLPE, string(p.Blocks), string(p.Guards)})
		require.Contains(t, strings.Join(p.Explain(), "\n"), "so options that are not given keep their defaults: "+want)
	}
	p := chosen(t, "matmul", "30", nil, func(s *Spec) { s.Sets = []string{"structure_words=22"} })
	require.Contains(t, p.Fault, "structure memory")
}

// A policy whose instances do not fit the operand segments of a PE is not chosen, nor is one that --max-clocks ends.
// Functions with channels that do not call themselves do not look for space on other PEs.
func TestPlacementSeesLimits(t *testing.T) {
	const text = "package main\n\n//emsim:arg n 1 2000\nfunc f(n int32) int32 {\n\ts := int32(0)\n\tfor k := range n " +
		"{\n\t\ts += one(k)\n\t}\n\treturn s\n}\n\n" +
		"func one(k int32) int32 {\n\tc := make(chan int32)\n\tgo send(k, c)\n\treturn <-c + <-c\n}\n\n" +
		"func send(j int32, c chan<- int32) {\n\tdefer close(c)\n\tfor k := range int32(500) {\n\t\tj ^= k\n\t}\n\tc " +
		"<- j\n\tc <- j\n}\n"
	few := map[string]string{"blocks": "largest", "guards": "caller"}
	p := chosen(t, text, "60", few, func(s *Spec) { s.Sets = []string{"segments=16"} })
	require.Contains(t, p.Tried[0].Fault, "no operand segment is free (16 in use)")
	require.NotEqual(t, "ring off", p.Policy+" "+p.MLPE)
	require.Contains(t, p.reason(), "is the choice, because ring fails: no operand segment is free")
	few["placement"] = "measured"
	p = chosen(t, "queens", "6", few, func(s *Spec) { s.MaxClocks = 100 })
	require.Equal(t, "ring stays: every trial fails.", p.reason())
	require.Equal(t, "more than 100 clocks", p.Tried[3].Fault)
}

// The reasons given for a choice match what the trials show.
func TestPlacementReasons(t *testing.T) {
	totals := func(clocks, busiest, sent, links uint64) em4.Totals {
		x := em4.Totals{Clocks: clocks}
		x.Counters.Clocks[emcr.ExuFmu], x.Counters.Clocks[emcr.Idle] = 1200, 12*clocks-1200
		x.BusyPeak, x.Sent, x.Packets[omega.InGroup] = busiest, sent, links
		return x
	}
	why := func(smaller bool, line em4.Totals, fault string) string {
		p := &Placement{Policy: "line", MLPE: "on", Smaller: smaller, Tried: []Trial{
			{Policy: "ring", MLPE: "off", Fault: fault, Totals: totals(1000, 200, 100, 200)},
			{Policy: "line", MLPE: "on", Totals: line},
		}}
		return p.reason()
	}
	const head = "line with MLPE takes 0.50 of the clocks of ring: "
	require.Equal(t, head+"calls reach idle PEs sooner.", why(false, totals(500, 200, 100, 200), ""))
	require.Equal(t, head+"the busiest PE has 1.0 x mean of the work instead of 2.0 x mean.",
		why(true, totals(500, 100, 100, 200), ""))
	require.Equal(t, head+"a packet crosses 1.0 links instead of 2.0.", why(false, totals(500, 200, 100, 100), ""))
	require.Equal(t, head+"there are 90 packets instead of 100.", why(false, totals(500, 200, 90, 180), ""))
	require.Equal(t, "line with MLPE is the choice, because ring fails: it is full.",
		why(false, totals(5000, 200, 100, 200), "it is full"))
	require.Equal(t, "ring stays: nothing else is faster.", why(false, totals(1000, 200, 100, 200), ""))
	require.Equal(t, "ring stays: nothing else is more than 4 % faster.", why(true, totals(970, 200, 100, 200), ""))
	require.Contains(t, why(false, totals(970, 200, 100, 200), ""), "line with MLPE takes 0.97 of the clocks of ring")
}

// Where a machine with fewer PEs is faster by more than 5 %, the explanation says so, with the functions that cost.
func TestExplainsMorePEs(t *testing.T) {
	explain := func(name, src, arg string, pes int) string {
		file := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(file, []byte(src), 0o600))
		s := &Spec{
			Machine: Machine{Name: "emc-r", PEs: &pes}, Program: file, Args: []string{arg},
			Params: map[string]string{"placement": "auto"}, Seed: 1, Threads: 1,
		}
		_, err := s.LoadProgram()
		require.NoError(t, err)
		out, err := s.Explain()
		require.NoError(t, err)
		return strings.Join(out, "\n")
	}
	const depth = "package main\n\n//emsim:arg n 0 500\nfunc depth(n int32) int32 {\n" +
		"\tif n == 0 {\n\t\treturn 0\n\t}\n\treturn depth(n-1) + 1\n}\n"
	text := explain("depth.go", depth, "100", 80)
	require.Contains(t, text, "4 PEs would take 4,871 clocks, 0.85 times as many as here. More PEs cost more here:\n"+
		"depth: each call is waited for before anything else begins, and it has further to go. "+
		"With //emsim:at own above depth it stays on the caller's PE")
	near := strings.Replace(depth, "func depth", "//emsim:at own\nfunc depth", 1)
	require.NotContains(t, explain("depth.go", near, "100", 80), "More PEs cost")
	fib, _ := programs.GoSource("fib.go")
	require.NotContains(t, explain("fib.go", fib, "14", 32), "More PEs cost")
}

// DATAFLOW.md shows the choices: this test checks the smallest machine, a slow test all.
func TestPublishedPlacements(t *testing.T) {
	page, err := os.ReadFile("../../../docs/DATAFLOW.md")
	require.NoError(t, err)
	row := regexp.MustCompile("(?m)^\\| `(\\w+) (\\d+)` \\| 12 \\| \\d+ \\| [^|]+ \\| \\d+ \\| ([^|]+) \\| (\\d+) \\|")
	rows := row.FindAllStringSubmatch(string(page), -1)
	require.NotEmpty(t, rows)
	for _, m := range rows {
		p := chosen(t, m[1], m[2], nil)
		x := placed{policy: p.Policy, mlpe: p.MLPE, blocks: string(p.Blocks), guards: string(p.Guards)}
		require.Equal(t, m[3:], []string{x.String(), fmt.Sprint(p.fastest(p.Cuts).Clocks)}, "%s %s", m[1], m[2])
	}
}
