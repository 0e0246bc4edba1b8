package command

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"emsim/internal/base/answer/terminal"

	"emsim/em4"
	"emsim/internal/base/lists"
	"emsim/internal/base/ordered"
	"emsim/internal/base/wholefile"
	"emsim/internal/machine/machines"
)

// listed formats a list of statistics for a help text.
func listed(list []em4.Statistic, doc func(s *em4.Statistic) string) string {
	var b strings.Builder
	for i := range list {
		s := &list[i]
		lines := terminal.Wrap(doc(s), 58)
		fmt.Fprintf(&b, "\n    %-17s %s", s.Key, strings.Join(lines, "\n"+strings.Repeat(" ", 22)))
	}
	return b.String()
}

func statsHelp() string {
	doc := func(s *em4.Statistic) string { return s.Doc }
	return `The file of --stats has one counter per row:

  run      1, 2, ... of --runs
  unit     host; pe; or a link: in_group, out_of_group (to [to_ga,to_ca]),
           own (from the switch to its own PE, at [0,0] also to the host)
  ga ca    the PE
  value    until the last word to the host was out
  counter  of a PE:` + listed(machines.CountedFor(em4.OfPE, em4.OfSwitch), doc) + `
           of a link:` + listed(machines.CountedFor(em4.OfLink), doc)
}

func seriesHelp() string {
	return `The file of --series has one sample per row:

  run          1, 2, ... of --runs
  time clocks  the sample's end in clocks from the start packet; its length
  busy_pes     average number of PEs with IBU, FMU or EXU at work
  and within the sample, shares as 0..1:` + listed(em4.StatisticsIn(em4.InSeries), (*em4.Statistic).MachineDoc)
}

// csvFile is a CSV file being written. Its method close returns the first error. A nil csvFile discards everything.
type csvFile struct {
	app   *app
	flag  string
	name  string
	terms ordered.Object // for the sidecar
	file  *wholefile.File
	buf   *bufio.Writer
	csv   *csv.Writer
	row   []string
}

// createCSV creates a file and writes its header. It returns nil if name is empty.
func (a *app) createCSV(flag, name string, header []string) (*csvFile, error) {
	if name == "" {
		return nil, nil
	}
	f, err := wholefile.Create(name)
	if err != nil {
		return nil, usagef("--%s: %w", flag, err)
	}
	buf := bufio.NewWriter(f)
	c := &csvFile{app: a, flag: flag, name: name, file: f, buf: buf, csv: csv.NewWriter(buf)}
	_ = c.csv.Write(header) // csv.Writer keeps its first error
	return c, nil
}

// writeRows writes the CSV file of a flag, unless name is empty.
func (a *app) writeRows(flag, name string, header []string, fill func(write func(fields ...any))) error {
	c, err := a.createCSV(flag, name, header)
	if c != nil {
		fill(c.write)
	}
	return errors.Join(err, c.close())
}

// write writes a row of numbers and strings; real numbers have six decimals.
func (c *csvFile) write(fields ...any) {
	c.row = c.row[:0]
	for _, f := range fields {
		switch v := f.(type) {
		case string:
			c.row = append(c.row, v)
		case int:
			c.row = append(c.row, strconv.Itoa(v))
		case int64:
			c.row = append(c.row, strconv.FormatInt(v, 10))
		case uint64:
			c.row = append(c.row, strconv.FormatUint(v, 10))
		case float64:
			c.row = append(c.row, strconv.FormatFloat(v, 'f', 6, 64))
		default:
			c.row = append(c.row, fmt.Sprint(v))
		}
	}
	_ = c.csv.Write(c.row)
}

// close closes the file. The file replaces an older one, unless a write failed.
func (c *csvFile) close() error {
	if c == nil {
		return nil
	}
	c.csv.Flush()
	_ = c.buf.Flush() // Commit reports every error
	if err := c.file.Commit(); err != nil {
		return usagef("--%s: %w", c.flag, err)
	}
	return c.app.writeSidecar("--"+c.flag, c.name, c.terms)
}

// series writes the samples of one run.
func (c *csvFile) series(run, pes int, list []em4.Totals) {
	if c == nil {
		return
	}
	columns := em4.StatisticsIn(em4.InSeries)
	clock := uint64(0)
	for i := range list {
		w := &list[i]
		clock += w.Clocks
		row := []any{run, clock, w.Clocks, float64(w.Utilisation() * float64(pes))}
		row = append(row, lists.Of(columns, func(s em4.Statistic) any { return s.Total(w) })...)
		c.write(row...)
	}
}
