package sweep

import (
	"context"
	"encoding/json"

	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/machines"
)

// subject is what a sweep varies: programs on the EM-4, or another machine.
type subject interface {
	// define completes a point and sets its ID. If the choices do not fit together, it returns an error and, in at, the
	// place of the error, if one choice alone is wrong.
	define(x *expansion, p *Point, c pick) (at tomlfile.Range, err error)
	// repeated returns the points for the runs of a cell with seeds, and how the runs differ.
	repeated(x *expansion, p Point) (points []Point, by string)

	// run does the run or runs of a point, and sets the answer of the result.
	run(ctx context.Context, p *Point, r *Result, progress func(clock uint64)) error
	ends() []string        // the kinds of errors that count as results
	bytes(p *Point) uint64 // memory that a running point takes, estimated
	// values copies the measured values of an answer by column, and reports whether the answer was complete.
	values(p *Point, answer, values map[string]json.RawMessage) bool

	command(p *Point) []string // words of the command line that runs only this point
	label(p *Point) string     // a short description without the variant

	// The columns of the table, in three groups, and a point's cells in them. The first group says what ran: the
	// machine, the program and their settings. The second has the variant, the seed and the number of runs; its columns
	// are rowColumns, or cellColumns in a sweep with seeds. The third has what was measured.
	defining() []Column
	identity(p *Point) []string
	knobColumn(name string) Column
	rowColumns() []Column
	cellColumns() []Column
	labels(p *Point, seeds bool) []string // without the variant
	measured(knobs []string) []Column
	cell(r *Result, column string) string
	time() string // the column with the time that a run took
}

// subjectOf returns the subject of sweeps of a kind of machine.
func subjectOf(kind string) subject {
	if k, _ := machines.KindOf(kind); k.Programs {
		return programsOnEM4{}
	}
	return otherMachine(kind)
}

func (plan *Plan) subject() subject { return subjectOf(plan.Kind) }
func (p *Point) subject() subject   { return subjectOf(p.Kind) }
