package command

import (
	"bytes"
	"io"

	"github.com/spf13/cobra"

	"emsim/internal/inspect/profile"
	"emsim/internal/machine/recipe"
	"emsim/internal/machine/run"
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
	x := &profileAnswer{p, answer, f.top, s.Changed(false)}
	files := f.write(a, s, p)
	if err != nil {
		return a.failed(err, map[string]any{"profile": x}, x.table)
	}
	return a.emitRun(x, x.table, nil, files)
}

// write writes the files that were asked for.
func (f *profileFlags) write(a *app, s *run.Batch, p *profile.Profile) error {
	if err := a.writeRows("csv", f.csv, countHeader(), func(write func(fields ...any)) { writeCounts(write, p) }); err != nil {
		return err
	}
	if err := a.writeRows("path", f.path, pathHeader(), func(write func(fields ...any)) { writePath(write, s, p) }); err != nil {
		return err
	}
	pprof := func(w io.Writer) error {
		return p.WritePprof(w, s.Title()+"\n"+recipe.Line(a.recipe("--pprof")), s.Config().ClockNS)
	}
	for _, file := range []struct {
		flag, name string
		fill       func(w io.Writer) error
	}{{"--pprof", f.pprof, pprof}, {"--folded", f.folded, p.WriteFolded}} {
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

func countHeader() []string {
	header := []string{"level", "template", "block", "file", "line", "pc"}
	for _, column := range countColumns {
		header = append(header, column.key)
	}
	return header
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
			for _, column := range countColumns {
				row = append(row, column.of(&r.Counts))
			}
			write(row...)
		}
	}
}

func pathHeader() []string {
	header := []string{"clock", "ga", "ca", "block", "send", "clocks"}
	for part := range profile.Parts {
		header = append(header, part.String())
	}
	return header
}

// writePath writes a row for each step of the critical path.
func writePath(write func(fields ...any), s *run.Batch, p *profile.Profile) {
	for _, step := range p.Path() {
		row := []any{step.Clock, "", "", profile.HostName, "", step.Took.Sum()}
		if !step.Host {
			pe := s.Net.Address(int(step.PE))
			row[1], row[2], row[3], row[4] = pe.GA, pe.CA, p.CodeName(step.Node), p.CodeName(step.Send)
		}
		for _, n := range step.Took {
			row = append(row, n)
		}
		write(row...)
	}
}
