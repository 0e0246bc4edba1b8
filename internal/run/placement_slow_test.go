//go:build slow

package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/compile"
	"emsim/internal/golden"
	"emsim/programs"
)

const placementTable, placementPage = "../../docs/placement.csv", "../../docs/DATAFLOW.md"

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

// The published table compares what placement auto chooses with every fixed
// choice, for every program in Go (-update writes it; a test for each program, so
// that -run can name some).
func TestPlacementTable(t *testing.T) {
	args := map[string]string{"fib": "18", "knapsack": "14", "queens": "8", "loop": "50", "sum": "20000", "pi": "60", "matmul": "8", "sort": "200", "stream": "20"}
	files, err := filepath.Glob("../../programs/go/*/*.go")
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		t.Run(name, func(t *testing.T) {
			rows, page := "", ""
			for _, pes := range []int{12, 80, 1024} {
				r, p := comparison(t, file, name, args[name], pes)
				rows, page = rows+r, page+p
			}
			head, table := read(t, placementTable), ""
			head, table, _ = strings.Cut(head, "\n")
			checkPart(t, placementTable, head+"\n", name+",", table, rows)
			before, rest, ok := strings.Cut(read(t, placementPage), "<!-- placement -->\n")
			require.True(t, ok)
			rest, after, ok := strings.Cut(rest, "<!-- end -->\n")
			require.True(t, ok)
			titles := strings.Index(rest, "| `")
			checkPart(t, placementPage, before+"<!-- placement -->\n"+rest[:titles], "| `"+name+" ", rest[titles:], page, "<!-- end -->\n"+after)
		})
	}
}

// comparison runs a program with all choices on a machine: lines of the file and of the page.
func comparison(t *testing.T, file, name, arg string, pes int) (rows, page string) {
	auto := placedRun(t, file, arg, pes, map[string]string{"placement": "auto"})
	require.NotZero(t, auto.clocks)
	list := fixedChoices(t, file, arg, pes)
	least := list[0]
	for _, x := range list {
		if x.clocks > 0 && x.clocks < least.clocks {
			least = x
		}
	}
	for _, x := range list {
		rows += fmt.Sprintf("%s,%s,%d,%s,%s,%s,%s,%d,%.3f,%t\n", name, arg, pes, x.policy, x.mlpe, x.blocks, x.guards, x.clocks,
			float64(x.clocks)/float64(least.clocks), auto.String() == x.String())
	}
	by, first := float64(auto.clocks)/float64(least.clocks), float64(auto.clocks)/float64(list[0].clocks)
	page = fmt.Sprintf("| `%s %s` | %d | %d | %s | %d | %s | %d | %.2f | %.2f |\n", name, arg, pes, list[0].clocks, least, least.clocks, auto, auto.clocks, by, first)
	t.Log(strings.TrimSpace(page))
	return rows, page
}

// fixedChoices runs all choices, the default first.
func fixedChoices(t *testing.T, file, arg string, pes int) []placed {
	var list []placed
	for _, guards := range []string{"caller", "callee"} {
		for _, blocks := range []string{"largest", "medium", "finest"} {
			for _, mlpe := range []string{"off", "on"} {
				for _, policy := range programs.Policies() {
					list = append(list, placedRun(t, file, arg, pes, map[string]string{"policy": policy, "mlpe": mlpe, "blocks": blocks, "guards": guards}))
				}
			}
		}
	}
	return list
}

func read(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

// checkPart compares the lines of a file's table that begin with a prefix, or
// writes them in their place; lines are in the order of the programs.
func checkPart(t *testing.T, file, head, prefix, table, want string, tail ...string) {
	var have, before, after string
	for line := range strings.Lines(table) {
		switch {
		case strings.HasPrefix(line, prefix):
			have += line
		case line < prefix:
			before += line
		default:
			after += line
		}
	}
	if golden.Update() {
		require.NoError(t, os.WriteFile(file, []byte(head+before+want+after+strings.Join(tail, "")), 0o644))
		return
	}
	require.Equal(t, want, have)
}
