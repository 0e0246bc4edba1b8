package command

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/em4"
	"emsim/internal/base/input"
	"emsim/internal/base/plural"
	"emsim/internal/inspect/diff"
	"emsim/internal/machine/recipe"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// diffFlags are the flags of 'emsim diff'.
type diffFlags struct {
	targetFlags
	vs     []string
	inputs []string
}

func newDiffCmd(a *app) *cobra.Command {
	f := &diffFlags{}
	cmd := &cobra.Command{
		Use:   "diff A B | diff PROGRAM [ARG...] --vs NAME=VALUE[,...]",
		Short: "Say where two runs on the EM-4 part, and what follows of it",
		Long: `diff does two runs side by side and finds the first clock, PE, unit and packet at
which they part; then how many PEs and units differ after 10, 100 and 1000 clocks,
whether they become equal again, and how each ends. The exit status is 0 if they
never part, 1 if they do.

A and B are checkpoints, or results that say how they were made: answers of --json,
traces, pictures, profiles and pages of one program. What these read is looked for in
the folder of the file, the current one and those of --inputs; of several runs or
seeds the first is done. Of two checkpoints the earlier one first goes on to the
clock of the other. With --vs both runs are of one program, the second with other
parameters of the program, knobs of the machine, pes or seed.

If the programs are not the same, or their runs do not begin at the same clock of the
machine, addresses and clocks in the state differ everywhere. Then it is compared what
the units do: which instruction of which label, which packet for which node.`,
		Example: `  emsim diff fib 20 --policy line --vs mlpe=on
  emsim diff prog.s 5 --pes 12 --vs hop_clocks=2,seed=7 --json
  emsim diff old.json new.json --inputs programs
  emsim diff a.ckp b.ckp`,
		ValidArgsFunction: completePrograms,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.diff(cmd, f, args) },
	}
	f.addBeginning(cmd)
	cmd.Flags().StringArrayVar(&f.vs, "vs", nil, "NAME=VALUE[,...]: what the second run of a program has different")
	cmd.Flags().StringArrayVar(&f.inputs, "inputs", nil, "folder with files that the runs of A and B read (may be repeated)")
	return cmd
}

// diff is the command.
func (a *app) diff(cmd *cobra.Command, f *diffFlags, args []string) error {
	first, second, err := f.begunBoth(a, cmd, args)
	if err != nil {
		return err
	}
	if err := first.CheckRoom("comparing machines", 8); err != nil { // two, their snapshots, and both again
		return err
	}
	line := a.newProgress(-1)
	defer line.erase()
	first.Progress = func(clock uint64, busy int) {
		line.update(clock, func() string { return plural.Of(busy, "busy PE") })
	}
	x := &diffAnswer{settings: differing(first, second), pair: diff.NewPair(first, second)}
	if x.Report, err = x.pair.Compare(cmd.Context()); err != nil {
		return err
	}
	line.erase()
	for i, s := range []*diff.Side{&x.pair.A, &x.pair.B} {
		one, _ := s.EndRun(s.Err)
		x.ends[i] = s.Batch.Answer(one)
	}
	if err := a.emitAnswer(x.object(), x.table); err != nil || x.Parted == nil {
		return err
	}
	return errCheckFailed
}

// begunBoth returns the two runs, in progress.
func (f *diffFlags) begunBoth(a *app, cmd *cobra.Command, args []string) (first, second *run.Batch, err error) {
	if !cmd.Flags().Changed("vs") {
		if len(args) != 2 || programs.Known(args[0]) {
			return nil, nil, usagef("diff compares two files, or a program with itself and other settings: emsim diff a.json b.json, emsim diff fib 20 --vs policy=line\nsee '%s --help'", cmd.CommandPath())
		}
		if err := onlyWith(cmd, slices.DeleteFunc(slices.Clone(fixed), func(k string) bool { return cmd.Flags().Lookup(k) == nil }), "has no effect without --vs: the files say what is run"); err != nil {
			return nil, nil, err
		}
		if first, err = f.begunBy(a, cmd, args[0]); err == nil {
			second, err = f.begunBy(a, cmd, args[1])
		}
		return first, second, err
	}
	switch {
	case len(args) == 0:
		return nil, nil, usagef("--vs has no effect without a program: emsim diff fib 20 --vs policy=line")
	case len(f.vs) > 1:
		return nil, nil, usagef("%d times --vs: it is one run that the other is compared with; settings stand between commas", len(f.vs))
	case len(f.inputs) > 0:
		return nil, nil, usagef("--inputs has no effect with --vs")
	}
	spec, err := f.runSpec(cmd, args)
	if err == nil {
		first, err = a.beginRun(cmd, spec)
	}
	if err != nil {
		return nil, nil, err
	}
	other, err := vsSpec(spec, first.Target, f.vs[0], &[]string{})
	if err != nil {
		return nil, nil, err
	}
	if second, err = a.beginRun(cmd, &other); err != nil {
		err = fmt.Errorf("--vs %q: %w", f.vs[0], err)
	}
	return first, second, err
}

// begunBy returns the run of a checkpoint, or that of a result's recipe.
func (f *diffFlags) begunBy(a *app, cmd *cobra.Command, file string) (s *run.Batch, err error) {
	of := targetFlags{threads: f.threads, resume: file}
	if isCheckpoint(file) {
		s, err = of.resumed(a, cmd)
	} else if _, r, _, e := readResult(file); e != nil {
		return nil, e
	} else if s, err = of.remade(a, cmd.Context(), r, append([]string{filepath.Dir(file), "."}, f.inputs...)); err != nil {
		return nil, fmt.Errorf("%s, made by '%s': %w", file, r.Command, err)
	}
	if err == nil && cmd.Flags().Changed("max-clocks") {
		s.Limit(f.maxClocks)
	}
	return s, err
}

// isCheckpoint reports whether a file begins as a checkpoint does.
func isCheckpoint(file string) bool {
	f, err := input.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 64)
	n, _ := io.ReadFull(f, head) // a read error will recur
	return input.KindOf(file, head[:n]) == input.Checkpoint
}

// oneProgram are the commands about a program, with the number of words before it.
var oneProgram = map[string]int{"emsim run": 0, "emsim trace": 0, "emsim profile": 0, "emsim report": 0, "emsim plot": 1}

// remade begins the run of a recipe, in a folder with its inputs.
func (f *targetFlags) remade(a *app, ctx context.Context, r recipe.Recipe, folders []string) (s *run.Batch, err error) {
	line := unquoted(r.Command)
	made, err := checkRecipe(line[min(1, len(line)):])
	if err != nil {
		return nil, err
	}
	threads, own := f.threads, &cobra.Command{}
	own.SetContext(ctx)
	f.addFlags(own)
	made.Flags().Visit(func(x *pflag.Flag) {
		for _, v := range given(x) {
			_ = own.Flags().Set(x.Name, v) // it has been read before, or is not about the run
		}
	})
	f.threads = threads
	args := made.Flags().Args()
	before, ok := oneProgram[made.CommandPath()]
	if !ok || len(args) <= before && f.resume == "" {
		return nil, usagef("that is no run of one program on the EM-4: expected a result of 'emsim run', trace, profile, report or plot, or a checkpoint; other machines cannot be compared clock by clock")
	}
	a.made.inputs = append(a.made.inputs, r.Inputs...)
	err = withInputs(r.Inputs, folders, func() error {
		s, err = f.begun(a, own, args[min(before, len(args)):])
		return err
	})
	return s, err
}

// differing lists what is not equal before two runs begin.
func differing(a, b *run.Batch) []object {
	list := []object{}
	add := func(name string, x, y any) {
		if fmt.Sprint(x) != fmt.Sprint(y) {
			list = append(list, object{"name", name, "a", x, "b", y})
		}
	}
	words := func(s *run.Batch) string {
		code, data, _ := s.Object.Words()
		return fmt.Sprintf("%d + %d words of code and data", code, data)
	}
	add("program", a.Call(), b.Call())
	if !diff.SameProgram(a.Object, b.Object) {
		list = append(list, object{"name", "words", "a", words(a), "b", words(b)})
	}
	add("seed", a.Seed, b.Seed)
	for _, of := range []func(s *run.Batch) map[string]any{
		func(s *run.Batch) map[string]any {
			params := map[string]any{}
			for k, v := range s.Params() {
				params[k] = v
			}
			return params
		},
		func(s *run.Batch) map[string]any { return run.KnobValues(s.Config()) },
	} {
		x, y := of(a), of(b)
		all := maps.Clone(x)
		maps.Copy(all, y)
		for _, k := range slices.Sorted(maps.Keys(all)) {
			add(k, x[k], y[k])
		}
	}
	return list
}

// diffAnswer is the answer of 'emsim diff'.
type diffAnswer struct {
	*diff.Report
	pair     *diff.Pair
	settings []object
	ends     [2]*run.Answer
}

// object is the answer for machines.
func (x *diffAnswer) object() object {
	o := object{
		"equal", x.Parted == nil, "compared", x.Compared, "settings", x.settings, "parted", x.Parted, "units", x.Units,
		"packet", x.Packet, "after", x.After, "healed_clock", x.Healed, "only_statistics_clock", x.Counted,
	}
	for i, s := range []*diff.Side{&x.pair.A, &x.pair.B} {
		end := object{"run", x.ends[i], "error", nil}
		if s.Err != nil {
			kind, _ := classify(s.Err)
			end[3] = object{"kind", kind, "message", s.Err.Error()}
		}
		o = append(o, string("ab"[i]), end)
	}
	return o
}

// table prints the answer for people.
func (x *diffAnswer) table(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, end := range x.ends {
		fmt.Fprintf(w, "%c  %s\n", "AB"[i], strings.Join(append([]string{end.Session.Heading()}, end.Session.Changed(false)...), " "))
	}
	switch {
	case x.Compared == "actions":
		fmt.Fprintln(w, "\nWhat the units do is compared: the states of different programs, or of runs that begin at different clocks, have nothing in common.")
	case x.Compared == "results":
		fmt.Fprintln(w, "\nThe machines have nothing in common but their results.")
	}
	switch {
	case x.Parted == nil:
		fmt.Fprintln(w, "\nequal: they never part")
	default:
		fmt.Fprintf(w, "\nthey part %s%s\n", placeText(x.Parted), moreUnits(x.Units-1))
		if x.Packet != nil {
			fmt.Fprintf(w, "the first packet that differs is %s\n", placeText(x.Packet))
		}
	}
	for _, s := range x.After {
		fmt.Fprintf(w, "%s later %s of %s\n", plural.Of(s.Clocks, "clock"), plural.Of(s.Units, "unit"), plural.Of(s.PEs, "PE")+plural.Verb(s.Units, " differs", " differ"))
	}
	switch {
	case x.Healed != nil:
		fmt.Fprintf(w, "healed: from clock %s of the run on all state is equal\n", count(*x.Healed))
	case x.Counted != nil:
		fmt.Fprintf(w, "from clock %s of the run on both do the same; only statistics differ\n", count(*x.Counted))
	}
	row := func(name string, of func(r *run.Answer) any) {
		if a, b := fmt.Sprint(of(x.ends[0])), fmt.Sprint(of(x.ends[1])); a != "" || b != "" {
			fmt.Fprintf(t, "%s\t%s\t%s\n", name, a, b)
		}
	}
	fmt.Fprintf(t, "\n\tA\tB\n")
	for _, s := range x.settings {
		fmt.Fprintf(t, "%v\t%v\t%v\n", s.Get("name"), s.Get("a"), s.Get("b"))
	}
	ended := [2]string{}
	for i, s := range []*diff.Side{&x.pair.A, &x.pair.B} {
		if s.Err != nil {
			ended[i], _ = classify(s.Err)
		}
	}
	if ended != [2]string{} {
		fmt.Fprintf(t, "failed\t%s\t%s\n", ended[0], ended[1])
	}
	row("result", func(r *run.Answer) any { return resultText(r.Words) })
	row("clocks", func(r *run.Answer) any { return count(r.Clocks) })
	for _, key := range []string{"pe_utilisation", "instructions", "calls", "mlpe_calls", "packets_sent"} {
		s, _ := em4.StatisticOf(key)
		row(strings.ReplaceAll(key, "_", " "), func(r *run.Answer) any { return figure(&s, s.Total(&r.Totals)) })
	}
	return t.Flush()
}

// placeText says where two runs differ, and by what.
func placeText(x *diff.Place) string {
	where := x.Unit
	if x.PE != nil {
		where = fmt.Sprintf("PE %v, %s", x.PE, x.Unit)
	}
	return fmt.Sprintf("at clock %s of the run, %s:\n  A  %s\n  B  %s", count(x.Clock), where, x.A, x.B)
}

func moreUnits(n int) string {
	if n < 1 {
		return ""
	}
	return fmt.Sprintf("\n  and %s more in that clock", plural.Of(n, "unit"))
}
