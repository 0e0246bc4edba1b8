package run

import (
	"fmt"
	"slices"
	"strconv"

	"emsim/asm"
	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/knob"
	"emsim/internal/base/ordered"
	"emsim/internal/machine/machinefile"
	"emsim/programs"
)

// Answer is what 'emsim run' says of a run of a session; docs/COMMAND.md describes the keys.
type Answer struct {
	OneRun
	Session *Batch
	Seeds   int      // machines that did the runs, with the seeds from the session's up; 0 for one
	Explain []string // of --explain
	Partial bool     // the run did not come to its end
}

// Answer describes a run of the session.
func (s *Batch) Answer(r OneRun) *Answer { return &Answer{OneRun: r, Session: s} }

// MarshalJSON writes the keys of the answer.
func (x *Answer) MarshalJSON() ([]byte, error) {
	s, c, params := x.Session, x.Session.Config(), x.Session.Object.Chosen()
	var policy, mlpe any // null when the program has no such parameter
	if v, ok := params["policy"]; ok {
		policy = v
	}
	if v, ok := params["mlpe"]; ok {
		mlpe = v != "off"
	}
	o := ordered.Object{"program", s.Name, "args", s.Args, "machine", s.MachineName, "pes", c.PEs, "policy", policy, "mlpe", mlpe, "params", params, "seed", s.Seed}
	if x.Seeds > 0 {
		o = append(o, "seeds", x.Seeds)
	}
	o = append(append(o, s.ResultKeys(x.Words)...), "clocks", x.Clocks, "start_clock", x.Start, "time_ms", x.TimeMS(), "mips", x.MIPS())
	inner := map[string]*ordered.Object{}
	for _, st := range em4.StatisticsIn(em4.InJSON) {
		in, key := st.Place()
		at := &o
		if in != "" {
			if inner[in] == nil {
				inner[in] = &ordered.Object{}
				o = append(o, in, inner[in])
			}
			at = inner[in]
		}
		*at = append(*at, key, st.Total(&x.Totals))
	}
	if w := x.Overtakings; w != nil {
		o = append(o, "wait_longest", w.Longest.Clocks, "wait_longest_packet", w.Longest.String(), "overtaken_most", w.Most.Times, "overtaken_most_packet", w.Most.String())
	}
	runs := []uint64{} // clocks of all complete runs
	for _, t := range s.Done {
		runs = append(runs, t.Clocks)
	}
	o = append(o, "runs", runs, "bands", s.Bands(), "leaked_segments", append([]em4.Leak{}, s.Leaks...), "knobs", KnobValues(c),
		"wall_seconds", x.Wall.Seconds(), "pe_clocks_per_second", x.Speed(), "fast_share", x.fastShare())
	if x.Explain != nil {
		o = append(o, "explain", x.Explain)
	}
	if x.Partial {
		o = append(o, "done_share", x.DoneShare())
	}
	return o.MarshalJSON()
}

// DoneShare returns the share of the session's runs that are done, nil if there is one run:
// when that would end is not known.
func (x *Answer) DoneShare() *float64 {
	if x.Session.Runs < 2 {
		return nil
	}
	share := float64(len(x.Session.Done)) / float64(x.Session.Runs)
	return &share
}

// TimeMS returns how long the run took on the modelled machine, in milliseconds.
func (x *Answer) TimeMS() float64 { return float64(x.Clocks) * x.Session.Config().ClockNS / 1e6 }

// MIPS returns million instructions per second of the modelled machine.
func (x *Answer) MIPS() float64 {
	if x.Clocks == 0 {
		return 0
	}
	return float64(float64(x.Instructions) / float64(x.Clocks) * clockMHz(x.Session.Config()))
}

// Speed returns how many PE-clocks a second the simulation did, 0 if that is not known.
func (x *Answer) Speed() float64 {
	if x.Wall <= 0 {
		return 0
	}
	return x.peClocks() / x.Wall.Seconds()
}

// fastShare returns the part of the PE-clocks that were not simulated one by one.
func (x *Answer) fastShare() float64 {
	if x.Wall <= 0 {
		return 0
	}
	return 1 - float64(x.Single)/max(1, x.peClocks())
}

func (x *Answer) peClocks() float64 {
	return float64(float64(x.Stepped) * float64(x.Session.Config().PEs))
}

// Chosen lists the parameters as NAME=VALUE, in the order of their declaration.
func (t *Target) Chosen() (list []string) {
	for i := range t.Object.Params {
		p := &t.Object.Params[i]
		list = append(list, p.Name+"="+p.Chosen())
	}
	return list
}

// Changed lists, as NAME=VALUE, the parameters that differ from those of the program
// without a choice, or all, and the knobs that differ from those of the EMC-R machine of
// this size. Of a program that cannot be read any more all parameters count as changed.
func (t *Target) Changed(all bool) (list []string) {
	plain := t.plain
	if plain == nil && programs.Known(t.Name) {
		plain = func() (*asm.Object, error) { return programs.Assemble(t.Name, nil) }
	}
	usual := map[string]string{}
	if plain != nil && !all {
		if o, err := plain(); err == nil {
			usual = o.Chosen()
		}
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

// Call returns the program with its arguments.
func (t *Target) Call() string {
	words := t.Name
	for _, a := range t.Args {
		words += " " + strconv.FormatInt(a, 10)
	}
	return words
}

// Heading says what ran on which machine, without the parameters.
func (t *Target) Heading() string { return t.Call() + t.onMachine() }

// Title works as Heading with the parameters.
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

// KnobValues returns a machine's knobs by their keys.
func KnobValues(c em4.Config) map[string]any {
	values := map[string]any{}
	for _, r := range knob.Bind(em4.Knobs(), &c) {
		values[r.Key] = r.JSON()
	}
	return values
}

// A Band says what a quantity was in consecutive runs on one machine.
type Band struct {
	Best float64 `json:"best"` // in the run with the fewest clocks
	Mean float64 `json:"mean"`
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
}

// BandOf returns the band of a quantity over one or more runs. Of equally fast
// runs the first is the best.
func BandOf[T any](runs []T, clocks func(T) uint64, quantity func(T) float64) Band {
	first := quantity(runs[0])
	b := Band{Best: first, Min: first, Max: first}
	fewest, sum := clocks(runs[0]), 0.0
	for _, t := range runs {
		v := quantity(t)
		sum += v
		b.Min, b.Max = min(b.Min, v), max(b.Max, v)
		if n := clocks(t); n < fewest {
			fewest, b.Best = n, v
		}
	}
	b.Mean = max(b.Min, min(b.Max, sum/float64(len(runs)))) // rounding must not move the mean of equal runs away from them
	return b
}

// banded are the statistics of which there are bands.
var banded = []string{"pe_utilisation", "exu_fmu", "ibu_only", "network_wait", "idle", "instructions", "mlpe_calls"}

// Bands returns the bands of the complete runs by key, or nil if there are none:
// each a *Band, nil for the work per call of a program that calls nothing.
func (s *Batch) Bands() ordered.Object {
	if len(s.Done) == 0 {
		return nil
	}
	of := func(quantity func(em4.Totals) float64) *Band { b := BandOf(s.Done, clocksOf, quantity); return &b }
	o := ordered.Object{"time_ms", of(func(t em4.Totals) float64 { return float64(t.Clocks) * s.Config().ClockNS / 1e6 })}
	for _, key := range banded {
		statistic, _ := em4.StatisticOf(key)
		o = append(o, key, of(func(t em4.Totals) float64 { return statistic.Number(&t) }))
	}
	if slices.ContainsFunc(s.Done, func(t em4.Totals) bool { return CallsOthers(s.Object, t) == 0 }) {
		return append(o, "work_per_call", nil)
	}
	return append(o, "work_per_call", of(func(t em4.Totals) float64 { return WorkPerCall(s.Object, t) }))
}

func clocksOf(t em4.Totals) uint64 { return t.Clocks }

// CallsOthers returns how many calls a run made by the paper's count, which
// leaves out the instances that only answer [003 table 3]. A program in which
// every instance calls two others or none says so by the constant binary_calls;
// with leaves=instances (n-1)/2 of its n instances call. In all other programs
// every instance counts.
func CallsOthers(o *asm.Object, t em4.Totals) uint64 {
	binary := slices.ContainsFunc(o.Symbols, func(s asm.Symbol) bool { return s.Name == "binary_calls" })
	if binary && t.Calls > 0 && o.Chosen()["leaves"] == "instances" {
		return (t.Calls - 1) / 2
	}
	return t.Calls
}

// WorkPerCall returns the PE-clocks that were busy (EXU, FMU or IBU at work) per
// CallsOthers of a run, or 0 if it made no calls.
func WorkPerCall(o *asm.Object, t em4.Totals) float64 {
	n := CallsOthers(o, t)
	if n == 0 {
		return 0
	}
	return float64(t.States()[emcr.ExuFmu]+t.States()[emcr.IbuOnly]) / float64(n)
}
