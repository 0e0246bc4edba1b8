package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/input"
	"emsim/internal/wholefile"
	"emsim/mnc"
)

// mncOptions are the flags of "emsim mnc": the configuration itself, and what
// has to be translated into it.
type mncOptions struct {
	cfg       mnc.Config
	topology  string
	incidence string
	pes       int
	policy    string
	form      string
	ability   [3]float64 // G_pa, bounds of PA
	slow      []string
	slowAt    []string
	deadAt    []string
	step      bool
	perPE     bool
	series    string
	every     int64
}

func newMNCOptions() *mncOptions {
	return &mncOptions{cfg: mnc.Default(mnc.Incidence{})}
}

func (o *mncOptions) registerWiring(f *pflag.FlagSet) {
	f.IntVar(&o.pes, "pes", 16, "number of PEs, 1 to 128")
	f.StringVar(&o.topology, "topology", "mnc", "wiring: mnc, or net16 with source QPR26 and sink QPR38")
	f.StringVar(&o.incidence, "incidence", "", "`FILE` with an own wiring, as 'emsim mnc topology' prints it")
}

func (o *mncOptions) register(f *pflag.FlagSet) {
	f.SortFlags = false // by subject: machine, work, balancing, times, output
	o.registerWiring(f)
	c := &o.cfg
	f.IntVar(&c.Items, "items", c.Items, "data X to process")
	f.IntVar(&c.Loops, "loops", c.Loops, "iterations of f() a datum")
	f.StringVar(&o.policy, "policy", string(c.Policy), "auto: proper load by ability; naive: equal shares; none: no XPUT")
	f.StringVar(&o.form, "form", string(c.Form), "reading of equation (2): L, S, W or N")
	f.StringArrayVar(&o.slow, "slow", nil, "time of f() in per cent, for `PE=PERCENT`, FROM-TO=PERCENT, odd=PERCENT or even=PERCENT; repeatable")
	f.StringArrayVar(&o.slowAt, "slow-at", nil, "`CLOCK:PE:PERCENT`: a PE changes speed; repeatable")
	f.StringArrayVar(&o.deadAt, "dead-at", nil, "`CLOCK:PE`: a PE dies; repeatable")

	f.IntVar(&c.Slots, "slots", c.Slots, "data a ring holds")
	f.IntVar(&c.Batch, "batch", c.Batch, "most data one action moves")
	f.IntVar(&c.XCap, "xcap", c.XCap, "X that a PE holds")
	f.IntVar(&c.YCap, "ycap", c.YCap, "Y that a PE holds")
	f.Int64Var(&c.Slice, "slice", c.Slice, "clocks of f() that one PROC aims at")
	f.Int64Var(&c.KeepClk, "keep-clk", c.KeepClk, "clocks of own work that XPUT leaves")
	f.Int64Var(&c.AbilityInterval, "t-pa", c.AbilityInterval, "t_pa of equation (3), clocks")
	f.Float64Var(&o.ability[0], "g-pa", toReal(c.AbilityGain), "G_pa of equation (3), in steps of 1/65536")
	f.Float64Var(&o.ability[1], "pa-min", toReal(c.AbilityMin), "least PA")
	f.Float64Var(&o.ability[2], "pa-max", toReal(c.AbilityMax), "greatest PA")
	f.Int64Var(&c.Stall, "stall", c.Stall, "clocks without a Y that end the run; 0: 4000000, more for very long actions")

	k := &c.Cost
	f.Int64Var(&k.Loop, "cost-loop", k.Loop, "clocks: one iteration of f()")
	f.Int64Var(&k.QPRWord, "cost-qpr-word", k.QPRWord, "clocks: one word to or from a QPR, one retry after BUSY")
	f.Int64Var(&k.LocalWord, "cost-local-word", k.LocalWord, "clocks: one word to or from local memory")
	f.Int64Var(&k.Datum, "cost-datum", k.Datum, "clocks: each datum copied, besides its words")
	f.Int64Var(&k.Ring, "cost-ring", k.Ring, "clocks: each ring touched")
	f.Int64Var(&k.Iteration, "cost-iteration", k.Iteration, "clocks: each sense-plan-act iteration")
	f.Int64Var(&k.Neighbour, "cost-neighbour", k.Neighbour, "clocks: planning, each neighbour")
	f.Int64Var(&k.AbilityEntry, "cost-pa", k.AbilityEntry, "clocks: update of PA, each neighbour")
	f.Int64Var(&k.Idle, "idle", k.Idle, "clocks: first wait with nothing to do")
	f.Int64Var(&k.IdleMax, "idle-max", k.IdleMax, "clocks: longest such wait")

	f.BoolVar(&o.step, "step", false, "step through every clock instead of skipping those without an event (same result, slower)")
	f.BoolVar(&o.perPE, "per-pe", false, "add the counts of each PE")
	f.StringVar(&o.series, "series", "", "CSV `FILE` to write: what each PE holds over time")
	f.Int64Var(&o.every, "every", 10_000, "clocks between two samples of --series")
}

func toReal(q16 int64) float64 { return float64(q16) / mnc.One }

// config translates the flags; mnc.New checks the values.
func (o *mncOptions) config(cmd *cobra.Command) (mnc.Config, error) {
	var err error
	c := o.cfg
	if c.Wiring, err = o.wiring(cmd); err != nil {
		return c, err
	}
	c.Policy, c.Form = mnc.Policy(o.policy), mnc.Form(o.form)
	for i, to := range []*int64{&c.AbilityGain, &c.AbilityMin, &c.AbilityMax} {
		name := [...]string{"g-pa", "pa-min", "pa-max"}[i]
		if *to, err = toQ16(name, o.ability[i]); err != nil {
			return c, err
		}
	}
	if c.Slow, err = o.speeds(c.Wiring.PEs); err != nil {
		return c, err
	}
	if c.Events, err = o.events(); err != nil {
		return c, err
	}
	if o.every < 1 {
		return c, usagef("--every %d: want 1 clock or more", o.every)
	}
	if cmd.Flags().Changed("every") && o.series == "" {
		return c, usagef("--every changes nothing without --series FILE")
	}
	return c, claim([]output{{flag: "--series", name: o.series}}, o.incidence)
}

func (o *mncOptions) wiring(cmd *cobra.Command) (mnc.Incidence, error) {
	given := cmd.Flags().Changed
	if o.incidence == "" {
		return mnc.Topology(o.topology, o.pes)
	}
	if given("topology") {
		return mnc.Incidence{}, usagef("--topology %s and --incidence %s exclude each other", o.topology, o.incidence)
	}
	want := input.Want{What: "a wiring", Kinds: []input.Kind{input.Text}, Most: 1 << 16, Why: "500 bytes for each of 128 PEs"}
	text, err := want.Read(o.incidence)
	if err != nil {
		return mnc.Incidence{}, usagef("--incidence: %w", err)
	}
	w, err := mnc.ParseIncidence(bytes.NewReader(text), o.incidence)
	if err == nil && given("pes") && o.pes != w.PEs {
		err = usagef("--pes %d, but %s wires %d PEs; leave --pes out", o.pes, o.incidence, w.PEs)
	}
	return w, err
}

func toQ16(flag string, v float64) (int64, error) {
	if math.IsNaN(v) || math.Abs(v) > 1<<20 {
		return 0, usagef("--%s %v: want a number up to 256", flag, v)
	}
	q := math.Round(v * mnc.One)
	if q == 0 && v != 0 {
		return 0, usagef("--%s %v is less than the step of 1/65536", flag, v)
	}
	return int64(q), nil
}

// speeds reads --slow; a later entry overrides an earlier one.
func (o *mncOptions) speeds(pes int) ([]int64, error) {
	if len(o.slow) == 0 {
		return nil, nil
	}
	list := make([]int64, pes)
	for i := range list {
		list[i] = 100
	}
	for _, entry := range o.slow {
		who, value, ok := strings.Cut(entry, "=")
		percent, err := strconv.ParseInt(value, 10, 64)
		if !ok || err != nil {
			return nil, usagef("--slow %q: want PE=PERCENT, FROM-TO=PERCENT, odd=PERCENT or even=PERCENT, as in 5=400", entry)
		}
		from, to, step := 0, pes-1, 2
		switch who {
		case "even":
		case "odd":
			from = 1
		default:
			step = 1
			if from, to, err = peRange(who); err != nil || from < 0 || to >= pes || from > to {
				return nil, usagef("--slow %q: want PEs from 0 to %d", entry, pes-1)
			}
		}
		for i := from; i <= to; i += step {
			list[i] = percent
		}
	}
	return list, nil
}

func peRange(s string) (from, to int, err error) {
	first, last, isRange := strings.Cut(s, "-")
	if from, err = strconv.Atoi(first); err != nil || !isRange {
		return from, from, err
	}
	to, err = strconv.Atoi(last)
	return from, to, err
}

func (o *mncOptions) events() ([]mnc.Event, error) {
	var list []mnc.Event
	for _, s := range o.slowAt {
		v, ok := colonNumbers(s, 3)
		if !ok {
			return nil, usagef("--slow-at %q: want CLOCK:PE:PERCENT, as in 5000000:5:1000", s)
		}
		list = append(list, mnc.SlowAt(v[0], int(v[1]), v[2]))
	}
	for _, s := range o.deadAt {
		v, ok := colonNumbers(s, 2)
		if !ok {
			return nil, usagef("--dead-at %q: want CLOCK:PE, as in 5000000:5", s)
		}
		list = append(list, mnc.DeadAt(v[0], int(v[1])))
	}
	return list, nil
}

func colonNumbers(s string, n int) ([]int64, bool) {
	parts := strings.Split(s, ":")
	v := make([]int64, len(parts))
	for i, p := range parts {
		var err error
		if v[i], err = strconv.ParseInt(p, 10, 64); err != nil {
			return nil, false
		}
	}
	return v, len(parts) == n
}

// drive runs the machine to its end, sampling it for --series.
func (o *mncOptions) drive(ctx context.Context, m *mnc.Machine, pes int) error {
	if o.series == "" {
		return o.advance(ctx, m, math.MaxInt64)
	}
	file, err := wholefile.Create(o.series)
	if err != nil {
		return usagef("--series: %w", err)
	}
	w := bufio.NewWriter(file)
	fmt.Fprintln(w, "clock,pe,x,y,action")
	var runErr error
	for at := int64(0); runErr == nil && file.Err() == nil; at += o.every {
		runErr = o.advance(ctx, m, at)
		for pe := range pes {
			h := m.Held(pe)
			what := h.Action.String()
			if h.Dead {
				what = "dead"
			}
			fmt.Fprintf(w, "%d,%d,%d,%d,%s\n", max(0, m.Clock()-1), pe, h.X, h.Y, what)
		}
		if m.Done() {
			break
		}
	}
	_ = w.Flush() // Commit reports every error
	if err := file.Commit(); err != nil {
		return errors.Join(runErr, usagef("--series: %w", err))
	}
	return runErr
}

// advance moves the machine through clock last, or to its end.
func (o *mncOptions) advance(ctx context.Context, m *mnc.Machine, last int64) error {
	if !o.step {
		return m.RunTo(ctx, last)
	}
	for m.Clock() <= last && !m.Done() {
		if m.Clock()%(1<<12) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := m.Step(); err != nil {
			return err
		}
	}
	return nil
}
