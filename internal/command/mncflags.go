package command

import (
	"context"
	"errors"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/machines"
	"emsim/mnc"
)

// mncOptions are the flags of "emsim mnc": those of the table, and those that
// are not parameters of the machine.
type mncOptions struct {
	*knobFlags
	incidence string
	work      string
	step      bool
	perPE     bool
	series    string
	events    string
	every     int64
}

func newMNCOptions() *mncOptions { return &mncOptions{knobFlags: newKnobFlags("mnc")} }

func (o *mncOptions) registerWiring(f *pflag.FlagSet) {
	o.registerKeys(f, "pes", "topology")
	o.registerIncidence(f)
}

func (o *mncOptions) registerIncidence(f *pflag.FlagSet) {
	f.StringVar(&o.incidence, "incidence", "", "read the wiring from this `FILE`, in the form that 'emsim mnc topology' prints")
}

func (o *mncOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false // by subject: machine, work, balancing, times, output
	o.knobFlags.register(cmd)
	o.registerIncidence(f)
	f.StringVar(&o.work, "work", "", "read the data, with their clocks, places of birth and loops, from this `FILE`")
	f.BoolVar(&o.step, "step", false, "step through every clock instead of skipping those without an event (same result, slower)")
	f.BoolVar(&o.perPE, "per-pe", false, "also print the counts of each PE")
	f.StringVar(&o.series, "series", "", "write what each PE holds over time to this CSV `FILE`")
	f.StringVar(&o.events, "events", "", "write the end of every action to this CSV `FILE`")
	f.Int64Var(&o.every, "every", 10_000, "clocks from one sample of --series to the next")
}

// config puts the machine together, and checks it.
func (o *mncOptions) config(a *app, cmd *cobra.Command) (mnc.Config, error) {
	m, err := o.machine(cmd)
	if err != nil {
		return mnc.Config{}, err
	}
	s := m.Config.(*mnc.Setup)
	w, err := o.wiring(cmd, s)
	if err != nil {
		return mnc.Config{}, err
	}
	c, err := s.On(w)
	if err != nil {
		return c, o.named(cmd, err)
	}
	if err := o.readWork(&c); err != nil {
		return c, err
	}
	if o.every < 1 {
		return c, usagef("--every %d: expected 1 clock or more", o.every)
	}
	a.note([]idleFlags{
		{[]string{"every"}, o.series == "", "there is no --series FILE"},
		{[]string{"items", "loops"}, o.work != "", "the data are those of --work"},
	}, cmd.Flags().Changed)
	return c, claim([]output{{flag: "--series", name: o.series}, {flag: "--events", name: o.events}}, o.incidence, o.work)
}

// wiringOnly is the wiring that the flags of 'emsim mnc topology' choose.
func (o *mncOptions) wiringOnly(cmd *cobra.Command) (mnc.Incidence, error) {
	m, err := o.machine(cmd)
	if err != nil {
		return mnc.Incidence{}, err
	}
	return o.wiring(cmd, m.Config.(*mnc.Setup))
}

func (o *mncOptions) wiring(cmd *cobra.Command, s *mnc.Setup) (mnc.Incidence, error) {
	given := cmd.Flags().Changed
	if o.incidence == "" {
		return mnc.Topology(s.Topology, s.PEs)
	}
	if given("topology") {
		return mnc.Incidence{}, usagef("--topology %s and --incidence %s exclude each other", s.Topology, o.incidence)
	}
	text, err := machines.ReadFile("mnc", "incidence", o.incidence)
	if err != nil {
		return mnc.Incidence{}, usagef("--incidence: %w", err)
	}
	w, err := mnc.ParseIncidence(o.incidence, text)
	if err == nil && given("pes") && s.PEs != w.PEs {
		err = usagef("--pes %d, but %s wires %d PEs; leave --pes out", s.PEs, o.incidence, w.PEs)
	}
	return w, err
}

// readWork gives the machine the data of --work.
func (o *mncOptions) readWork(c *mnc.Config) error {
	if o.work == "" {
		return nil
	}
	text, err := machines.ReadFile("mnc", "work", o.work)
	if err != nil {
		return usagef("--work: %w", err)
	}
	list, err := mnc.ParseWork(o.work, text, c.Wiring.PEs)
	c.SetWork(list)
	return err
}

// drive runs the machine to its end, and fills --series and --events.
func (o *mncOptions) drive(ctx context.Context, m *mnc.Machine, pes int) error {
	series, err1 := createCSV("series", o.series, []string{"clock", "pe", "x", "y", "action"})
	events, err2 := createCSV("events", o.events, []string{"clock", "pe", "action", "data", "began", "planned"})
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if o.events != "" {
		m.Watch(func(d mnc.Done) {
			events.write(d.Clock, d.PE, d.Action.String(), d.Data, d.Began, d.Planned)
		})
	}
	err := o.sampled(ctx, m, pes, series)
	return errors.Join(err, series.close(), events.close())
}

// sampled runs the machine to its end, and samples it for --series.
func (o *mncOptions) sampled(ctx context.Context, m *mnc.Machine, pes int, series *csvFile) error {
	if o.series == "" {
		return o.advance(ctx, m, math.MaxInt64)
	}
	for at := int64(0); series.file.Err() == nil; at += o.every {
		err := o.advance(ctx, m, at)
		for pe := range pes {
			h := m.Held(pe)
			what := h.Action.String()
			if h.Dead {
				what = "dead"
			}
			series.write(max(0, m.Clock()-1), pe, h.X, h.Y, what)
		}
		if err != nil || m.Done() {
			return err
		}
	}
	return nil
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
