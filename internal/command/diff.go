package command

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/answer"
	"emsim/internal/base/input"
	"emsim/internal/base/plural"
	"emsim/internal/inspect/diff"
	"emsim/internal/machine/run"
	"emsim/programs"
)

func newDiffCmd(a *app) *cobra.Command {
	f := &ownFlags{} // without the flag for the window
	cmd := &cobra.Command{
		Use:   "diff A B | diff PROGRAM [ARG...] --vs NAME=VALUE[,...]",
		Short: "Say where two runs on the EM-4 part, and what follows from it",
		Long: `diff makes two runs side by side and finds the first clock, PE, unit and packet at
which they part; then how many PEs and units differ after 10, 100 and 1000 clocks,
whether they become equal again, and how each ends. The exit status is 0 if they
never part, 1 if they do.

A and B are checkpoints, or results of 'emsim run', trace, profile or report that say
how they were made; the files that these read are looked up in the folder of the result
and the current one. Of several runs or seeds the first is compared. Of two checkpoints
the earlier one first continues to the clock of the other. With --vs both runs have one
program, the second with other parameters, knobs of the machine, pes or seed.

If the programs are not the same, or their runs do not begin at the same clock of the
machine, what the units do is compared, and not all state.`,
		Example: `  emsim diff fib 20 --policy line --vs mlpe=on
  emsim diff prog.s 5 --pes 12 --vs hop_clocks=2,seed=7 --json
  emsim diff old.json new.json
  emsim diff a.ckp b.ckp`,
		ValidArgsFunction: completePrograms,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.diff(cmd, f, args) },
	}
	f.addBeginning(a, cmd)
	cmd.Flags().StringArrayVar(&f.vs, "vs", nil, "NAME=VALUE[,...]: what is different in the second run of a program")
	return cmd
}

// diff implements 'emsim diff'.
func (a *app) diff(cmd *cobra.Command, f *ownFlags, args []string) error {
	first, second, err := a.begunBoth(f, cmd, args)
	if err != nil {
		return err
	}
	if err := first.CheckMemory("comparing machines", 8); err != nil { // two, their forks, and snapshots for the forks
		return err
	}
	line := a.newPart("", 0)
	first.Progress = func(clock uint64, busy func() int) {
		line.clocks(clock, func() string { return plural.Of(busy(), "busy PE") })
	}
	p := diff.NewPair(first, second)
	r, err := p.Compare(cmd.Context())
	if line.end(); err != nil {
		return err
	}
	var ends [2]*run.Answer
	failed := [2]any{}
	for i, s := range []*diff.Side{&p.A, &p.B} {
		if s.Err != nil {
			failed[i], _ = classify(s.Err)
		}
		one, _ := s.EndRun(s.Err)
		ends[i] = s.Batch.Answer(one)
	}
	x := parting(r)
	x.SayAll("equal", r.Parted == nil, "compared", p.Compared, "parted", r.Parted, "units", r.Units, "packet", r.Packet,
		"after", r.After, "healed_clock", r.Healed)
	both := answer.List{Whole: true}
	for i, end := range ends {
		x.Say(string("ab"[i]), object{"run", end, "failed", failed[i]})
		both.Add(string("AB"[i]),
			strings.Join(append([]string{end.Session.Heading()}, end.Session.Changed(false)...), " "))
	}
	if x.Lists = append(x.Lists, both, endsBeside(ends, failed)); p.Compared == "actions" {
		x.Says = []string{"Programs or beginnings are not the same, so what the units do is compared."}
	}
	err = a.tell(x)
	if err == nil && r.Parted != nil {
		return errCheckFailed
	}
	return err
}

// endsBeside returns a table with the ends of two runs side by side.
func endsBeside(ends [2]*run.Answer, failed [2]any) answer.List {
	l := answer.List{Heads: []string{"", "A", "B"}}
	l.Add("result", ends[0].Session.ResultText(ends[0].Words, run.MostValues),
		ends[1].Session.ResultText(ends[1].Words, run.MostValues))
	l.Add("clocks", count(ends[0].Clocks), count(ends[1].Clocks))
	if failed != [2]any{} {
		l.Add("failed", fmt.Sprint(failed[0]), fmt.Sprint(failed[1]))
	}
	other := ends[1].Said()
	for _, f := range ends[0].Said().Weighty() {
		if f.Key != "time_ms" {
			l.Add(f.Name(), f.String(), other.Field(f.Key).String())
		}
	}
	return l
}

// parting returns the answer about the divergence of two runs.
func parting(r *diff.Report) *answer.Answer {
	x := &answer.Answer{Title: "equal: they never part"}
	for i, at := range []*diff.Difference{r.Parted, r.Packet} {
		if at == nil {
			continue
		}
		where := strings.TrimPrefix(fmt.Sprintf("PE %v, %s", at.PE, at.Unit), "PE <nil>, ")
		l := answer.List{Title: fmt.Sprintf("%s at clock %s of the run, %s:",
			[...]string{"they part", "the first packet that differs is"}[i], count(at.Clock), where)}
		l.Add("A", at.A)
		l.Add("B", at.B)
		x.Title, x.Lists = "different", append(x.Lists, l)
	}
	var later answer.List
	for _, s := range r.After {
		later.Notes = append(later.Notes, fmt.Sprintf("%s later %s of %s %s", plural.Of(s.Clocks, "clock"),
			plural.Of(s.Units, "unit"), plural.Of(s.PEs, "PE"), plural.Verb(s.Units, "differs", "differ")))
	}
	if r.Healed != nil {
		later.Notes = append(later.Notes,
			fmt.Sprintf("healed: from clock %s of the run on all state is equal", count(*r.Healed)))
	}
	x.Lists = append(x.Lists, later)
	return x
}

// begunBoth returns the two runs to compare, both in progress.
func (a *app) begunBoth(f *ownFlags, cmd *cobra.Command, args []string) (first, second *run.Batch, err error) {
	switch {
	case len(f.vs) == 0 && (len(args) != 2 || programs.Known(args[0])), len(f.vs) > 0 && len(args) == 0:
		return nil, nil, usagef("diff compares two files, or a program with itself and other settings: emsim diff "+
			"a.json b.json, emsim diff fib 20 --vs policy=line\nsee '%s --help'", cmd.CommandPath())
	case len(f.vs) > 1:
		return nil, nil, usagef("%d times --vs: diff compares a run with only one other; separate the settings "+
			"of that one by commas", len(f.vs))
	case len(f.vs) == 0:
		if err = onlyWith(cmd, append(f.ownKeys(), "include"),
			"has no effect without --vs: the files say what is run"); err == nil {
			first, err = a.begunBy(cmd, args[0])
		}
		if err == nil {
			second, err = a.begunBy(cmd, args[1])
		}
		return first, second, err
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
		err = ofSeveral(err, "--vs %q", f.vs[0])
	}
	return first, second, err
}

// begunBy returns the run of a checkpoint, or the run that a result's recipe describes.
func (a *app) begunBy(cmd *cobra.Command, file string) (s *run.Batch, err error) {
	if text, err := readUnpacked(file); err == nil && input.KindOf(file, text) == input.Checkpoint {
		return (&targetFlags{resume: file}).resumed(a, cmd)
	}
	_, r, _, err := readResult(file)
	if err != nil {
		return nil, err
	}
	line := append(unquoted(r.Command), "", "")
	made, err := checkRecipe(line[1 : len(line)-2])
	if err == nil && (made.Flags().Lookup("resume") == nil || made.Name() == "plot" || made.Flags().NArg() == 0 &&
		!made.Flags().Changed("resume")) {
		err = usagef("that is not a run of one program on the EM-4: expected a checkpoint, or a result of " +
			"'emsim run', trace, profile or report; other machines cannot be compared clock by clock")
	}
	if err == nil {
		f, own := &targetFlags{}, &cobra.Command{FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true}}
		own.SetContext(cmd.Context())
		f.addFlags(a, own)
		a.made.inputs = append(a.made.inputs, r.Inputs...)
		err = withInputs(r.Inputs, []string{filepath.Dir(file), "."}, func() error {
			_ = own.ParseFlags(line[2:]) // the flags were parsed before; an error is about a flag without effect
			s, err = f.begun(a, own, made.Flags().Args())
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("%s, made by '%s': %w", file, r.Command, err)
	}
	return s, nil
}
