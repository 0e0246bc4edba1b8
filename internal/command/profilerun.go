package command

import (
	"bytes"
	"io"
	"strings"

	"emsim/internal/base/answer"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"emsim/internal/base/lists"
	"emsim/internal/inspect/profile"
	"emsim/internal/machine/recipe"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// profileFlags holds the flags of 'emsim profile'.
type profileFlags struct {
	targetFlags
	top   int
	csv   string
	path  string
	pprof string
}

func newProfileCmd(a *app) *cobra.Command {
	f := &profileFlags{}
	cmd := &cobra.Command{
		Use:   "profile",
		Short: "Run a program and say where its clocks went, and what made it as long as it was",
		Long: `profile runs a program as 'emsim run' does and counts instructions, clocks,
waits, packets and spills by template, block and source line. The clocks are
the clocks of all EXUs, from the start of the run to its last word to the host.

The critical path is the chain of packets and blocks, each the last that the next
one waited for, that makes the run as long as it is. The table shows what its
clocks were for, and an estimate of what the run would gain if some of them
vanished: the longest of all recorded paths without them. What a part causes
elsewhere stays as recorded; 'emsim run --set' measures it.

A packet counts for the block, and for the line, that made it. 'emsim docs
TRACING' explains every column. ('emsim run --profile' is something else: a CPU
profile of emsim itself.)`,
		Example: `  emsim profile fib 16
  emsim profile queens 6 --policy random --top 5
  emsim profile prog.s 5 --pes 12 --csv lines.csv --path path.csv
  emsim profile fib 20 --pprof fib.pprof && go tool pprof -lines -top fib.pprof`,
	}
	f.runsProgram(a, cmd, func(cmd *cobra.Command, args []string) error { return a.profile(cmd, f, args) })
	topFlag(cmd, &f.top)
	outFlag(cmd, &f.csv, "csv", "write the counts of every template, block, line and instruction to this CSV file")
	outFlag(cmd, &f.path, "path", "write every step of the critical path to this CSV file")
	outFlag(cmd, &f.pprof, "pprof", "write a file for 'go tool pprof'")
	return cmd
}

// profile implements 'emsim profile'. It prints the profile even if the run failed.
func (a *app) profile(cmd *cobra.Command, f *profileFlags, args []string) error {
	if err := checkTop(f.top); err != nil {
		return err
	}
	s, err := f.begun(a, cmd, args)
	if err != nil {
		return err
	}
	var p *profile.Profile
	ran, err := a.observe(cmd.Context(), s, f.threads, func(from, end uint64) (trace.Sink, error) {
		s.Net.CountOvertakings()
		p = profile.New(s.Object, s.Config().PEs, s.Current.StartClock(), from, end)
		return p, nil
	})
	if p == nil || ran == nil {
		return err
	}
	said := (&profileAnswer{p, ran, map[string][]string{}}).said()
	said.Next = answer.Next{
		Command: a.made.next("plot timeline", args) + " -o timeline.svg", Why: "what every PE did over time",
	}
	files, table := f.write(a, s, p), a.shownTop(said, f.top)
	if err != nil {
		return a.failed(err, map[string]any{"profile": said}, table)
	}
	return a.emitRun(said, table, nil, files)
}

// write writes the files that the flags name.
func (f *profileFlags) write(a *app, s *run.Batch, p *profile.Profile) error {
	counts, steps := strings.Fields("level template block file line pc"),
		strings.Fields("clock ga ca block send clocks")
	counts = append(counts, lists.Of(countColumns, func(c answer.Column[*profile.Counts]) string { return c.Key })...)
	for part := range profile.Parts {
		steps = append(steps, part.String())
	}
	if err := a.writeRows("csv", f.csv, counts, func(write func(fields ...any)) { writeCounts(write, p) }); err != nil {
		return err
	}
	if err := a.writeRows("path", f.path, steps,
		func(write func(fields ...any)) { writePath(write, s, p) }); err != nil {
		return err
	}
	pprof := func(w io.Writer) error {
		return p.WritePprof(w, s.Title()+"\n"+recipe.Line(a.recipe("--pprof")), s.Config().ClockNS)
	}
	for _, file := range []struct {
		flag, name string
		fill       func(w io.Writer) error
		write      func(flag, name string, text []byte) error
	}{{"--pprof", f.pprof, pprof, writeOutput}} {
		if file.name == "" {
			continue
		}
		var b bytes.Buffer
		if err := file.fill(&b); err != nil {
			return err
		}
		if err := file.write(file.flag, file.name, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// writeCounts writes a row for each template, block, line and instruction.
func writeCounts(write func(fields ...any), p *profile.Profile) {
	for l := range profile.Levels {
		for _, r := range p.Rows(l) {
			row := []any{l.String(), r.Template, r.Block, r.File, "", ""}
			if r.Line > 0 {
				row[4] = r.Line
			}
			if r.Code && l != profile.ByTemplate {
				row[5] = r.PC
			}
			for _, c := range countColumns {
				row = append(row, c.Of(&r.Counts))
			}
			write(row...)
		}
	}
}

// writePath writes a row for each step of the critical path.
func writePath(write func(fields ...any), s *run.Batch, p *profile.Profile) {
	for _, step := range p.Path() {
		row := []any{step.Clock, "", "", profile.HostName, "", step.Took.Sum()}
		if !step.Host {
			pe := s.Net.Address(int(step.PE))
			row[1], row[2], row[3], row[4] = pe.GA, pe.CA, s.Object.CodeName(step.Node), s.Object.CodeName(step.Send)
		}
		for _, n := range step.Took {
			row = append(row, n)
		}
		write(row...)
	}
}

// profileAnswer is a profile with its run.
type profileAnswer struct {
	*profile.Profile
	run   *run.Answer
	texts map[string][]string // lines of the source files, by file
}

// A placed is a row of a profile: a place in the program, with its counts.
type placed struct {
	profile.Row
	text string // of its line
}

// placeColumns declare the keys of a place.
var placeColumns = answer.Columns[placed]{
	{Key: "template", Of: func(x placed) any { return unless(x.Template == "", x.Template) }},
	{Key: "block", Of: func(x placed) any { return unless(x.Block == "", x.Block) }},
	{Key: "file", Of: func(x placed) any { return unless(x.File == "", x.File) }},
	{Key: "line", Of: func(x placed) any { return unless(x.Line == 0, x.Line) }},
	{Key: "text", Doc: "of the line", Of: func(x placed) any { return unless(x.text == "", x.text) }},
	{Key: "counts", Of: func(x placed) any { return countsOf(&x.Counts) }},
}

// reads returns the reads of arrays by array and line.
func (x *profileAnswer) reads() []profile.Reads { return x.Reads(x.run.Session.PE(0).Memory().Read) }

// readColumns declares the keys of the reads of an array.
func readColumns(s *run.Batch) answer.Columns[profile.Reads] {
	return answer.Columns[profile.Reads]{
		{Key: "array", Of: func(r profile.Reads) any { return r.Array }},
		{Key: "file", Of: func(r profile.Reads) any { return r.Source.File }},
		{Key: "line", Of: func(r profile.Reads) any { return r.Source.Line }},
		{Key: "reads", Of: func(r profile.Reads) any { return r.Count }},
		{Key: "owner", Of: func(r profile.Reads) any {
			owner := s.Net.Address(r.Owner)
			return object{"ga", owner.GA, "ca", owner.CA}
		}},
		{Key: "owner_reads", Of: func(r profile.Reads) any { return r.Asked }},
		{Key: "owner_busy", Of: func(r profile.Reads) any { return r.Busy }},
	}
}

// readsList returns the table of array reads, with the most requested owner of each.
func (x *profileAnswer) readsList() answer.List {
	t := answer.List{Heads: []string{
		"reads of arrays on other PEs", "reads", "most asked owner", "its share",
		"it is busy",
	}}
	for _, r := range x.reads() {
		t.Add(r.Array+" "+x.named(profile.ByLine, &r.Source), count(r.Count),
			"PE "+x.run.Session.Net.Address(r.Owner).String(), answer.PartInPercent(r.Asked, r.Count),
			answer.PartInPercent(r.Busy, x.Clocks()))
	}
	return t
}

// named returns the name of a row, with the text of its line.
func (x *profileAnswer) named(l profile.Level, r *profile.Row) string {
	name := r.Name(l)
	if text := x.text(l, r); text != "" {
		name += " " + ansi.Truncate(text, mostText, "…")
	}
	return name
}

// from returns the clock of the run at which the profile begins.
func (x *profileAnswer) from() uint64 { return x.run.Clocks - x.Clocks() }

// path describes the critical path.
func (x *profileAnswer) path() object {
	if x.Path() == nil {
		return nil
	}
	blocks, whatIf := []object{}, []object{}
	for _, r := range x.PathRows() {
		blocks = append(blocks, object{
			"block", r.Block, "steps", r.Steps, "clocks", r.Took.Sum(),
			"parts", partsOf(r.Took),
		})
	}
	for _, e := range x.Estimates() {
		whatIf = append(whatIf, object{"case", e.Name, "clocks", e.Clocks})
	}
	return object{
		"clocks", x.Longest(), "steps", len(x.Path()), "parts", partsOf(x.pathParts()), "blocks", blocks,
		"what_if", whatIf,
	}
}

// pathParts returns the clocks of the critical path by part.
func (x *profileAnswer) pathParts() (all profile.Split) {
	for _, r := range x.PathRows() {
		for part, n := range r.Took {
			all[part] += n
		}
	}
	return all
}

func partsOf(s profile.Split) map[string]uint64 {
	all := map[string]uint64{}
	for part, n := range s {
		all[profile.Part(part).String()] = uint64(n)
	}
	return all
}

// countColumns declare the counts of a place, for JSON and CSV.
var countColumns = func() answer.Columns[*profile.Counts] {
	list := answer.Columns[*profile.Counts]{
		{Key: "instructions", Of: func(c *profile.Counts) any { return c.Instructions }},
		{Key: "blocks", Of: func(c *profile.Counts) any { return c.Blocks }},
		{Key: "clocks", Of: func(c *profile.Counts) any { return c.Clocks() }},
	}
	for w := range profile.Waits {
		list = append(list, answer.Column[*profile.Counts]{
			Key: w.String(),
			Of:  func(c *profile.Counts) any { return c.EXU[w] },
		})
	}
	for s := range profile.States {
		list = append(list, answer.Column[*profile.Counts]{
			Key: "pe_" + trace.Status(s).String(),
			Of:  func(c *profile.Counts) any { return c.State[s] },
		})
	}
	return append(list, answer.Columns[*profile.Counts]{
		{Key: "packets", Of: func(c *profile.Counts) any { return c.Packets }},
		{Key: "spilled", Of: func(c *profile.Counts) any { return c.Spilled }},
		{Key: "hops", Of: func(c *profile.Counts) any { return c.Hops }},
		{Key: "travel_clocks", Of: func(c *profile.Counts) any { return c.Travel }},
		{Key: "queue_clocks", Of: func(c *profile.Counts) any { return c.Queued }},
	}...)
}()

// countsOf returns the counts of a place as a JSON object.
func countsOf(c *profile.Counts) object { return countColumns.Objects([]*profile.Counts{c})[0] }

// mostText is the largest number of characters of a line's text that are shown with its counts [chosen].
const mostText = 40

// text returns the source text of a row's line, or "".
func (x *profileAnswer) text(l profile.Level, r *profile.Row) string {
	if l != profile.ByLine || r.Line == 0 {
		return ""
	}
	list, known := x.texts[r.File]
	if !known {
		list = strings.Split(x.run.Session.SourceText(r.File), "\n")
		x.texts[r.File] = list
	}
	if r.Line > len(list) {
		return ""
	}
	return strings.Join(strings.Fields(list[r.Line-1]), " ")
}
