package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"emsim/internal/base/answer"
	"emsim/internal/base/answer/terminal"

	"github.com/spf13/cobra"

	"emsim/internal/base/knob"
	"emsim/internal/base/plural"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// change returns the machine of the flags, with the changes of one --vs.
func (f *machineRun) change(a *app, cmd *cobra.Command, text string) (*machinefile.Machine, error) {
	defer func(w *stream, was made) { a.err, a.made, f.vs = w, was, nil }(a.err, a.made)
	a.err = &stream{to: io.Discard} // the first run has printed the notes about the flags
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

// machineVs runs the machine, and a changed machine for each --vs.
func (a *app) machineVs(cmd *cobra.Command, f *machineRun, m *machinefile.Machine) error {
	ctx, all := cmd.Context(), []*machinefile.Machine{m}
	for _, text := range f.beside {
		other, err := f.change(a, cmd, text)
		if err != nil {
			return err
		}
		all = append(all, other)
	}
	var runs []*answer.Answer
	var failed error
	for i, m := range all {
		mean, done, err := a.meanOfSeeds(ctx, f, m, fmt.Sprintf("machine %d of %d", i+1, len(all)))
		if failed = err; err != nil || done < f.seeds {
			break
		}
		runs = append(runs, mean)
	}
	if len(runs) > 0 {
		runs[0].Machine += seedOf(m, f.seeds)
	}
	return a.emitNext(ctx, failed, runs, f.beside)
}

// emitNext prints runs side by side: the first, and one for each --vs that completed. err says why the next run failed,
// if it did.
func (a *app) emitNext(ctx context.Context, err error, runs []*answer.Answer, vs []string) error {
	names, all := append([]string{""}, vs...), 1+len(vs)
	var answers []*answer.Answer
	for i, r := range runs {
		answers = append(answers, &answer.Answer{Fields: append([]*answer.Field{{Key: "vs", Value: names[i]}},
			r.Fields...)})
	}
	table := func(w io.Writer) { a.besideTable(w, runs, names) }
	switch {
	case runs == nil:
		table = nil
	case err != nil && ctx.Err() == nil:
		return a.stopped(err, map[string]any{"partial": object{"runs", answers}}, "the runs before it:\n\n", table)
	}
	return a.emitParts(ctx, cmp.Or(ctx.Err(), err), steps(len(runs), all), object{"runs", answers}, table,
		"after %d of %d machines", len(runs), all)
}

// besideTable prints the numbers of runs side by side, with their ratios to the first run. It adds the numbers by
// worker if the machines have equally many workers.
func (a *app) besideTable(w io.Writer, runs []*answer.Answer, names []string) {
	names[0] = "this run"
	heads := []string{"", names[0]}
	for _, name := range names[1:len(runs)] {
		heads = append(heads, name, "ratio")
	}
	x := &answer.Answer{Title: runs[0].Title, Machine: runs[0].Machine}
	g, numbers := answer.List{Heads: heads}, runs[0].Weighty()
	if a.details {
		numbers = runs[0].Numbers()
	}
	for _, f := range numbers {
		row := []any{f.Name()}
		first, isNumber := runs[0].Float(f.Key)
		for i, r := range runs {
			own := cmp.Or(r.Field(f.Key), f)
			v, _ := r.Float(f.Key)
			if row = append(row, own.Text(v)); i > 0 {
				row = append(row, map[bool]string{
					true:  fmt.Sprintf("%.3f", v/first),
					false: "-",
				}[first != 0 && own.Instead == "" && f.Instead == ""])
			}
		}
		if isNumber {
			g.Rows = append(g.Rows, row)
		}
	}
	workers := workersBeside(runs, names)
	x.Lists = append([]answer.List{g}, workers...)
	terminal.Write(w, x, a.look())
}

// workersBeside returns the numbers by worker of the runs that have as many workers as the first one.
func workersBeside(runs []*answer.Answer, names []string) (lists []answer.List) {
	for _, f := range runs[0].Fields {
		l := answer.List{Heads: []string{f.Name()}}
		for i, r := range runs {
			if column, ok := r.Value(f.Key).([]float64); ok && (i == 0 || len(column) == len(l.Rows)) {
				l.AddColumn(names[i], column)
			}
		}
		if len(l.Heads) == len(runs)+1 {
			lists = append(lists, l)
		}
	}
	return lists
}

// meanOfSeeds returns the mean over the machine's runs with the seeds of --seeds. If the user interrupts it, the mean
// is over the completed runs; without any it returns an error. name is the name of the work.
func (a *app) meanOfSeeds(ctx context.Context, f *machineRun, m *machinefile.Machine, name string) (mean *answer.Answer,
	done int, err error,
) {
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
	var runs []*answer.Answer
	for i := 0; i < f.seeds; i++ {
		w := f.watch()
		if line.step(i, "run %d of %d", i+1, f.seeds); f.seeds == 1 {
			w.Progress = line.far
		}
		if seeded {
			_ = seed.Put(first + uint64(i)) // as for its first value
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
	return answer.MeanOf(runs), len(runs), nil
}
