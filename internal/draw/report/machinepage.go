package report

import (
	"context"
	"fmt"

	"emsim/internal/base/lists"
	"emsim/internal/draw/figures"
	"emsim/internal/inspect/instrument"
)

// reported are the questions that a page answers; the others are about one item or time.
var reported = []string{"idle", "held", "cost", "back", "part"}

// NewMachinePage makes a page about runs of a machine other than the EM-4.
func NewMachinePage(ctx context.Context, version string, runs []*instrument.Run) (*RunPage, error) {
	p := newRunPage(runs[0].Title, version, lists.Of(runs, func(r *instrument.Run) Seen {
		x := Seen{Name: r.Label, Length: r.Length(r.End), Answer: r.Answer, Knobs: r.Machine.Rows}
		if r.Err != nil {
			x.Length += fmt.Sprintf(", then it failed: %v", r.Err)
		}
		return x
	}))
	if err := paintRuns(ctx, p, figures.MachineFigures(), runs); err != nil {
		return nil, err
	}
	profiles := Section{ID: "profile", Title: "Profile: where the time went"}
	for i, r := range runs {
		profiles.Parts = append(profiles.Parts, p.part(i, nil, r.Profile().Lists...))
	}
	p.Sections = append(p.Sections, profiles)
	for _, name := range reported {
		q, ok := lists.Find(instrument.Questions(), func(q instrument.Question) bool {
			return q.Name == name && q.Suits(runs[0].Terms)
		})
		if !ok {
			continue
		}
		s := Section{ID: "question-" + name, Title: name + ": " + q.Doc}
		for i, r := range runs {
			if name == "part" && r.Beside == nil {
				continue
			}
			x, err := r.AskToRead(name)
			if err != nil {
				return nil, err
			}
			if x.Title = name; x.Rows == nil {
				s.Parts = append(s.Parts, p.part(i, x.Says))
			} else {
				s.Parts = append(s.Parts, p.part(i, x.Says, x.List))
			}
		}
		if s.Parts != nil {
			p.Sections = append(p.Sections, s)
		}
	}
	p.Sections = append(p.Sections, p.settings(nil))
	return p, nil
}
