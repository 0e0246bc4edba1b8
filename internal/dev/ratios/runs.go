package ratios

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/plural"
)

// sized are the sizes of machines whose rate a record has, and the benchmark
// that has it.
var sized = []struct{ pes, benchmark string }{{"12", "Fib24/static"}, {"80", "Fib24/static"}, {"1024", "Fib1024"}}

// Runs is a table in Markdown of the time that programs take at a record's
// rates. Their clocks are those of the table of a sweep.
func Runs(r *Record, sweep []byte) (string, error) {
	lines, err := csv.NewReader(bytes.NewReader(sweep)).ReadAll()
	if err != nil {
		return "", err
	}
	column := func(name string) int { return slices.Index(lines[0], name) }
	seconds := map[string]float64{} // by program and PEs
	var programs []string
	for _, l := range lines[1:] {
		if l[column("policy")] != "ring" || l[column("mlpe")] != "off" || l[column("variant")] != "base" || l[column("outcome")] != "ok" {
			continue
		}
		program, pes := l[column("program")]+" "+l[column("args")], l[column("pes")]
		i := slices.IndexFunc(sized, func(s struct{ pes, benchmark string }) bool { return s.pes == pes })
		if i < 0 {
			continue
		}
		rate, ok := r.median(sized[i].benchmark, "Mclocks/s")
		clocks, err1 := strconv.ParseFloat(l[column("clocks")], 64)
		n, err2 := strconv.ParseFloat(pes, 64)
		if err := errors.Join(err1, err2); err != nil || !ok {
			return "", fmt.Errorf("%s on %s PEs: no rate in record %s, or no clocks: %w", program, pes, r.Name, err)
		}
		if !slices.Contains(programs, program) {
			programs = append(programs, program)
		}
		seconds[program+" "+pes] = clocks * n / rate / 1e6
	}
	var b strings.Builder
	b.WriteString("| program |")
	for _, s := range sized {
		fmt.Fprintf(&b, " %s PEs |", s.pes)
	}
	fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat("--:|", len(sized)))
	for _, p := range programs {
		fmt.Fprintf(&b, "| %s |", p)
		for _, s := range sized {
			t, ok := seconds[p+" "+s.pes]
			if !ok {
				b.WriteString(" |")
				continue
			}
			fmt.Fprintf(&b, " %.2g s; %s |", t, plural.Commas(round(60/t)))
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// round leaves two digits.
func round(x float64) uint64 {
	text := strconv.FormatFloat(x, 'e', 1, 64)
	v, _ := strconv.ParseFloat(text, 64)
	return uint64(v + 0.5)
}
