package run

import (
	"fmt"
	"strconv"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/machine/machinefile"
	"emsim/packet"
	"emsim/programs"
)

// Answer is what 'emsim run' says of a run; docs/COMMAND.md describes the keys.
type Answer struct {
	Asked
	Values Values
	Cost

	Totals   em4.Totals `json:"-"` // what Values are made of
	Config   em4.Config `json:"-"`
	WordBits uint8      `json:"-"` // of the machine's words
	Chosen   []string   `json:"-"` // parameters as NAME=VALUE, in the order of their declaration
}

// Asked is what was run, and what it gave in which time.
type Asked struct {
	Program    string            `json:"program"`
	Args       []int64           `json:"args"`
	Machine    string            `json:"machine"`
	PEs        int               `json:"pes"`
	Policy     *string           `json:"policy"` // null when the program has no such parameter
	MLPE       *bool             `json:"mlpe"`   // null likewise
	Params     map[string]string `json:"params"`
	Seed       uint64            `json:"seed"`
	Seeds      int               `json:"seeds,omitempty"` // machines that did the runs, with the seeds from Seed up; 0 for one
	Result     []uint64          `json:"result"`
	Clocks     uint64            `json:"clocks"`
	StartClock uint64            `json:"start_clock"` // of the machine, at the start of the run
	TimeMS     float64           `json:"time_ms"`
	MIPS       float64           `json:"mips"` // million instructions per second of the modelled machine
}

// Cost is what surrounds the run: all runs, the machine, the simulation.
type Cost struct {
	Runs              []uint64       `json:"runs"`            // clocks of all complete runs
	Bands             *Bands         `json:"bands"`           // over the complete runs; nil if there is none
	Leaked            []em4.Leak     `json:"leaked_segments"` // after the last run; empty before
	Knobs             map[string]any `json:"knobs"`
	WallSeconds       float64        `json:"wall_seconds"`
	PEClocksPerSecond float64        `json:"pe_clocks_per_second"`
	FastShare         float64        `json:"fast_share"` // of the PE-clocks, those that were not simulated one by one
}

// Answer describes a run of the session.
func (s *Batch) Answer(r OneRun) *Answer {
	x := &Answer{
		Asked: Asked{
			Program: s.Name, Args: s.Args, Machine: s.MachineName, PEs: s.Config().PEs, Params: map[string]string{}, Seed: s.Seed,
			Result: append([]uint64{}, r.Words...), Clocks: r.Clocks, StartClock: r.Start, TimeMS: float64(r.Clocks) * s.Config().ClockNS / 1e6,
		},
		Values: valuesOf(&r.Totals), Totals: r.Totals,
		Cost:   Cost{Runs: []uint64{}, Bands: s.bands(), Leaked: append([]em4.Leak{}, s.Leaks...), Knobs: KnobValues(s.Config()), WallSeconds: r.Wall.Seconds()},
		Config: s.Config(), WordBits: packet.FormatFor(s.Net.K).DataBits,
	}
	if r.Clocks > 0 {
		x.MIPS = float64(float64(r.Totals.Instructions) / float64(r.Clocks) * clockMHz(s.Config()))
	}
	for _, t := range s.Done {
		x.Runs = append(x.Runs, t.Clocks)
	}
	if r.Wall > 0 {
		clocks := float64(float64(r.Stepped) * float64(s.Config().PEs))
		x.PEClocksPerSecond, x.FastShare = clocks/r.Wall.Seconds(), 1-float64(r.Single)/max(1, clocks)
	}
	for i := range s.Object.Params {
		p := &s.Object.Params[i]
		v := p.Chosen()
		x.Params[p.Name] = v
		x.Chosen = append(x.Chosen, p.Name+"="+v)
		switch p.Name {
		case "policy":
			x.Policy = &v
		case "mlpe":
			on := v != "off"
			x.MLPE = &on
		}
	}
	return x
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
			for i := range o.Params {
				usual[o.Params[i].Name] = o.Params[i].Chosen()
			}
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

// PeakMIPS is the machine's highest possible MIPS: one instruction per clock in every PE.
func PeakMIPS(c em4.Config) float64 { return float64(float64(c.PEs) * clockMHz(c)) }

func clockMHz(c em4.Config) float64 { return 1e3 / c.ClockNS }

// Call is the program with its arguments.
func (x *Answer) Call() string {
	words := x.Program
	for _, a := range x.Args {
		words += " " + strconv.FormatInt(a, 10)
	}
	return words
}

// Heading says what ran on which machine, without the parameters.
func (x *Answer) Heading() string {
	return fmt.Sprintf("%s on %s, %d PEs, seed %d", x.Call(), x.Machine, x.PEs, x.Seed)
}

// KnobValues returns a machine's knobs by their keys.
func KnobValues(c em4.Config) map[string]any {
	values := map[string]any{}
	for _, r := range knob.Bind(em4.Knobs(), &c) {
		values[r.Key] = r.JSON()
	}
	return values
}
