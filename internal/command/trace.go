package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/suggest"
	"emsim/internal/machine/recipe"
	"emsim/internal/machine/run"
	"emsim/trace/sink"
)

// traceFlags holds the flags of 'emsim trace'.
type traceFlags struct {
	targetFlags
	format   string
	output   string
	from, to string
	pe       string
}

func newTraceCmd(a *app) *cobra.Command {
	f := &traceFlags{}
	cmd := &cobra.Command{
		Use:   "trace",
		Short: "Run a program and write what every unit of the machine does, clock by clock",
		Long: `trace runs a program as 'emsim run' does and writes its events to a file:

  text      one event per line in fixed columns: packets, operands, blocks,
            instructions, loads, states, and why a unit waited
  vcd       a value change dump for wave viewers (gtkwave), states as names
  perfetto  a track_event protobuf for ui.perfetto.dev: one process per PE, a
            track per unit, counters, flows that follow the packets
  konata    Kanata 0004 for the pipeline viewer Konata: a packet is an
            operation with the stages SU, IBU, FMU, EXU

'emsim docs TRACING' describes them. Without --format the file's ending decides:
.vcd, .pftrace, .kanata, .txt or none for text. A file name that ends in .gz or
.zst as well is compressed by gzip or zstd; a .pftrace is already compressed
inside. Without -o text goes to standard output.

Clocks are the machine's, as in error messages; +N is N clocks after the start
of the run. The default of --from is +0; --from 0 includes the program's init
blocks. With --to the run stops there, as Ctrl-C stops it. A --from after the end
of the run is an error. All formats count time in clocks.

--resume FILE traces the rest of the run in a checkpoint (see 'emsim run
--help'). So you can trace a late window of a long run as often as you like, and
simulate the clocks before it only once.

--pe chooses PEs: [GA,CA] addresses, GA.CA, numbers or ranges of numbers.`,
		Example: `  emsim trace fib 10 --pes 12
  emsim trace fib 16 --format perfetto -o fib.pftrace --from +1000 --to +1500
  emsim trace fib 20 -o fib.vcd.zst
  emsim trace fib 10 --pes 12 --pe '[0,0],[2,1]' -o fib.vcd
  emsim trace prog.s 5 --from 0 -o boot.kanata
  emsim run fib 24 --checkpoint fib.ckp --at 50000
  emsim trace --resume fib.ckp --to +50200 -o late.pftrace`,
	}
	f.runsProgram(a, cmd, func(cmd *cobra.Command, args []string) error { return a.trace(cmd, f, args) })
	cmd.Flags().StringVar(&f.format, "format", "", strings.Join(sink.Formats(), "|")+
		" (default: by the file's ending, else text)")
	a.completes(cmd, "format", completeList(sink.Formats()))
	outFlag(cmd, &f.output, "output,o", "file to write; compressed when its name ends in .gz or .zst (default: "+
		"standard output, text only)")
	cmd.Flags().StringVar(&f.from, "from", "+0",
		"first clock to trace: a clock of the machine, or +N after the start of the run")
	cmd.Flags().StringVar(&f.to, "to", "",
		"last clock to trace, in the same form; the run stops there (default: the end of the run)")
	cmd.Flags().StringVar(&f.pe, "pe", "", "PEs to trace, such as '[0,0],[2,1]', 0.0,2.1 or 0-11 (default: all)")
	return cmd
}

// window is a range of clocks; relative clocks count from the start of the run.
type window struct {
	from, to                 uint64
	fromRelative, toRelative bool
	given, bounded           bool // --from, --to were given
}

// check parses the flags and returns the window.
func (f *traceFlags) check(a *app) (w window, err error) {
	if f.format == "" {
		if f.format, err = formatOf(f.output); err != nil {
			return w, err
		}
	}
	switch {
	case !slices.Contains(sink.Formats(), f.format):
		return w, usagef("--format is %s, not %q%s", strings.Join(sink.Formats(), ", "), f.format,
			suggest.DidYouMean(f.format, sink.Formats()))
	case f.output == "" && f.format != "text":
		return w, usagef("--format %s needs a file: give it a name with -o", f.format)
	case f.output == "" && a.json:
		return w, usagef("--json prints only JSON on standard output: give the trace a file name with -o")
	}
	if other := sink.FormatOf(f.output); other != "" && other != f.format {
		return w, usagef("a file called %s would be read as %s, but --format is %s: choose another name", f.output,
			other, f.format)
	}
	if w.from, w.fromRelative, err = readClock("from", f.from); err != nil {
		return w, err
	}
	w.to = ^uint64(0)
	if w.bounded = f.to != ""; w.bounded {
		if w.to, w.toRelative, err = readClock("to", f.to); err != nil {
			return w, err
		}
	}
	if w.fromRelative == w.toRelative && w.bounded && w.to < w.from {
		return w, usagef("--to %s is before --from %s", f.to, f.from)
	}
	return w, nil
}

// formatOf returns the trace format for a file's ending, or text if the file has no ending.
func formatOf(file string) (string, error) {
	if format := sink.FormatOf(file); format != "" {
		return format, nil
	}
	plain, _ := sink.Plain(filepath.Base(file))
	if ext := strings.ToLower(filepath.Ext(plain)); len(ext) > 1 {
		return "", usagef("-o %s: the ending %s does not stand for a format: expected one of %s%s, or "+
			"--format", file, ext,
			strings.Join(sink.Endings(), " "), suggest.DidYouMean(ext, sink.Endings()))
	}
	return "text", nil
}

func readClock(flag, text string) (clock uint64, relative bool, err error) {
	digits, relative := strings.CutPrefix(text, "+")
	clock, err = strconv.ParseUint(digits, 10, 63)
	if err != nil {
		return 0, false, usagef("--%s is a clock of the machine, such as 500, or +500 for clocks after the start of "+
			"the run, not %q", flag, text)
	}
	return clock, relative, nil
}

// trace implements 'emsim trace'.
func (a *app) trace(cmd *cobra.Command, f *traceFlags, args []string) error {
	w, err := f.check(a)
	if err != nil {
		return err
	}
	w.given = cmd.Flags().Changed("from")
	r := &tracing{flags: f, window: w}
	if f.resume != "" {
		r.Batch, err = f.resumed(a, cmd)
	} else if spec, e := f.runSpec(cmd, args); e == nil {
		r.Batch, err = a.load(cmd, spec, run.Plan{Runs: 1, Window: 1}, false)
	} else {
		err = e
	}
	if err != nil {
		return err
	}
	if r.chosen, err = readPEs(f.pe, r.Target); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	if r.out, err = createTrace(f.output, a.out, cancel); err != nil {
		return err
	}
	switch {
	case f.output != "":
		r.recipe = recipe.Line(a.recipe("-o"))
	case !isTerminal(a.out):
		r.recipe = recipe.Line(a.recipe(""))
	}
	runErr := r.record(ctx)
	if err := r.missed(); runErr == nil && err != nil {
		r.out.discard()
		return err
	}
	switch err := r.close(); {
	case err != nil && ctx.Err() != nil && cmd.Context().Err() == nil:
		return err
	case err != nil:
		return errors.Join(runErr, err)
	case f.output == "" && runErr == nil:
		return nil
	}
	x, from, to := r.answer()
	if runErr != nil {
		if f.output != "" {
			fmt.Fprintf(a.err, "the trace up to there is in %s: clocks %d..%d, %d events\n", f.output, from, to,
				r.events())
		}
		return &failure{err: runErr, keys: map[string]any{"partial": x}}
	}
	return a.tell(x)
}
