package ratios

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Record is the benchmark record of a release: what 'go test -bench' printed,
// after lines KEY: VALUE that say where, when and of what.
type Record struct {
	Name string // the release
	Keys map[string]string
	Rows []Row
}

// Row is one benchmark of a record.
type Row struct {
	Name   string               // without "BenchmarkRatios/" and the number of threads
	Values map[string][]float64 // by unit
}

// median is the median of a row's values of a unit, and whether there are any.
func (r *Record) median(name, unit string) (float64, bool) {
	i := slices.IndexFunc(r.Rows, func(x Row) bool { return x.Name == name })
	if i < 0 || r.Rows[i].Values[unit] == nil {
		return 0, false
	}
	return Median(r.Rows[i].Values[unit], func(x *float64) float64 { return *x }), true
}

// Parse reads a record.
func Parse(name string, text []byte) (*Record, error) {
	r := &Record{Name: name, Keys: map[string]string{}}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if f := strings.Fields(line); strings.HasPrefix(line, "Benchmark") && len(f) >= 4 {
			if err := r.add(f); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
		} else if key, value, ok := strings.Cut(line, ": "); ok {
			r.Keys[key] = value
		}
	}
	if len(r.Rows) == 0 {
		return nil, fmt.Errorf("%s has no line of BenchmarkRatios: expected the output of 'go test -bench Ratios'", name)
	}
	return r, lines.Err()
}

// add adds a line: name, iterations, then values with their units.
func (r *Record) add(fields []string) error {
	name := strings.TrimPrefix(fields[0], "BenchmarkRatios/")
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		if _, err := strconv.Atoi(name[i+1:]); err == nil {
			name = name[:i]
		}
	}
	at := slices.IndexFunc(r.Rows, func(x Row) bool { return x.Name == name })
	if at < 0 {
		at = len(r.Rows)
		r.Rows = append(r.Rows, Row{name, map[string][]float64{}})
	}
	for i := 2; i+1 < len(fields); i += 2 {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return fmt.Errorf("%q is no number", fields[i])
		}
		values := r.Rows[at].Values
		values[fields[i+1]] = append(values[fields[i+1]], v)
	}
	return nil
}

// Records reads all records of a directory, in the order of their dates.
func Records(dir fs.FS) ([]*Record, error) {
	files, err := fs.Glob(dir, "*.txt")
	if err != nil {
		return nil, err
	}
	var all []*Record
	for _, file := range files {
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return nil, err
		}
		r, err := Parse(strings.TrimSuffix(path.Base(file), ".txt"), text)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b *Record) int { return strings.Compare(a.Keys["date"], b.Keys["date"]) })
	return all, nil
}

// Table is the series as a table in Markdown: a column for each release, with
// the median and, if there are several values, the least and greatest.
func Table(all []*Record) string {
	var b strings.Builder
	line := func(head string, cell func(r *Record) string) {
		fmt.Fprintf(&b, "| %s |", head)
		for _, r := range all {
			fmt.Fprintf(&b, " %s |", cell(r))
		}
		b.WriteByte('\n')
	}
	line("benchmark", func(r *Record) string { return r.Name })
	fmt.Fprintf(&b, "|---|%s\n", strings.Repeat("---|", len(all)))
	for _, key := range []string{"date", "commit", "go", "cpu", "cores"} {
		line(key, func(r *Record) string { return r.Keys[key] })
	}
	type place struct{ name, unit string }
	var places []place
	for _, r := range all {
		for _, x := range r.Rows {
			for _, unit := range slices.Sorted(maps.Keys(x.Values)) {
				if p := (place{x.Name, unit}); strings.HasPrefix(unit, "of-") && !slices.Contains(places, p) {
					places = append(places, p)
				}
			}
		}
	}
	for _, p := range places {
		line(p.name+" ("+p.unit+")", func(r *Record) string { return r.cell(p.name, p.unit) })
	}
	return b.String()
}

// cell is a place in the table, empty if the record lacks it.
func (r *Record) cell(name, unit string) string {
	median, ok := r.median(name, unit)
	if !ok {
		return ""
	}
	i := slices.IndexFunc(r.Rows, func(x Row) bool { return x.Name == name })
	v := r.Rows[i].Values[unit]
	if len(v) == 1 {
		return fmt.Sprintf("%.2f", median)
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", median, slices.Min(v), slices.Max(v))
}

// Fill returns a page with a table between the lines that name its place.
func Fill(page, place, table string) (string, error) {
	begin, end := fmt.Sprintf("<!-- %s: begin -->\n", place), fmt.Sprintf("<!-- %s: end -->\n", place)
	head, rest, ok := strings.Cut(page, begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return "", fmt.Errorf("the page has no place for the %s: expected the lines %q and %q", place, begin, end)
	}
	return head + begin + "\n" + table + "\n" + end + tail, nil
}

// Page is the page that publishes the records.
const Page = "docs/PERFORMANCE.md"

// Publish returns the page with its tables made anew: from the records in the
// folder docs, and what programs take at the rates of the newest one.
func Publish(page string, docs fs.FS) (string, error) {
	dir, err := fs.Sub(docs, "benchmarks")
	if err != nil {
		return "", err
	}
	all, err := Records(dir)
	if err != nil {
		return "", err
	}
	runs, table := "No release has a record yet.\n", "No release has a record yet.\n"
	if len(all) > 0 {
		sweep, err := fs.ReadFile(docs, "beyond/programs.csv")
		if err != nil {
			return "", err
		}
		if runs, err = Runs(all[len(all)-1], sweep); err != nil {
			return "", err
		}
		table = Table(all)
	}
	if page, err = Fill(page, "runs", runs); err != nil {
		return "", err
	}
	return Fill(page, "records", table)
}
