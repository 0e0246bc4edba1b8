package report

import (
	"context"
	"io"

	"emsim/internal/base/lists"
	"emsim/internal/draw/figures"
	"emsim/internal/inspect/instrument"
)

// MachinePage is a page about a run of a machine that balances its load, and the runs next to
// it.
type MachinePage struct {
	Title, Version string
	Runs           []*instrument.Run
	Numbers        []OwnNumber // the numbers in the answers of the runs
	Figures        []Figure
	Questions      []MachineAnswers
}

// MachineAnswers are the answers of the runs to a question.
type MachineAnswers struct {
	instrument.Question
	Answers []MachineAnswer
}

// MachineAnswer is an answer about a run, with the first rows of its table.
type MachineAnswer struct {
	Run string // its name; "" if there is only one
	*instrument.Answer
	Cells [][]string
	More  int // rows that are left out
}

// Write writes the page as HTML. Equal pages have equal bytes.
func (p *MachinePage) Write(w io.Writer) error {
	return writeShown(w, "machine.html", p)
}

// reported are the questions that a page answers; the others are about one item or time.
var reported = []string{"idle", "held", "cost", "back", "part"}

// NewMachinePage makes a page about runs; cell formats a cell of an answer's table.
func NewMachinePage(ctx context.Context, version string, runs []*instrument.Run, numbers []OwnNumber,
	cell func(any) string,
) (*MachinePage, error) {
	drawn, err := paintRuns(ctx, figures.MachineFigures(), runs)
	if err != nil {
		return nil, err
	}
	p := &MachinePage{Title: runs[0].Title, Version: version, Runs: runs, Numbers: numbers, Figures: drawn}
	for _, name := range reported {
		q, ok := lists.Find(instrument.Questions(), func(q instrument.Question) bool {
			return q.Name == name && q.Suits(runs[0].Terms)
		})
		if !ok {
			continue
		}
		all := MachineAnswers{Question: q}
		for _, r := range runs {
			if name == "part" && r.Beside == nil {
				continue
			}
			x, err := r.AskToRead(name)
			if err != nil {
				return nil, err
			}
			a := MachineAnswer{Answer: x, More: max(0, len(x.Rows)-mostRows)}
			if len(runs) > 1 {
				a.Run = r.Label
			}
			for _, row := range x.Rows[:len(x.Rows)-a.More] {
				a.Cells = append(a.Cells, lists.Of(row, cell))
			}
			all.Answers = append(all.Answers, a)
		}
		if all.Answers != nil {
			p.Questions = append(p.Questions, all)
		}
	}
	return p, nil
}
