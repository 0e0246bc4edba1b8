package report

import (
	"context"
	_ "embed"
	"html/template"
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

//go:embed machine.html
var machineHTML string

var machinePage = template.Must(template.New("machine").Parse(machineHTML))

// Write writes the page as HTML. Equal pages have equal bytes.
func (p *MachinePage) Write(w io.Writer) error {
	return writeShown(w, machinePage, struct {
		*MachinePage
		CSS template.CSS
	}{p, template.CSS(pageCSS + ownCSS)})
}

// reported are the questions that a page answers; the others are about one item or time.
var reported = []string{"idle", "held", "cost", "back", "part"}

// NewMachinePage makes a page about runs; cell formats a cell of an answer's table.
func NewMachinePage(ctx context.Context, version string, runs []*instrument.Run, numbers []OwnNumber,
	cell func(any) string,
) (*MachinePage, error) {
	p := &MachinePage{Title: runs[0].Title, Version: version, Runs: runs, Numbers: numbers}
	for _, f := range figures.MachineFigures() {
		x := Figure{Name: f.Name, Title: f.Title, Reads: f.Reads}
		if err := x.paint(ctx, f.FigureOf(runs, figures.OwnSize{})); err != nil {
			return nil, err
		}
		p.Figures = append(p.Figures, x)
	}
	for _, name := range reported {
		q, err := instrument.FindQuestion(name)
		if err != nil {
			return nil, err
		}
		if !q.Suits(runs[0].Terms) {
			continue
		}
		all := MachineAnswers{Question: q}
		for _, r := range runs {
			if name == "part" && r.Beside == nil {
				continue
			}
			x, err := r.Ask(name)
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
