// Package verify compares the models with the numbers and claims of the papers.
//
// papers/NNN.csv has one line per claim; a Suite measures the claims of one paper; Run measures, compares and returns
// Rows. The paper column is the source's figure and is never edited to suit a model.
//
//	papers/*.csv --> Claim --> session of a Suite --> Value --> Row (ok or not)
//	claim.go     the lines of the files, and what a line must hold
//	compare.go   values, rules, gaps with their bands, rows
//	null.go      guesses without a model, by the rules of nulls.csv
//	count.go     rows counted by class
//	command.go   how a row's value is measured, which command prints it, and where in its answer: measures.csv
//	verify.go    suites, measuring
//	store.go     results of runs, shared by all rows that need equal runs
//	bestof.go    the expected best of several runs
//	score.go     one figure of merit for each class of numbers
//	em4bench.go  the runs of paper 003; em4lab.go: several at a time, equal ones only once
//	em4rows.go   its rows; em4relation.go: claims in words; em4spread.go: over several runs
//	sensitivity.go  how uncertain knobs change the rows
//	paper*.go    the suite of one paper; em4*.go belong to the suite of paper 003
package verify

import (
	"context"
	"fmt"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/memlimit"
	"emsim/internal/base/simerr"
	"emsim/internal/study/ensemble"
)

// A Suite measures the claims of one paper.
type Suite struct {
	Paper   string // its number, as in "003"
	Machine string // the modelled machine, as in "EM-4"
	Means   string // what the model's numbers are means of; "" if they are not means
	// OneByOne says that a session runs its machines itself, one at a time. It holds one place in the crew until it
	// ends.
	OneByOne bool
	// New starts a session for some claims, and returns a function that measures one of them. A session remembers runs
	// that several claims share. Unless OneByOne is set, its runs wait for their turn in the crew. Until ctx ends, the
	// session may start runs before their claims are measured.
	New func(ctx context.Context, crew *ensemble.Crew, chosen []Claim) func(ctx context.Context, c Claim) (Value, error)
}

// Suites returns the suites of all papers, in the order of the papers' numbers.
func Suites() []Suite { return SuitesOfRuns(Runs003) }

// SuitesOfRuns returns the suites with a given number of consecutive runs, 1 or more, for the rows of paper 003. The
// numbers of runs of the other papers' rows are fixed.
func SuitesOfRuns(runs int) []Suite {
	return []Suite{
		paper000(),
		paper001(),
		paper002(),
		paper003(runs),
		paper004(),
	}
}

// ended returns what a suite measured. If the modelled machine failed, the value is the kind of its fault in words.
// That row is then not ok, but the other rows are still measured.
func ended(ctx context.Context, v Value, err error) (Value, error) {
	kind := simerr.Kind(err)
	if ctx.Err() != nil || kind == "" || kind == simerr.KindUsage {
		return v, err
	}
	return TextValue(strings.ReplaceAll(kind, "_", " ")), nil
}

// A meter runs machines and keeps the first error, so that claims can be written as formulas.
type meter[C, R any] struct {
	ctx context.Context
	run func(ctx context.Context, c C) (R, error)
	err error
}

// of returns the result of a run. After an error it returns the zero value.
func (m *meter[C, R]) of(c C) (r R) {
	if m.err == nil {
		r, m.err = m.run(m.ctx, c)
	}
	return r
}

// asked is a claim that is being measured.
type asked struct {
	Claim
	value    Value
	err      error
	measured bool
}

// Run measures the chosen claims of all suites, in parallel, and compares them with the papers. progress, if not nil,
// is called with the number of measured claims, at the beginning and after each claim except the last. If there is an
// error, Run also returns the rows that were measured before it.
func Run(ctx context.Context, suites []Suite, chosen map[string][]Claim, progress func(done int)) ([]Row, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // stops runs that were started in advance
	crew := ensemble.New(0)
	answers := make(chan *asked)
	var all []*asked
	for _, s := range suites {
		own := lists.Of(chosen[s.Paper], func(c Claim) *asked { return &asked{Claim: c} })
		if len(own) > 0 {
			go s.answer(ctx, crew, s.New(ctx, crew, chosen[s.Paper]), own, answers)
		}
		all = append(all, own...)
	}
	var err error
	for done := 0; done < len(all) && err == nil; done++ {
		if progress != nil {
			progress(done)
		}
		select {
		case <-ctx.Done():
			err = ctx.Err() // ends the loop
		case a := <-answers:
			if a.measured = a.err == nil; !a.measured {
				err = fmt.Errorf("verify: %s: %w", a.ID, a.err)
			}
		}
	}
	if ctx.Err() != nil {
		err = ctx.Err() // takes precedence over the row's error
	}
	var rows []Row
	for _, a := range all {
		if a.measured {
			rows = append(rows, Compare(a.Claim, a.value))
		}
	}
	return rows, err
}

// answer measures claims in one session, one after another, and sends them to answers. A session that runs its machines
// one by one keeps its place in the crew. If it gave the place up after every claim, it would wait each time for the
// machines of the other sessions, and end long after them.
func (s *Suite) answer(ctx context.Context, crew *ensemble.Crew, measure func(context.Context, Claim) (Value, error),
	list []*asked, answers chan<- *asked,
) {
	if s.OneByOne {
		if crew.Enter(ctx, memlimit.Small) != nil {
			return // ctx has ended
		}
		defer crew.Leave(memlimit.Small)
	}
	for _, a := range list {
		if a.err = ctx.Err(); a.err == nil {
			a.value, a.err = measure(ctx, a.Claim)
			a.value, a.err = ended(ctx, a.value, a.err)
		}
		select {
		case answers <- a:
		case <-ctx.Done():
			return
		}
	}
}
