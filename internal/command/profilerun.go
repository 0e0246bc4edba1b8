package command

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"emsim/internal/inspect/profile"
	"emsim/internal/machine/recipe"
	"emsim/internal/machine/run"
	"emsim/packet"
	"emsim/trace"
)

// profileFlags are the flags of 'emsim profile' beyond those of every target.
type profileFlags struct {
	targetFlags
	top    int
	csv    string
	path   string
	pprof  string
	folded string
}

func newProfileCmd(a *app) *cobra.Command {
	f := &profileFlags{}
	cmd := &cobra.Command{
		Use:   "profile",
		Short: "Run a program and say where its clocks went, and what made it as long as it was",
		Long: `profile runs a program as 'emsim run' does and counts instructions, clocks,
waits, packets and spills by template, block and source line. The clocks are
those of all EXUs, from the start of the run to its last word to the host.

The critical path is the chain of packets and blocks, each the last that the next
one waited for, that makes the run as long as it is. The table shows what its
clocks were for, and an estimate of what the run would gain if some of them
vanished: the longest of all recorded paths without them. What a part causes
elsewhere stays as recorded; 'emsim run --set' measures it.

A packet counts for the block, and for the line, that made it. docs/TRACING.md
explains every column. ('emsim run --profile' is something else: a CPU profile of
emsim itself.)`,
		Example: `  emsim profile fib 16
  emsim profile queens 6 --policy random --top 5
  emsim profile prog.s 5 --pes 12 --csv lines.csv --path path.csv
  emsim profile fib 20 --pprof fib.pprof && go tool pprof -lines -top fib.pprof
  emsim profile fib 20 --folded fib.folded && flamegraph.pl fib.folded > fib.svg`,
	}
	f.runsProgram(cmd, func(cmd *cobra.Command, args []string) error { return a.profile(cmd, f, args) })
	cmd.Flags().IntVar(&f.top, "top", 12, "rows of each printed table, those with the most clocks; 0: all (--json and --csv have all)")
	outFlag(cmd, &f.csv, "csv", "write the counts of every template, block, line and instruction to this CSV file")
	outFlag(cmd, &f.path, "path", "write every step of the critical path to this CSV file")
	outFlag(cmd, &f.pprof, "pprof", "write a file for 'go tool pprof'")
	outFlag(cmd, &f.folded, "folded", "write folded stacks, for flame graphs")
	return cmd
}

// profile is the command.
func (a *app) profile(cmd *cobra.Command, f *profileFlags, args []string) error {
	if f.top < 0 {
		return usagef("--top is %d, it must be a number of rows, or 0 for all", f.top)
	}
	s, err := f.begun(a, cmd, args)
	if err != nil {
		return err
	}
	var p *profile.Profile
	answer, err := a.observe(cmd.Context(), s, f.threads, func(from, end uint64) (trace.Sink, error) {
		p = profile.New(s.Object, s.Config().PEs, s.Current.StartClock(), from, end)
		return p, nil
	})
	if p == nil || answer == nil {
		return err
	}
	x := newProfileAnswer(s, p, answer, f.top)
	files := f.write(a, s, p)
	switch {
	case err != nil:
		return a.failed(err, map[string]any{"profile": x}, x.table)
	case files != nil:
		return a.unwritten(files, x, x.table)
	}
	return a.emitAnswer(x, x.table)
}

// write writes the files that were asked for.
func (f *profileFlags) write(a *app, s *run.Batch, p *profile.Profile) error {
	for _, file := range []struct {
		flag, name string
		fill       func(w io.Writer) error
	}{
		{"--csv", f.csv, func(w io.Writer) error { return writeCounts(w, p) }},
		{"--path", f.path, func(w io.Writer) error { return writePath(w, s, p) }},
		{"--pprof", f.pprof, func(w io.Writer) error {
			return p.WritePprof(w, title(s.Target)+"\n"+recipe.Line(a.recipe("--pprof")), s.Config().ClockNS)
		}},
		{"--folded", f.folded, p.WriteFolded},
	} {
		if file.name == "" {
			continue
		}
		var b bytes.Buffer
		if err := file.fill(&b); err != nil {
			return err
		}
		write := a.writeTable
		if file.flag == "--pprof" {
			write = writeOutput
		}
		if err := write(file.flag, file.name, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// writeCounts writes the file of --csv: one row per template, block, line and
// instruction.
func writeCounts(w io.Writer, p *profile.Profile) error {
	c := csv.NewWriter(w)
	header := []string{"level", "template", "block", "file", "line", "pc"}
	for _, column := range countColumns {
		header = append(header, column.key)
	}
	_ = c.Write(header) // the writer keeps the error
	for l := range profile.Levels {
		for _, r := range p.Rows(l) {
			row := []string{l.String(), r.Template, r.Block, r.File, "", ""}
			if r.Line > 0 {
				row[4] = strconv.Itoa(r.Line)
			}
			if r.Code && l != profile.ByTemplate {
				row[5] = strconv.FormatUint(uint64(r.PC), 10)
			}
			for _, column := range countColumns {
				row = append(row, strconv.FormatUint(column.of(&r.Counts), 10))
			}
			_ = c.Write(row)
		}
	}
	c.Flush()
	return c.Error()
}

// countColumns are the counts of a place in JSON and CSV.
var countColumns = func() []countColumn {
	list := []countColumn{
		{"instructions", func(c *profile.Counts) uint64 { return c.Instructions }},
		{"blocks", func(c *profile.Counts) uint64 { return c.Blocks }},
		{"clocks", (*profile.Counts).Clocks},
	}
	for w := range profile.Waits {
		list = append(list, countColumn{w.String(), func(c *profile.Counts) uint64 { return c.EXU[w] }})
	}
	for s := range profile.States {
		name := "pe_" + trace.Status(s).String()
		list = append(list, countColumn{name, func(c *profile.Counts) uint64 { return c.State[s] }})
	}
	return append(list,
		countColumn{"packets", func(c *profile.Counts) uint64 { return c.Packets }},
		countColumn{"spilled", func(c *profile.Counts) uint64 { return c.Spilled }},
		countColumn{"hops", func(c *profile.Counts) uint64 { return c.Hops }},
		countColumn{"travel_clocks", func(c *profile.Counts) uint64 { return c.Travel }},
		countColumn{"queue_clocks", func(c *profile.Counts) uint64 { return c.Queued }})
}()

type countColumn struct {
	key string
	of  func(*profile.Counts) uint64
}

// writePath writes the file of --path: one row per step.
func writePath(w io.Writer, s *run.Batch, p *profile.Profile) error {
	c := csv.NewWriter(w)
	header := []string{"clock", "ga", "ca", "block", "send", "clocks"}
	for part := range profile.Parts {
		header = append(header, part.String())
	}
	_ = c.Write(header) // the writer keeps the error
	for _, step := range p.Path() {
		row := []string{strconv.FormatUint(step.Clock, 10), "", "", profile.HostName, "", strconv.FormatUint(step.Took.Sum(), 10)}
		if !step.Host {
			pe := packet.PE(s.Net.Address(int(step.PE)))
			row[1], row[2] = strconv.Itoa(int(pe.GA)), strconv.Itoa(int(pe.CA))
			row[3], row[4] = p.CodeName(step.Node), p.CodeName(step.Send)
		}
		for _, n := range step.Took {
			row = append(row, strconv.FormatUint(uint64(n), 10))
		}
		_ = c.Write(row)
	}
	c.Flush()
	return c.Error()
}
