package command

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// A besideRun is the mean of the runs of a machine, or of one that --vs changes.
type besideRun struct {
	vs string // "" of the first
	*machines.Answer
	bands map[string]machines.Band
}

// change is the machine of the flags with the changes of one --vs.
func (f *machineRun) change(a *app, cmd *cobra.Command, text string) (*machinefile.Machine, error) {
	defer func(w *stream, was made) { a.err, a.made, f.vs = w, was, nil }(a.err, a.made)
	a.err = &stream{to: io.Discard} // notes are about the flags, which the first run has seen
	err := eachChange(text, knob.Keys(f.table)[0]+"="+f.table[0].Text(), func(name, value string) error {
		key := strings.ReplaceAll(name, "-", "_")
		for _, k := range f.model.Files {
			for _, decided := range k.Decides {
				if decided == key && key != k.Flag && f.fileOf(cmd, k.Flag) != "" {
					return usagef("%s is decided by the file of --%s", name, k.Flag)
				}
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
	var runs []besideRun
	for i, m := range all {
		mean, bands, done, err := a.meanOfSeeds(ctx, f, m)
		if ctx.Err() == nil && err != nil {
			return err
		}
		if err != nil || done < f.seeds {
			break
		}
		runs = append(runs, besideRun{append([]string{""}, f.beside...)[i], mean, bands})
	}
	answer := object{"runs", lists.Of(runs, func(r besideRun) *machines.Answer {
		r.Fields = append([]machines.Field{{Key: "vs", Value: r.vs}}, r.Fields...)
		return r.Answer
	})}
	table := func(w io.Writer) { besideTable(w, m, runs, f.seeds) }
	if len(runs) == 0 {
		table = nil
	}
	return a.emitParts(ctx, ctx.Err(), answer, table, "after %d of %d machines", len(runs), len(all))
}

// besideTable prints the numbers of runs beside each other, with what each is of the first
// one's, and their lists by worker.
func besideTable(w io.Writer, m *machinefile.Machine, runs []besideRun, seeds int) {
	fmt.Fprintf(w, "%s%s\n\n", runs[0].Title, seedOf(m, seeds))
	heads := []string{"", "this run"}
	for _, r := range runs[1:] {
		heads = append(heads, r.vs, "ratio")
	}
	g := newGrid(heads...)
	for _, f := range runs[0].Fields {
		first, ok := runs[0].bands[f.Key]
		if !ok || !isMeasured(m, f) {
			continue
		}
		row := []string{f.Key, withUnit(f, first.Mean)}
		for _, r := range runs[1:] {
			b, ratio := r.bands[f.Key], "-"
			if first.Mean != 0 {
				ratio = fmt.Sprintf("%.3f", b.Mean/first.Mean)
			}
			row = append(row, withUnit(f, b.Mean), ratio)
		}
		g.addRow(row...)
	}
	g.write(w)
	writeLists(w, besideLists(runs))
}

// besideLists has a list for each number by worker, if the machines have as many.
func besideLists(runs []besideRun) []machines.List {
	var all []machines.List
	for _, f := range runs[0].Fields {
		l := machines.List{Heads: []string{f.Key}}
		for _, r := range runs {
			column, ok := r.Value(f.Key).([]float64)
			if !ok || len(l.Rows) > 0 && len(column) != len(l.Rows) {
				break
			}
			l.AddColumn(map[bool]string{true: "this run", false: r.vs}[r.vs == ""], column)
		}
		if len(l.Heads) == len(runs)+1 {
			all = append(all, l)
		}
	}
	return all
}

// meanOfSeeds is the mean of a machine's runs with the seeds of --seeds, of as many as
// were done when the user ended them; an error if that is none.
func (a *app) meanOfSeeds(ctx context.Context, f *machineRun, m *machinefile.Machine) (mean *machines.Answer, bands map[string]machines.Band, done int, err error) {
	seed, seeded := knob.Find(m.Rows, "seed")
	first := uint64(0)
	if seeded {
		first = seed.Get().(uint64)
		if err := checkSeeds(first, f.seeds); err != nil {
			return nil, nil, 0, err
		}
	}
	line := a.newProgress(int64(f.seeds))
	defer line.erase()
	var runs []*machines.Answer
	for i := 0; i < f.seeds; i++ {
		line.showStep(i, "run %d of %d", i+1, f.seeds)
		if seeded {
			_ = seed.Put(first + uint64(i)) // as its first value
		}
		x, err := machines.Run(ctx, m, f.watch())
		if ctx.Err() != nil && i > 0 {
			break
		}
		if err != nil {
			return nil, nil, i, ended(ctx, err, "after %d of %s", i, plural.Of(f.seeds, "run"))
		}
		runs = append(runs, x)
	}
	mean, bands = machines.MeanOf(runs)
	return mean, bands, len(runs), nil
}
