//go:build slow

package run

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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
// choice, for every program in Go (-update writes it).
func TestPlacementTable(t *testing.T) {
	args := map[string]string{"fib": "18", "knapsack": "14", "queens": "8", "loop": "50", "sum": "20000", "pi": "100", "matmul": "12", "sort": "500", "stream": "50"}
	rows := [][]string{{"program", "args", "pes", "policy", "mlpe", "blocks", "guards", "clocks", "by_best", "auto"}}
	page := "| program | PEs | default | best fixed choice | clocks | auto chooses | clocks | by best | by default |\n|---|--:|--:|---|--:|---|--:|--:|--:|\n"
	files, err := filepath.Glob("../../programs/go/*/*.go")
	require.NoError(t, err)
	misses := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		arg := args[name]
		for _, pes := range []int{12, 80, 1024} {
			auto := placedRun(t, file, arg, pes, map[string]string{"placement": "auto"})
			list := fixedChoices(t, file, arg, pes)
			least := list[0]
			for _, x := range list {
				if x.clocks > 0 && x.clocks < least.clocks {
					least = x
				}
			}
			require.NotZero(t, auto.clocks)
			for _, x := range list {
				same := auto.String() == x.String()
				rows = append(rows, []string{
					name, arg, strconv.Itoa(pes), x.policy, x.mlpe, x.blocks, x.guards, strconv.FormatUint(x.clocks, 10),
					fmt.Sprintf("%.3f", float64(x.clocks)/float64(least.clocks)), strconv.FormatBool(same),
				})
			}
			by, first := float64(auto.clocks)/float64(least.clocks), float64(auto.clocks)/float64(list[0].clocks)
			if by > 1.1 || first > 1 {
				misses++
			}
			page += fmt.Sprintf("| `%s %s` | %d | %d | %s | %d | %s | %d | %.2f | %.2f |\n", name, arg, pes, list[0].clocks, least, least.clocks, auto, auto.clocks, by, first)
			t.Logf("%s %s %d: %.2f of the best (%s), %.2f of the default, %s", name, arg, pes, by, least, first, auto)
		}
	}
	t.Logf("%d misses", misses)
	var b bytes.Buffer
	require.NoError(t, csv.NewWriter(&b).WriteAll(rows))
	if golden.Update() {
		require.NoError(t, os.WriteFile(placementTable, b.Bytes(), 0o644))
	}
	have, err := os.ReadFile(placementTable)
	require.NoError(t, err)
	require.Equal(t, string(have), b.String())
	checkBetween(t, placementPage, "placement", page)
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

// checkBetween compares a part of a page, or writes it.
func checkBetween(t *testing.T, file, name, want string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	head, rest, ok := strings.Cut(string(text), "<!-- "+name+" -->\n")
	require.True(t, ok)
	have, tail, ok := strings.Cut(rest, "<!-- end -->\n")
	require.True(t, ok)
	if golden.Update() {
		require.NoError(t, os.WriteFile(file, []byte(head+"<!-- "+name+" -->\n"+want+"<!-- end -->\n"+tail), 0o644))
		return
	}
	require.Equal(t, want, have)
}
