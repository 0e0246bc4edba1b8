package command

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// change returns the machine of the flags with the changes of one --vs.
func (f *machineRun) change(a *app, cmd *cobra.Command, text string) (*machinefile.Machine, error) {
	defer func(w *stream, was made) { a.err, a.made, f.vs = w, was, nil }(a.err, a.made)
	a.err = &stream{to: io.Discard} // notes are about the flags, which the first run has seen
	err := eachChange(text, knob.Keys(f.table)[0]+"="+f.table[0].Text(), func(name, value string) error {
		key := strings.ReplaceAll(name, "-", "_")
		for _, k := range f.model.Files {
			if slices.Contains(k.Decides, key) && key != k.Flag && f.fileOf(cmd, k.Flag) != "" {
				return usagef("%s is decided by the file of --%s", name, k.Flag)
			}
		}
		f.vs = append(f.vs, key+"="+value)
		return nil
	})
	if err != nil {
		return nil, err
	}
	m, err := f.build(a, cmd)
	if err != nil {
		return nil, fmt.Errorf("--vs %q: %w", text, err)
	}
	return m, nil
}

// machineVs runs the machine and, beside it, those that --vs changes.
func (a *app) machineVs(cmd *cobra.Command, f *machineRun, m *machinefile.Machine) error {
	ctx, all := cmd.Context(), []*machinefile.Machine{m}
	for _, text := range f.beside {
		other, err := f.change(a, cmd, text)
		if err != nil {
			return err
		}
		all = append(all, other)
	}
	var runs []*machines.Answer
	for i, m := range all {
		mean, done, err := a.meanOfSeeds(ctx, f, m, fmt.Sprintf("machine %d of %d", i+1, len(all)))
		if ctx.Err() == nil && err != nil {
			return err
		}
		if err != nil || done < f.seeds {
			break
		}
		runs = append(runs, mean)
	}
	names := append([]string{""}, f.beside...)
	var answers []*machines.Answer
	for i, r := range runs {
		answers = append(answers, &machines.Answer{Fields: append([]machines.Field{{Key: "vs", Value: names[i]}}, r.Fields...)})
	}
	table := func(w io.Writer) { besideTable(w, m, runs, names, f.seeds) }
	if runs == nil {
		table = nil
	}
	return a.emitParts(ctx, ctx.Err(), steps(len(runs), len(all)), object{"runs", answers}, table, "after %d of %d machines", len(runs), len(all))
}

// besideTable prints the numbers of runs beside each other, with what each is of the first
// one's, and those by worker if the machines have as many.
func besideTable(w io.Writer, m *machinefile.Machine, runs []*machines.Answer, names []string, seeds int) {
	fmt.Fprintf(w, "%s%s\n\n", runs[0].Title, seedOf(m, seeds))
	names[0] = "this run"
	heads := []string{"", names[0]}
	for _, name := range names[1:len(runs)] {
		heads = append(heads, name, "ratio")
	}
	g, workers := newGrid(heads...), []machines.List(nil)
	for _, f := range runs[0].Fields {
		l, row := machines.List{Heads: []string{f.Key}}, []string{f.Key}
		first, isNumber := runs[0].Number(f.Key)
		for i, r := range runs {
			own, _ := lists.Find(r.Fields, func(x machines.Field) bool { return x.Key == f.Key })
			v, _ := r.Number(f.Key)
			if row = append(row, shownNumber(own, v)); i > 0 {
				row = append(row, map[bool]string{true: fmt.Sprintf("%.3f", v/first), false: "-"}[first != 0 && own.Instead == "" && f.Instead == ""])
			}
			if column, ok := r.Value(f.Key).([]float64); ok && (i == 0 || len(column) == len(l.Rows)) {
				l.AddColumn(names[i], column)
			}
		}
		if isNumber && isMeasured(m, f) {
			g.addRow(row...)
		}
		if len(l.Heads) == len(runs)+1 {
			workers = append(workers, l)
		}
	}
	g.write(w)
	writeLists(w, workers, 0)
}

// meanOfSeeds returns the mean of a machine's runs with the seeds of --seeds, of as many as
// were done when the user ended them; an error if no run was done. name is that of the work.
func (a *app) meanOfSeeds(ctx context.Context, f *machineRun, m *machinefile.Machine, name string) (mean *machines.Answer, done int, err error) {
	seed, seeded := knob.Find(m.Rows, "seed")
	first := uint64(0)
	if seeded {
		first = seed.Get().(uint64)
		if err := checkSeeds(first, f.seeds); err != nil {
			return nil, 0, err
		}
	}
	line := a.newPart(name, f.seeds)
	defer line.end()
	var runs []*machines.Answer
	for i := 0; i < f.seeds; i++ {
		w := f.watch()
		if line.step(i, "run %d of %d", i+1, f.seeds); f.seeds == 1 {
			w.Progress = line.far
		}
		if seeded {
			_ = seed.Put(first + uint64(i)) // as its first value
		}
		x, err := machines.Run(ctx, m, w)
		if ctx.Err() != nil && i > 0 {
			break
		}
		if err != nil && f.seeds > 1 {
			err = ofSeveral(err, "run %d of %d, seed %d", i+1, f.seeds, first+uint64(i))
		}
		if err != nil {
			return nil, i, ended(ctx, err, "after %d of %s", i, plural.Of(f.seeds, "run"))
		}
		runs = append(runs, x)
	}
	return machines.MeanOf(runs), len(runs), nil
}
