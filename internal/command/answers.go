package command

import (
	"fmt"
	"io"
	"math"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"emsim/internal/base/answer"
	"emsim/internal/base/answer/terminal"
	"emsim/internal/base/knob"
	"emsim/internal/base/plural"
	"emsim/internal/machine/machinefile"
)

// addDetails adds the flag that shows all numbers of an answer.
func (a *app) addDetails(fs *pflag.FlagSet) {
	fs.BoolVar(&a.details, "details", false, "show every number with its key and its meaning, zeros included")
}

// layout returns how answers are displayed: with or without all details, and as wide as the terminal.
func (a *app) layout() terminal.Layout {
	l := terminal.Layout{Details: a.details}
	if f := terminalOf(a.out); f != nil {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			l.Width = max(width, 40) // chosen: a narrower terminal breaks the lines itself
		}
	}
	return l
}

// shown returns a function that writes an answer.
func (a *app) shown(x *answer.Answer) func(io.Writer) {
	return func(w io.Writer) { terminal.Write(w, x, a.layout()) }
}

// shownTop works like shown, with at most top rows of each table; 0 means all.
func (a *app) shownTop(x *answer.Answer, top int) func(io.Writer) {
	layout := a.layout()
	layout.Most = top
	return func(w io.Writer) { terminal.Write(w, x, layout) }
}

// seedOf returns the seeds of runs as text, from the machine's own up, or "" if the machine has no seed.
func seedOf(m *machinefile.Machine, runs int) string {
	r, ok := knob.Find(m.Rows, "seed")
	if !ok {
		return ""
	}
	first := r.Get().(uint64)
	if runs == 1 {
		return fmt.Sprintf(", seed %d", first)
	}
	return fmt.Sprintf(", seeds %d to %d", first, first+uint64(runs)-1)
}

// maxSeeds is the largest value of --seeds.
const maxSeeds = 10_000

// checkSeeds rejects a number of seeds that is out of range, or that the first seed leaves no room for.
func checkSeeds(first uint64, n int) error {
	switch {
	case n < 1 || n > maxSeeds:
		return usagef("--seeds is %d, it must be 1..%d", n, maxSeeds)
	case first+uint64(n)-1 < first:
		return usagef("--seeds %d: there are no %d seeds from %d up, the last is %d", n, n, first,
			uint64(math.MaxUint64))
	}
	return nil
}

// count formats an integer with commas between thousands.
func count(n uint64) string { return plural.Commas(n) }

// unless keeps the lines of tables short.
var unless = answer.Unless
