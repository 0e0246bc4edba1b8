package docs_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/dev/golden"
	"emsim/programs"
)

// row is a row of a table of docs/beyond, by the names of its columns.
type row map[string]string

func (r row) call() string { return r["program"] + " " + r["args"] }

// number returns a cell's number, or NaN if the run failed or the row is missing.
func (r row) number(column string) float64 {
	v, err := strconv.ParseFloat(r[column], 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// of returns one count as a fraction of another.
func (r row) of(column, whole string) float64 { return r.number(column) / r.number(whole) }

type table []row

func read(t *testing.T, name string) table {
	text, err := os.ReadFile(name)
	require.NoError(t, err, "emsim sweep makes the table")
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	require.NoError(t, err)
	var list table
	for _, l := range lines[1:] {
		r := row{}
		for i, c := range lines[0] {
			r[c] = l[i]
		}
		list = append(list, r)
	}
	return list
}

// find returns the row with the given values (column, value, ...), or an empty row.
func (x table) find(want ...string) row {
	for _, r := range x {
		ok := true
		for i := 0; i < len(want); i += 2 {
			v := r[want[i]]
			if want[i] == "call" {
				v = r.call()
			}
			ok = ok && v == want[i+1]
		}
		if ok {
			return r
		}
	}
	return row{}
}

// distinct returns the different values of the rows in order of appearance.
func (x table) distinct(f func(r row) string) []string {
	var list []string
	for _, r := range x {
		if v := f(r); !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// page is a page whose generated tables are compared.
type page struct{ file, text string }

// block compares the text between <!-- name --> and the next <!-- end -->
// with the expected text; -update rewrites it.
func (p *page) block(t *testing.T, name, want string) {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- end -->"
	i := strings.Index(p.text, begin)
	require.GreaterOrEqual(t, i, 0, "%s has no table %q", p.file, name)
	require.Equal(t, 1, strings.Count(p.text, begin), "%s has the table %q more than once", p.file, name)
	i += len(begin)
	j := strings.Index(p.text[i:], end)
	require.GreaterOrEqual(t, j, 0)
	if golden.Update() {
		p.text = p.text[:i] + want + p.text[i+j:]
		return
	}
	require.Empty(t, cmp.Diff(want, p.text[i:i+j]), "%s: go test ./docs -update writes the tables", name)
}

func (p *page) save(t *testing.T) {
	if golden.Update() {
		require.NoError(t, os.WriteFile(p.file, []byte(p.text), 0o644))
	}
}

func load(t *testing.T) *page { return loadPage(t, "BEYOND.md") }

// loadTables returns the page of the tables that BEYOND.md links to.
func loadTables(t *testing.T) *page { return loadPage(t, "beyond/tables.md") }

func loadPage(t *testing.T, file string) *page {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return &page{file, string(text)}
}

// markdown returns a table; the first column is text, the others are numbers.
func markdown(head []string, lines [][]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |\n| --- |%s\n", strings.Join(head, " | "), strings.Repeat(" --: |", len(head)-1))
	for _, l := range lines {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(l, " | "))
	}
	return b.String()
}

// ratio returns the clocks of one run divided by the clocks of another.
func ratio(r, base row) string {
	switch {
	case r["outcome"] == "":
		return ""
	case r["outcome"] != "ok":
		return strings.ReplaceAll(r["outcome"], "_", " ")
	}
	return fmt.Sprintf("%.2f", r.number("clocks")/base.number("clocks"))
}

// The tables in the text have the numbers of the sweep.
func TestRemediesInBeyond(t *testing.T) {
	x, p := read(t, "beyond/remedies.csv"), loadTables(t)
	calls := x.distinct(row.call)
	variants := x.distinct(func(r row) string { return r["variant"] })
	for _, pes := range []string{"80", "1024"} {
		for _, mlpe := range []string{"off", "on"} {
			at := func(variant, call string) row {
				return x.find("call", call, "pes", pes, "mlpe", mlpe, "variant", variant)
			}
			var lines [][]string
			for _, v := range variants {
				line, any := []string{v}, false
				for _, c := range calls {
					cell := ratio(at(v, c), at("base", c))
					if v == "base" {
						cell = at(v, c)["clocks"]
					}
					any = any || cell != ""
					line = append(line, cell)
				}
				if any {
					lines = append(lines, line)
				}
			}
			p.block(t, "ratios "+pes+" "+mlpe, markdown(append([]string{"remedy"}, calls...), lines))
		}
		p.block(t, "states "+pes, states(x, pes))
	}
	p.block(t, "static", againstStatic(x, calls))
	p.save(t)
}

// states returns the table of the states of fib 24 under the remedies in the text.
func states(x table, pes string) string {
	var lines [][]string
	for _, mlpe := range []string{"off", "on"} {
		for _, v := range []string{
			"base", "own memory", "FIFO 512", "output buffer 4", "own memory, output buffer", "large grain",
			"inline", "inline, large",
			"inline, large, own memory", "priority 1", "priority 2", "4 registers", "beside", "group ring",
			"circuits swapped", "all hardware",
		} {
			r := x.find("call", "fib 24", "pes", pes, "mlpe", mlpe, "variant", v)
			if r["outcome"] != "ok" {
				continue
			}
			line := []string{map[string]string{"off": "static", "on": "MLPE"}[mlpe] + ": " + v, r["clocks"]}
			for _, part := range []float64{
				r.number("exu_fmu"), r.number("ibu_only"), r.number("network_wait"), r.number("idle"),
				r.of("packets_spilled", "packets_sent"), r.of("mlpe_calls", "calls"),
			} {
				line = append(line, fmt.Sprintf("%.1f", 100*part))
			}
			lines = append(lines, line)
		}
	}
	return markdown([]string{
		"fib 24 on " + pes + " PEs", "clocks", "EXU or FMU", "IBU only", "network wait", "idle",
		"spilled", "MLPE calls",
	}, lines)
}

// againstStatic returns the table of runs with MLPE divided by runs without it on the same machine.
func againstStatic(x table, calls []string) string {
	columns := [][3]string{
		{"base", "base"},
		{"own memory, output buffer", "own memory, output buffer"},
		{"all hardware", "own memory, output buffer"},
	}
	var lines [][]string
	for _, c := range calls {
		line := []string{c}
		for _, pes := range []string{"80", "1024"} {
			for _, v := range columns {
				line = append(line, ratio(
					x.find("call", c, "pes", pes, "mlpe", "on", "variant", v[0]),
					x.find("call", c, "pes", pes, "mlpe", "off", "variant", v[1])))
			}
		}
		lines = append(lines, line)
	}
	head := []string{"MLPE by static"}
	for _, pes := range []string{"80", "1024"} {
		head = append(head, pes+": base", pes+": own memory, output buffer", pes+": all hardware")
	}
	return markdown(head, lines)
}

// The page has the distribution of the calls of fib 22 on 1024 PEs, from runs of the machine.
func TestSpreadInBeyond(t *testing.T) {
	p := load(t)
	priority := func(c *em4.Config) { c.SwitchPriority, c.IBUPriority = 2, 2 }
	group := func(c *em4.Config) { c.MLPERoute = "group" }
	var lines [][]string
	for _, x := range []struct {
		name   string
		params map[string]string
		change []func(c *em4.Config)
	}{
		{"static", nil, nil},
		{"MLPE", map[string]string{"mlpe": "on"}, nil},
		{"MLPE, priority 2", map[string]string{"mlpe": "on"}, []func(c *em4.Config){priority}},
		{
			"MLPE, 4 registers",
			map[string]string{"mlpe": "on", "registers": "all"},
			[]func(c *em4.Config){func(c *em4.Config) { c.PrefetchRegisters = 4 }},
		},
		{"MLPE, beside", map[string]string{"mlpe": "on", "ring_first": "in"}, nil},
		{"MLPE, beside, priority 2", map[string]string{"mlpe": "on", "ring_first": "in"}, []func(c *em4.Config){priority}},
		{"MLPE, group ring", map[string]string{"mlpe": "on"}, []func(c *em4.Config){group}},
		{"MLPE, circuits swapped", map[string]string{"mlpe": "on", "ring_first": "in"}, []func(c *em4.Config){group}},
	} {
		c := em4.Target1024()
		for _, f := range x.change {
			f(&c)
		}
		m, r := fib(t, c, 22, x.params)
		var calls []uint64
		for i := range c.PEs {
			if n := m.PE(i).Calls; n > 0 {
				calls = append(calls, n)
			}
		}
		slices.SortFunc(calls, func(a, b uint64) int { return int(b) - int(a) })
		half, sum := 0, uint64(0)
		for ; 2*sum < r.Calls; half++ {
			sum += calls[half]
		}
		lines = append(lines, []string{
			x.name, fmt.Sprint(r.Clocks), fmt.Sprintf("%.1f", 100*float64(r.MLPECalls)/float64(r.Calls)),
			fmt.Sprint(len(calls)), fmt.Sprint(half), fmt.Sprint(calls[0]),
		})
	}
	p.block(t, "spread", markdown([]string{
		"fib 22 on 1024 PEs", "clocks", "MLPE calls [%]", "PEs with calls", "PEs with half of the calls",
		"most calls on a PE",
	}, lines))
	p.save(t)
}

// The page shows results for both refill rules at three FIFO depths; no sweep covers these runs.
func TestFIFOInBeyond(t *testing.T) {
	p := load(t)
	var lines [][]string
	for _, blocks := range []bool{true, false} {
		for _, words := range []int{32, 128, 512} {
			c := em4.Prototype80()
			c.RefillBlocksIntake, c.FIFOWords = blocks, words
			_, r := fib(t, c, 24, map[string]string{"mlpe": "on"})
			lines = append(lines, []string{
				fmt.Sprintf("`refill_blocks_intake = %v`, FIFO %d", blocks, words), fmt.Sprint(r.Clocks),
				fmt.Sprintf("%.1f", 100*r.Share(emcr.NetworkWait)),
				fmt.Sprintf("%.1f", 100*float64(r.Spilled)/float64(r.Sent)),
			})
		}
	}
	p.block(t, "fifo", markdown([]string{"fib 24 with MLPE on 80 PEs", "clocks", "network wait", "spilled"}, lines))
	p.save(t)
}

// The page has the results of the random policy with an output buffer, which are in no sweep.
func TestRandomWithOutputBuffer(t *testing.T) {
	clocks := func(buffer int) uint64 {
		c := em4.Prototype80()
		c.OutPackets = buffer
		_, r := fib(t, c, 20, map[string]string{"policy": "random"})
		return r.Clocks
	}
	require.Contains(t, strings.Join(strings.Fields(load(t).text), " "),
		fmt.Sprintf("fib 20 takes %d clocks without a buffer and %d with one of four", clocks(0), clocks(4)))
}

func fib(t *testing.T, c em4.Config, n uint64, params map[string]string) (*em4.Machine, em4.Result) {
	o, err := programs.Assemble("fib", params)
	require.NoError(t, err)
	prog, err := programs.Load(o)
	require.NoError(t, err)
	m, err := em4.New(c, prog, 1)
	require.NoError(t, err)
	require.NoError(t, m.Boot(context.Background(), 1_000_000))
	r, err := m.Run(context.Background(), []uint64{n}, em4.RunOptions{MaxClocks: 1_000_000})
	require.NoError(t, err)
	return m, r
}

// The page has the results of the programs by policy.
func TestProgramsInBeyond(t *testing.T) {
	x, p := read(t, "beyond/programs.csv"), loadTables(t)
	sizes := []string{"12", "80", "1024"}
	head := []string{"program"}
	for _, pes := range sizes {
		head = append(head, pes+": fastest static", "clocks", "fastest with MLPE", "by static", "ring: MLPE by static")
	}
	var lines [][]string
	for _, c := range x.distinct(row.call) {
		line := []string{c}
		for _, pes := range sizes {
			fastest := func(mlpe string) row {
				best := row{}
				for _, r := range x {
					if r.call() == c && r["pes"] == pes && r["mlpe"] == mlpe && r["outcome"] == "ok" &&
						!(r.number("clocks") >= best.number("clocks")) {
						best = r
					}
				}
				return best
			}
			static, mlpe := fastest("off"), fastest("on")
			line = append(line, static["policy"], static["clocks"], mlpe["policy"], ratio(mlpe, static),
				ratio(x.find("call", c, "pes", pes, "mlpe", "on", "policy", "ring"),
					x.find("call", c, "pes", pes, "mlpe", "off", "policy", "ring")))
		}
		lines = append(lines, line)
	}
	p.block(t, "programs", markdown(head, lines))
	ring := func(call, pes string) string {
		return ratio(x.find("call", call, "pes", pes, "mlpe", "on", "policy", "ring"),
			x.find("call", call, "pes", pes, "mlpe", "off", "policy", "ring"))
	}
	proseOf(t, "beyond/programs.csv", "BEYOND.md").
		says(t, "on 80 PEs it takes `sum` to %s, `matmul` to %s and `knapsack 16` to %s of the ring's clocks",
			ring("sum 65536", "80"), ring("matmul 24", "80"), ring("knapsack 16", "80"))
	p.save(t)
}
