// Package verify compares the models with the papers' numbers and claims.
//
// papers/NNN.csv has one line per claim; a Suite knows how to measure the
// claims of one paper; Run measures, compares and returns Rows. The paper
// column is the source's figure and is never edited to suit a model.
//
//	papers/*.csv --> Claim --> Suite.Measure --> Row (ok or not)
//	claim.go     the lines of the files, and what a line must hold
//	compare.go   values, rules, gaps with their bands, rows
//	count.go     rows counted by class
//	command.go   the command that gives a row's value
//	reading.go   where its answer has it
//	verify.go    suites, measuring
//	paperNNN.go  the suite of one paper; em4*.go belong to that of paper 003
package verify

import (
	"context"
	"fmt"
	"strings"

	"emsim/internal/simerr"
)

// A Suite measures the claims of one paper.
type Suite struct {
	Paper   string // its number, as in "003"
	Machine string // what is modelled, as in "EM-4"
	Means   string // what the model's numbers are means of, "" if of nothing
	// New starts a session that measures some claims. The returned function
	// measures one of them; runs that several claims share are cached inside the
	// session. A session may measure ahead until its context ends.
	New func(ctx context.Context, chosen []Claim) func(ctx context.Context, c Claim) (Value, error)
}

// Suites lists every paper's suite in order of the papers' numbers.
func Suites() []Suite {
	return []Suite{
		paper000(),
		paper001(),
		paper002(),
		paper003(),
		paper004(),
	}
}

// ended is what a suite measured. If the modelled machine failed, it is the
// kind of fault in words: that row is not ok, and the others are measured all
// the same.
func ended(ctx context.Context, v Value, err error) (Value, error) {
	kind := simerr.Kind(err)
	if ctx.Err() != nil || kind == "" || kind == simerr.KindUsage {
		return v, err
	}
	return Text(strings.ReplaceAll(kind, "_", " ")), nil
}

// Run measures the chosen claims of every suite and compares them. next, when
// not nil, is told each claim before it is measured, and how many rows are done.
func Run(ctx context.Context, suites []Suite, chosen map[string][]Claim, next func(done int, c Claim)) ([]Row, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // what a session measures ahead
	var rows []Row
	for _, s := range suites {
		if len(chosen[s.Paper]) == 0 {
			continue
		}
		measure := s.New(ctx, chosen[s.Paper])
		for _, c := range chosen[s.Paper] {
			if err := ctx.Err(); err != nil {
				return rows, err
			}
			if next != nil {
				next(len(rows), c)
			}
			v, err := measure(ctx, c)
			v, err = ended(ctx, v, err)
			if err != nil {
				return rows, fmt.Errorf("verify: %s: %w", c.ID, err)
			}
			rows = append(rows, Compare(c, v))
		}
	}
	return rows, nil
}
