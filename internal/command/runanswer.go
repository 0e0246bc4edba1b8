package command

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"emsim/em4"
	"emsim/internal/base/gotype"
	"emsim/internal/base/plural"
	"emsim/internal/machine/run"
)

// runAnswer is the answer of 'emsim run', with its table.
type runAnswer struct {
	*run.Answer
	failed  bool     // the run failed
	changed []string // what differs from the program and the machine as they are, or all with --verbose
	full    []uint64 // the right words before a machine cuts them; nil if they are not known
}

// table prints the answer for people.
func (x *runAnswer) table(w io.Writer) {
	if writeReasons(w, x.Explain); len(x.Explain) > 0 {
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s on %s, %d PEs, %s%s\n", x.Session.Call(), x.Session.MachineName, x.config().PEs, seedsText(x.Session.Seed, x.Seeds), x.partial())
	if len(x.changed) > 0 {
		fmt.Fprintln(w, strings.Join(x.changed, " "))
	}
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	// A tabwriter's columns end at a row without a note. That suits the result,
	// which may be very long; other rows have an empty note instead.
	row := func(name, value, note string) { fmt.Fprintf(t, "%s\t%s\t%s\n", name, value, note) }
	fmt.Fprintf(t, "\nresult\t%s%s\n", x.Session.ResultText(x.Words, mostValues), x.wordNote())
	row("clocks", count(x.Clocks), "from the entry of the start packet "+x.until()+x.spread())
	row("time", fmt.Sprintf("%.4g ms", x.TimeMS()), fmt.Sprintf("at %.4g MHz, %.4g ns per clock", 1e3/x.config().ClockNS, x.config().ClockNS))
	for _, r := range x.statistics() {
		s, _ := em4.StatisticOf(r[0])
		row(r[1], figure(&s, s.Total(&x.Totals)), r[2])
		if r[0] == "instructions" {
			row("MIPS", fmt.Sprintf("%.1f", x.MIPS()), fmt.Sprintf("of %s: one instruction per clock in every PE", count(uint64(run.PeakMIPS(x.config())+0.5))))
		}
	}
	if o := x.Overtakings; o != nil {
		longest, most := o.Longest.String(), o.Most.String()
		if most == longest {
			most = "the same packet"
		}
		row("longest wait", plural.Of(o.Longest.Clocks, "clock"), "most that a packet was ready in one switch and did not move: "+longest)
		row("overtaken", plural.Of(o.Most.Times, "time"), "most that others took the room that one packet was ready for: "+most)
	}
	row("simulated in", fmt.Sprintf("%.2f s", x.Wall.Seconds()), short(x.Speed())+" PE-clocks/s")
	t.Flush() // into text, which takes everything
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
	x.bands(w)
}

// partial says of a run that did not come to its end how far it and those before it got.
func (x *runAnswer) partial() string {
	switch {
	case !x.Partial:
		return ""
	case x.DoneShare() != nil:
		return fmt.Sprintf(": %.0f %% done, %d of %d runs", 100**x.DoneShare(), len(x.Session.Done), x.Session.Runs)
	}
	return ": not complete, after " + plural.Of(x.Clocks, "clock")
}

// statistics returns the rows of the table: keys of statistics, their names and notes.
func (x *runAnswer) statistics() [][3]string {
	t := &x.Totals
	perCall := func(n uint64) string {
		if t.Calls == 0 {
			return ""
		}
		return fmt.Sprintf("%.1f per call", float64(n)/float64(t.Calls))
	}
	mlpe, spilled := "", ""
	if t.MLPESent > 0 || t.MLPECalls > 0 {
		mlpe = fmt.Sprintf("; %s of them placed by MLPE, with %s MLPE packets", count(t.MLPECalls), count(t.MLPESent))
	}
	if t.Sent > 0 {
		spilled = share(t.Spilled, t.Sent) + ", "
	}
	list := [][3]string{
		{"pe_utilisation", "PE utilisation", "PE-clocks with IBU, FMU or EXU at work"},
		{"exu_fmu", "  EXU or FMU", "executing or matching"},
		{"ibu_only", "  IBU only", "the input buffer uses the memory; FMU and EXU stall"},
		{"network_wait", "network wait", "the EXU holds a packet that the switch has not taken"},
		{"idle", "idle", "no packet to work on"},
		{"instructions", "instructions", perCall(t.Instructions)},
		{"calls", "calls", "function instances" + mlpe},
		{"packets_sent", "packets", perCall(t.Sent)},
		{"packets_spilled", "  spilled", spilled + "written to the memory input buffer (MIB) and read back"},
		{"hops", "  hops", "links between PEs that packets crossed"},
		{"segments_peak", "operand segments", fmt.Sprintf("at most in use in one PE, of %d", x.config().Segments)},
		{"mib_peak_words", "MIB words", fmt.Sprintf("at most in use in one PE, of %d", x.config().MIBWords)},
	}
	for _, key := range []string{"transfers", "messages", "imbalance"} { // of all machines; the efficiency is EXU or FMU
		s, _ := em4.StatisticOf(key)
		list = append(list, [3]string{key, key, s.Doc})
	}
	return list
}

// bandRows are the rows of the table of bands: keys, their names and how a number is
// written.
var bandRows = []struct {
	key, name, format string
	scale             float64
}{
	{"time_ms", "time", "%.4g ms", 1},
	{"pe_utilisation", "PE utilisation", "%.1f %%", 100},
	{"exu_fmu", "  EXU or FMU", "%.1f %%", 100},
	{"ibu_only", "  IBU only", "%.1f %%", 100},
	{"network_wait", "network wait", "%.1f %%", 100},
	{"idle", "idle", "%.1f %%", 100},
	{"instructions", "instructions", "%.0f", 1},
	{"mlpe_calls", "calls by MLPE", "%.0f", 1},
	{"work_per_call", "work per call", "%.1f clocks", 1},
}

// bands prints what several runs came to.
func (x *runAnswer) bands(w io.Writer) {
	runs := len(x.Session.Done)
	if runs < 2 {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\nover %d runs\tmean\tmin\tmax\tfastest run\n", runs)
	bands := x.Session.Bands()
	for _, r := range bandRows {
		b, ok := bands.Get(r.key).(*run.Band)
		if !ok || r.key == "mlpe_calls" && b.Max == 0 {
			continue
		}
		of := func(v float64) string { return fmt.Sprintf(r.format, r.scale*v) }
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", r.name, of(b.Mean), of(b.Min), of(b.Max), of(b.Best))
	}
	t.Flush()
}

// figure prints a statistic of the machine.
func figure(s *em4.Statistic, total any) string {
	switch v := total.(type) {
	case float64:
		if s.Ratio {
			return fmt.Sprintf("%.2f", v)
		}
		return percent(v)
	case uint64:
		if s.Kind == em4.Peak {
			return strconv.FormatUint(v, 10) // beside a limit that has no commas
		}
		return count(v)
	}
	return ""
}

// maxSeeds bounds --seeds.
const maxSeeds = 10_000

// checkSeeds refuses a number of seeds, from a first one up.
func checkSeeds(first uint64, n int) error {
	switch {
	case n < 1 || n > maxSeeds:
		return usagef("--seeds is %d, it must be 1..%d", n, maxSeeds)
	case first+uint64(n)-1 < first:
		return usagef("--seeds %d: there are no %d seeds from %d up, the last is %d", n, n, first, uint64(math.MaxUint64))
	}
	return nil
}

// seedsText names the seed of one run, or the seeds of several.
func seedsText(first uint64, n int) string {
	if n > 1 {
		return fmt.Sprintf("seeds %d to %d", first, first+uint64(n)-1)
	}
	return fmt.Sprintf("seed %d", first)
}

// mostValues is how many values of a result the tables show.
const mostValues = 20

// wordNote returns a single word in full if the machine has cut it, or with its sign if
// the program does not state its type.
func (x *runAnswer) wordNote() string {
	words, full, bits := x.Words, x.full, x.Session.WordBits()
	switch {
	case len(words) != 1:
		return ""
	case len(full) == 1 && full[0]>>bits > 0 && full[0]&(1<<bits-1) == words[0]:
		return fmt.Sprintf("\twrapped to %d bits: in full it is %s", bits, count(full[0]))
	case x.Session.Object.Result == "" && words[0]>>(bits-1) == 1:
		return "\tas a signed word " + gotype.Text("int", words, 1, bits)
	}
	return ""
}

// until says where the measured time ends.
func (x *runAnswer) until() string {
	if x.failed {
		return fmt.Sprintf("until it stopped; it began at the machine's clock %s", count(x.Start))
	}
	return "to the last word to the host"
}

// spread says how several runs differ.
func (x *runAnswer) spread() string {
	const most = 8 // on the line
	text, done := "", x.Session.Done
	for i := 0; i < min(most, len(done)); i++ {
		text += fmt.Sprintf(" %d", done[i].Clocks)
	}
	switch {
	case len(done) < 2:
		return ""
	case len(done) > most:
		text += " ..."
	}
	return fmt.Sprintf("; the fastest of %d runs:%s", len(done), text)
}

func (x *runAnswer) config() em4.Config { return x.Session.Config() }

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// count prints an integer with commas between thousands.
func count(n uint64) string { return plural.Commas(n) }
