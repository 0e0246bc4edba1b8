package figures

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"emsim/internal/base/lists"
	"emsim/internal/base/simerr"
	"emsim/internal/base/srcerr"
	"emsim/internal/base/suggest"
)

// seriesKind describes the --series files of a machine. Such a file has a line for each processor and sample.
type seriesKind struct {
	header    string
	value     int    // column of the load
	sums      bool   // the column counts from the start, so the load is its growth
	time, row string // labels
	words     string
}

var seriesKinds = []seriesKind{
	{"time,worker,x,y,action", 2, false, "clock", "PE", "X in every PE's memory"},
	{"time,worker,rows,doing,calc_s,wait_s", 4, true, "time [s]", "rank", "Share of the time that every rank computes"},
	{"time,worker,tasks,doing,busy_s", 4, true, "time [s]", "processor", "Share of the time that every processor runs tasks"},
	{
		"time,worker,lps,doing,slot_clocks,inbox", 4, true, "clock", "PP",
		"Share of the clocks in which every PP runs LPs",
	},
	{"time,worker,waiting,running", 2, false, "tick", "worker", "Units that wait for every worker"},
}

// series is the load of every processor over time.
type series struct {
	seriesFile
	kind  seriesKind
	times []float64
	value [][]float64 // by sample and processor
}

// SeriesLeast is the least size in centimetres at which a figure of Series can be read.
var SeriesLeast = OwnSize{8, 6}

// Series returns the figure of a --series file. Its errors name the file, and the line and
// column if they are known.
func Series(file string, text []byte, size OwnSize) (Figure, error) {
	var drawing Drawing
	high := 9 * vg.Centimeter
	f, title := seriesFile{file: file, text: text}, "load over time: "
	if bytes.HasPrefix(text, []byte(stateSeriesHead)) {
		runs, err := f.readStates()
		if err != nil {
			return Figure{}, err
		}
		drawing, title = drawStates(runs), "what the PEs do over time: "
		high = vg.Length(vg.Length(2.6+float64(5.4*float64(len(runs)))) * vg.Centimeter)
	} else {
		s, err := f.readLoads()
		if err != nil {
			return Figure{}, err
		}
		drawing = s.heatPlot()
	}
	return size.of(Figure{
		Name: "series", Title: title + filepath.Base(file), Source: "a file of --series", Width: width,
		Height: high,
		Draw:   func(context.Context) (Drawing, error) { return drawing, nil },
	}), nil
}

// seriesFile is the text of a file of --series.
type seriesFile struct {
	file string
	text []byte
}

// mostSamples is the largest number of lines in a file. All lines are kept in memory.
const mostSamples = 1 << 24

func (f *seriesFile) wrong(line, column int, format string, args ...any) error {
	return &simerr.Usage{Err: srcerr.Errors{srcerr.AtLine(f.file, f.text, line, column, fmt.Sprintf(format, args...))}}
}

// eachLine calls add for every line below the head.
func (f *seriesFile) eachLine(add func(r *csv.Reader, fields []string) error) error {
	r := csv.NewReader(bytes.NewReader(f.text))
	_, _ = r.Read() // the head
	for cells := 0; ; cells++ {
		fields, err := r.Read()
		var bad *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &bad):
			return f.wrong(bad.Line, bad.Column, "%v", bad.Err)
		case cells == mostSamples:
			return f.wrong(0, 0, "more than %d lines; sample less often", mostSamples)
		}
		if err := add(r, fields); err != nil {
			return err
		}
	}
}

// number reads the i-th field of the line that r has read: a number of at least 0.
func (f *seriesFile) number(r *csv.Reader, fields []string, i int) (float64, error) {
	v, err := strconv.ParseFloat(fields[i], 64)
	if err != nil || !(v >= 0 && v < 1e18) {
		line, column := r.FieldPos(i)
		return 0, f.wrong(line, column, "%q is not a number, 0 or more", fields[i])
	}
	return v, nil
}

func (f seriesFile) readLoads() (*series, error) {
	s := &series{seriesFile: f}
	head, _, _ := strings.Cut(string(f.text[:min(len(f.text), 200)]), "\n")
	kind, ok := kindOfSeries(strings.TrimSuffix(head, "\r"))
	if !ok {
		if at, wrong := formerColumn(head); wrong != "" {
			return nil, f.wrong(1, at, "%s", wrong)
		}
		heads := append(lists.Of(seriesKinds, func(k seriesKind) string { return k.header }), stateSeriesHead+"...",
			"time,worker,LOAD...")
		return nil, f.wrong(1, 1, "expected the head of a file of --series: one of\n  %s", strings.Join(heads, "\n  "))
	}
	s.kind = kind
	if err := f.eachLine(s.addLine); err != nil {
		return nil, err
	}
	if len(s.times) < 2 {
		return nil, f.wrong(0, 0, "fewer than two samples; run longer, or sample more often")
	}
	return s, s.complete()
}

// kindOfSeries returns the kind of a file with that head. For a machine that is not in seriesKinds, the load is the
// column after the worker.
func kindOfSeries(head string) (seriesKind, bool) {
	if k, ok := lists.Find(seriesKinds, func(k seriesKind) bool { return k.header == head }); ok {
		return k, true
	}
	columns := strings.Split(head, ",")
	ok := len(columns) > 2 && columns[0] == "time" && columns[1] == "worker" && columns[2] != "event" // of --events
	return seriesKind{head, 2, false, "time", "worker", "For every worker: " + columns[min(2, len(columns)-1)]}, ok
}

// formerColumn finds a column with a former name. It returns where that name begins, from 1, and what is wrong.
func formerColumn(head string) (at int, wrong string) {
	columns := strings.Split(head, ",")
	for i, name := range columns[:min(3, len(columns))] {
		if now := suggest.Now(name, []string{"time", "worker"}); now != "" {
			return 1 + len(strings.Join(columns[:i], ",")) + min(i, 1), fmt.Sprintf(
				"the column %s is now called %s; write the file again, or change its head", name, now)
		}
	}
	return 0, ""
}

// addLine adds a line. The processors of a sample must come in order, the samples in
// order of time.
func (s *series) addLine(r *csv.Reader, fields []string) error {
	at, err1 := s.number(r, fields, 0)
	row, err2 := s.number(r, fields, 1)
	value, err3 := s.number(r, fields, s.kind.value)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	last := len(s.times) - 1
	if row == 0 && (last < 0 || at >= s.times[last]) {
		s.times, s.value = append(s.times, at), append(s.value, []float64{value})
		return nil
	}
	if last < 0 || at != s.times[last] || int(row) != len(s.value[last]) {
		line, column := r.FieldPos(1)
		return s.wrong(line, column, "expected the next %s of a sample, or the first of the next sample", s.kind.row)
	}
	s.value[last] = append(s.value[last], value)
	return nil
}

// complete checks that all samples have the same processors, and that time passes.
func (s *series) complete() error {
	for i, row := range s.value {
		if len(row) != len(s.value[0]) {
			return s.wrong(0, 0, "the sample at %g has %d %ss, the first has %d", s.times[i], len(row), s.kind.row,
				len(s.value[0]))
		}
	}
	if s.times[len(s.times)-1] <= s.times[0] {
		return s.wrong(0, 0, "all samples have the same time")
	}
	return nil
}

// loadAt returns a processor's load at a time.
func (s *series) loadAt(at float64, row int) float64 {
	k := max(1, min(len(s.times)-1, sort.SearchFloat64s(s.times, at)))
	if !s.kind.sums {
		return s.value[k-1][row]
	}
	span := s.times[k] - s.times[k-1]
	if span <= 0 {
		return 0
	}
	return (s.value[k][row] - s.value[k-1][row]) / span
}

// greatestLoad returns the greatest load, at least 1; for shares, 1.
func (s *series) greatestLoad() float64 {
	most := 1.0
	for _, row := range s.value {
		if !s.kind.sums {
			most = max(most, slices.Max(row))
		}
	}
	return most
}

// heatPlot draws a row for each processor, darker for more load.
func (s *series) heatPlot() Drawing {
	const columns = 1024
	rows, end, most := len(s.value[0]), s.times[len(s.times)-1], s.greatestLoad()
	p := runPlot("", s.kind.time, s.kind.row, end, float64(rows))
	p.Y.Tick.Marker = workerTicks(rows, 12)
	p.Add(overRows(0, end, columns, 0, rows, states[0],
		func(time float64, row int) float64 { return s.loadAt(time, row) / most }))
	means := make([]float64, rows)
	for x := range columns {
		for row := range means {
			means[row] += s.loadAt(float64(end*(float64(x)+0.5)/columns), row) / columns
		}
	}
	words, full := fmt.Sprintf("A %s has %.4g to %.4g on average, and at most %s", s.kind.row, slices.Min(means),
		slices.Max(means), number(most)), number(most)
	if s.kind.sums {
		words = fmt.Sprintf("A %s works %.0f to %.0f %% of the time", s.kind.row, 100*slices.Min(means),
			100*slices.Max(means))
		full = "always"
	}
	out := page(words, s.kind.words, p)
	out.keys = []key{{words: full, low: "0", bar: to(states[0])}}
	return out
}
