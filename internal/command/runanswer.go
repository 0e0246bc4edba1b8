package command

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"emsim/em4"
	"emsim/internal/base/plural"
	"emsim/internal/machine/run"
)

// runAnswer is the answer of 'emsim run', with its table.
type runAnswer struct {
	*run.Answer
	Explain []string `json:"explain,omitempty"` // with --explain
	failed  bool     // the run failed
}

// table prints the answer for people.
func (x *runAnswer) table(w io.Writer) error {
	writeReasons(w, x.Explain)
	if len(x.Explain) > 0 {
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s on %s, %d PEs, %s\n", x.Call(), x.Machine, x.PEs, seedsText(x.Seed, x.Seeds))
	if len(x.Chosen) > 0 {
		fmt.Fprintf(w, "%s\n", strings.Join(x.Chosen, " "))
	}
	fmt.Fprintln(w)
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	// A tabwriter's columns end at a row without a note. That suits the result,
	// which may be very long; other rows have an empty note instead.
	row := func(name, value, note string, args ...any) {
		fmt.Fprintf(t, "%s\t%s\t%s\n", name, value, fmt.Sprintf(note, args...))
	}
	result := resultText(x.Result)
	if signed := x.signedText(); signed != "" {
		result += "\t" + signed
	}
	fmt.Fprintf(t, "result\t%s\n", result)
	row("clocks", count(x.Clocks), "from the entry of the start packet %s%s", x.until(), x.spread())
	row("time", fmt.Sprintf("%.4g ms", x.TimeMS), "at %.4g MHz, %.4g ns per clock", 1e3/x.Config.ClockNS, x.Config.ClockNS)
	for i := range statisticRows {
		r := &statisticRows[i]
		s, _ := em4.StatisticOf(r.key)
		row(r.name, figure(&s, s.Total(&x.Totals)), "%s", r.note(x))
		if r.key == "instructions" {
			row("MIPS", fmt.Sprintf("%.1f", x.MIPS), "of %s: one instruction per clock in every PE", count(uint64(run.PeakMIPS(x.Config)+0.5)))
		}
	}
	row("simulated in", fmt.Sprintf("%.2f s", x.WallSeconds), "%s PE-clocks/s", short(x.PEClocksPerSecond))
	t.Flush() // into text, which takes everything
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
	return x.bands(w)
}

// bands prints what several runs came to.
func (x *runAnswer) bands(w io.Writer) error {
	b := x.Bands
	if b == nil || len(x.Runs) < 2 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\nover %d runs\tmean\tmin\tmax\tfastest run\n", len(x.Runs))
	row := func(name, format string, scale float64, b run.Band) {
		of := func(v float64) string { return fmt.Sprintf(format, scale*v) }
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", name, of(b.Mean), of(b.Min), of(b.Max), of(b.Best))
	}
	row("time", "%.4g ms", 1, b.TimeMS)
	row("PE utilisation", "%.1f %%", 100, b.Utilisation)
	row("  EXU or FMU", "%.1f %%", 100, b.ExuFmu)
	row("  IBU only", "%.1f %%", 100, b.IbuOnly)
	row("network wait", "%.1f %%", 100, b.NetworkWait)
	row("idle", "%.1f %%", 100, b.Idle)
	row("instructions", "%.0f", 1, b.Instructions)
	if b.MLPECalls.Max > 0 {
		row("calls by MLPE", "%.0f", 1, b.MLPECalls)
	}
	if b.WorkPerCall != nil {
		row("work per call", "%.1f clocks", 1, *b.WorkPerCall)
	}
	return t.Flush()
}

// statisticRows are the statistics in the table, in its order.
var statisticRows = []struct {
	key, name string
	note      func(x *runAnswer) string
}{
	{"pe_utilisation", "PE utilisation", fixedNote("PE-clocks with IBU, FMU or EXU at work")},
	{"exu_fmu", "  EXU or FMU", fixedNote("executing or matching")},
	{"ibu_only", "  IBU only", fixedNote("the input buffer uses the memory; FMU and EXU stall")},
	{"network_wait", "network wait", fixedNote("the EXU holds a packet that the switch has not taken")},
	{"idle", "idle", fixedNote("no packet to work on")},
	{"instructions", "instructions", func(x *runAnswer) string { return x.perCall(x.Totals.Instructions) }},
	{"calls", "calls", func(x *runAnswer) string { return "function instances" + x.mlpeText() }},
	{"packets_sent", "packets", func(x *runAnswer) string { return x.perCall(x.Totals.Sent) }},
	{"packets_spilled", "  spilled", func(x *runAnswer) string {
		return partText(x.Totals.Spilled, x.Totals.Sent) + "written to the memory input buffer (MIB) and read back"
	}},
	{"hops", "  hops", fixedNote("links between PEs that packets crossed")},
	{"segments_peak", "operand segments", func(x *runAnswer) string { return fmt.Sprintf("at most in use in one PE, of %d", x.Config.Segments) }},
	{"mib_peak_words", "MIB words", func(x *runAnswer) string { return fmt.Sprintf("at most in use in one PE, of %d", x.Config.MIBWords) }},
	{"efficiency", "efficiency", documented("efficiency")},
	{"transfers", "transfers", documented("transfers")},
	{"messages", "messages", documented("messages")},
	{"imbalance", "imbalance", documented("imbalance")},
}

// documented is the note that a statistic's own text is.
func documented(key string) func(x *runAnswer) string {
	s, _ := em4.StatisticOf(key)
	return fixedNote(s.Doc)
}

// fixedNote is a note that is the same for all runs.
func fixedNote(text string) func(x *runAnswer) string { return func(*runAnswer) string { return text } }

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

// resultText shows the first words that came back to the host.
func resultText(result []uint64) string {
	const most = 20
	text := strings.Trim(fmt.Sprint(result[:min(most, len(result))]), "[]")
	if len(result) > most {
		text += fmt.Sprintf(" ... %d words in all", len(result))
	}
	return cmp.Or(text, "none")
}

// signedText shows a single result as a negative number.
func (x *runAnswer) signedText() string {
	if len(x.Result) == 1 && x.Result[0]>>(x.WordBits-1) == 1 {
		return fmt.Sprintf("as a signed word %d", int64(x.Result[0]<<(64-x.WordBits))>>(64-x.WordBits))
	}
	return ""
}

// until says where the measured time ends.
func (x *runAnswer) until() string {
	if x.failed {
		return fmt.Sprintf("until it stopped; it began at the machine's clock %s", count(x.StartClock))
	}
	return "to the last word to the host"
}

// spread says how several runs differ.
func (x *runAnswer) spread() string {
	if len(x.Runs) < 2 {
		return ""
	}
	const most = 8 // on the line
	list := strings.Trim(fmt.Sprint(x.Runs[:min(most, len(x.Runs))]), "[]")
	if len(x.Runs) > most {
		list += " ..."
	}
	return fmt.Sprintf("; the fastest of %d runs: %s", len(x.Runs), list)
}

func (x *runAnswer) perCall(n uint64) string {
	if x.Totals.Calls == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f per call", float64(n)/float64(x.Totals.Calls))
}

func (x *runAnswer) mlpeText() string {
	r := &x.Totals
	if r.MLPESent == 0 && r.MLPECalls == 0 {
		return ""
	}
	return fmt.Sprintf("; %s of them placed by MLPE, with %s MLPE packets", count(r.MLPECalls), count(r.MLPESent))
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func partText(n, of uint64) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%, ", 100*float64(n)/float64(of))
}

// count prints an integer with commas between thousands.
func count(n uint64) string { return plural.Commas(n) }
