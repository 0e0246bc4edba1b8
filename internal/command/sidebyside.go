package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"emsim/internal/base/answer"
	"emsim/internal/base/answer/terminal"
)

// emitNext prints runs side by side: the first, and one for each --vs of f that completed. err says why the next run
// failed, if it did.
func (a *app) emitNext(ctx context.Context, err error, runs []*answer.Answer, f *driverFlags) error {
	names, all := append([]string{""}, f.beside...), 1+len(f.beside)
	var answers []*answer.Answer
	for i, r := range runs {
		answers = append(answers, &answer.Answer{Fields: append([]*answer.Field{{Key: "vs", Value: names[i]}},
			r.Fields...)})
	}
	table := func(w io.Writer) { a.besideTable(w, runs, names, a.whereTheyPart(f)) }
	switch {
	case runs == nil:
		table = nil
	case err != nil && ctx.Err() == nil:
		return a.stopped(err, map[string]any{"partial": object{"runs", answers}}, "the runs before it:\n\n", table)
	}
	return a.emitParts(ctx, cmp.Or(ctx.Err(), err), steps(len(runs), all), object{"runs", answers}, table,
		"after %d of %d machines", len(runs), all)
}

// whereTheyPart returns the command that says where this run and the run of --vs part, if there is only one --vs.
func (a *app) whereTheyPart(f *driverFlags) answer.Next {
	machine, runs := strings.CutSuffix(strings.TrimPrefix(f.run, "emsim "), "run")
	if len(f.beside) != 1 || len(strings.Fields(f.beside[0])) > 1 || !runs {
		return answer.Next{}
	}
	command := map[bool]string{true: "diff", false: machine + "ask part"}[machine == ""]
	return answer.Next{
		Command: a.made.next(command+" --vs "+f.beside[0], a.made.args), Why: "where the two runs part, and by what",
	}
}

// besideTable prints the numbers of runs side by side, with their ratios to the first run. It adds the numbers by
// worker if all runs have the same number of workers.
func (a *app) besideTable(w io.Writer, runs []*answer.Answer, names []string, next answer.Next) {
	names[0] = "this run"
	heads := []string{names[0]}
	for _, name := range names[1:len(runs)] {
		heads = append(heads, name, "ratio")
	}
	x := &answer.Answer{Title: runs[0].Title, Machine: runs[0].Machine, Next: next}
	numbers := a.layout().Table(runs[0], heads, func(f *answer.Field) (row []any) {
		first, isNumber := runs[0].Float(f.Key)
		shown := f.Shown || a.details
		for i, r := range runs {
			own := cmp.Or(r.Field(f.Key), f)
			v, _ := r.Float(f.Key)
			shown = shown || v != 0
			if row = append(row, own.Cell(v)); i > 0 {
				row = append(row, map[bool]string{
					true:  fmt.Sprintf("%.3f", v/first),
					false: "-",
				}[first != 0 && own.Instead == "" && f.Instead == ""])
			}
		}
		if !isNumber || !shown {
			return nil
		}
		return row
	})
	x.Lists = append([]answer.List{numbers}, workersBeside(runs, names)...)
	terminal.Write(w, x, a.layout())
}

// workersBeside returns the numbers by worker side by side, if all runs have the same number of workers.
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
