package run

import (
	"fmt"
	"slices"
	"strconv"

	"emsim/asm"
	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/answer"
	"emsim/internal/base/knob"
	"emsim/internal/machine/machinefile"
	"emsim/programs"
)

// Answer is the answer of 'emsim run' for a run of a session; docs/COMMAND.md describes the keys.
type Answer struct {
	OneRun
	Session *Batch
	Seeds   int      // machines that did the runs, with consecutive seeds from the session's; 0 for one
	Explain []string // lines of --explain
	Partial bool     // the run did not complete

	Next        answer.Next    // what to try after the run
	Papers      []answer.Paper // numbers that a paper reports for the same program and settings
	AllSettings bool           // display all parameters, including those with default values
}

// Answer returns the answer for a run of the session.
func (s *Batch) Answer(r OneRun) *Answer { return &Answer{OneRun: r, Session: s} }

// DoneShare returns the share of the session's runs that are complete. It returns nil for a single run, whose length is
// not known.
func (x *Answer) DoneShare() *float64 {
	if x.Session.Runs < 2 {
		return nil
	}
	share := float64(len(x.Session.Done)) / float64(x.Session.Runs)
	return &share
}

// TimeMS returns the run's time on the modelled machine, in milliseconds.
func (x *Answer) TimeMS() float64 { return float64(x.Clocks) * x.Session.Config().ClockNS / 1e6 }

// MIPS returns the run's millions of instructions per second on the modelled machine.
func (x *Answer) MIPS() float64 {
	if x.Clocks == 0 {
		return 0
	}
	return float64(float64(x.Instructions) / float64(x.Clocks) * clockMHz(x.Session.Config()))
}

// Speed returns how many PE-clocks the simulation did per second, or 0 if the wall time is not known.
func (x *Answer) Speed() float64 {
	if x.Wall <= 0 {
		return 0
	}
	return x.peClocks() / x.Wall.Seconds()
}

// fastShare returns the share of the PE-clocks that were not simulated one by one, or 0 if the wall time is not known.
func (x *Answer) fastShare() float64 {
	if x.Wall <= 0 {
		return 0
	}
	return 1 - float64(x.Single)/max(1, x.peClocks())
}

func (x *Answer) peClocks() float64 {
	return float64(float64(x.Stepped) * float64(x.Session.Config().PEs))
}

// Chosen returns the parameters as NAME=VALUE, in the order of their declaration.
func (t *Target) Chosen() (list []string) {
	for i := range t.Object.Params {
		p := &t.Object.Params[i]
		list = append(list, p.Name+"="+p.Chosen())
	}
	return list
}

// Usual returns the program's parameters with their default values, or nil if the program cannot be read again.
func (t *Target) Usual() map[string]string {
	plain := t.plain
	if plain == nil && programs.Known(t.Name) {
		plain = func() (*asm.Object, error) { return programs.Assemble(t.Name, nil) }
	}
	if plain != nil {
		if o, err := plain(); err == nil {
			return o.Chosen()
		}
	}
	return nil
}

// IsPrototype reports whether the machine is the EM-4 prototype with its number of PEs. Other knobs may differ.
func (t *Target) IsPrototype() bool {
	return t.MachineName == prototype && t.Config().PEs == em4.Prototype80().PEs
}

// Changed returns, as NAME=VALUE, the parameters that differ from the program's defaults, and the knobs that differ
// from the EMC-R machine of this size. If all is true, or if the program cannot be read again, it returns all
// parameters.
func (t *Target) Changed(all bool) (list []string) {
	var usual map[string]string
	if !all {
		usual = t.Usual()
	}
	for i := range t.Object.Params {
		if p := &t.Object.Params[i]; p.Chosen() != usual[p.Name] {
			list = append(list, p.Name+"="+p.Chosen())
		}
	}
	c, preset := t.Config(), machinefile.ForSize(t.Config().PEs)
	rows := knob.Bind(em4.Knobs(), &preset)
	for i, r := range knob.Bind(em4.Knobs(), &c) {
		if r.Text() != rows[i].Text() {
			list = append(list, r.Key+"="+r.Text())
		}
	}
	return list
}

// PeakMIPS returns the machine's highest possible MIPS: one instruction per clock in every PE.
func PeakMIPS(c em4.Config) float64 { return float64(float64(c.PEs) * clockMHz(c)) }

func clockMHz(c em4.Config) float64 { return 1e3 / c.ClockNS }

// Call returns the program's name with its arguments.
func (t *Target) Call() string {
	words := t.Name
	for _, a := range t.Args {
		words += " " + strconv.FormatInt(a, 10)
	}
	return words
}

// Heading returns the program, its arguments and the machine, without the parameters.
func (t *Target) Heading() string { return t.Call() + t.onMachine() }

// Title returns the heading with the parameters.
func (t *Target) Title() string {
	words := t.Call()
	for _, p := range t.Chosen() {
		words += " " + p
	}
	return words + t.onMachine()
}

func (t *Target) onMachine() string {
	return fmt.Sprintf(" on %s, %d PEs, seed %d", t.MachineName, t.Config().PEs, t.Seed)
}

// KnobValues returns a machine's knobs by key.
func KnobValues(c em4.Config) map[string]any {
	values := map[string]any{}
	for _, r := range knob.Bind(em4.Knobs(), &c) {
		values[r.Key] = r.JSON()
	}
	return values
}

// CallsOthers returns the number of calls in a run by the paper's count, which leaves out instances that call no others
// [003 table 3]. If every instance of a program calls two others or none, the program declares the constant
// binary_calls. With leaves=instances, (n-1)/2 of its n instances make calls. In all other programs every instance
// counts.
func CallsOthers(o *asm.Object, t em4.Totals) uint64 {
	binary := slices.ContainsFunc(o.Symbols, func(s asm.Symbol) bool { return s.Name == "binary_calls" })
	if binary && t.Calls > 0 && o.Chosen()["leaves"] == "instances" {
		return (t.Calls - 1) / 2
	}
	return t.Calls
}

// WorkPerCall returns the busy PE-clocks (EXU, FMU or IBU at work) of a run divided by CallsOthers, or 0 if the run
// made no calls.
func WorkPerCall(o *asm.Object, t em4.Totals) float64 {
	n := CallsOthers(o, t)
	if n == 0 {
		return 0
	}
	return float64(t.States()[emcr.ExuFmu]+t.States()[emcr.IbuOnly]) / float64(n)
}
