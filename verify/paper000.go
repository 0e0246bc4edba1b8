package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"emsim/internal/study/ensemble"
	"emsim/mnc"
)

// paper000 returns the suite for the MNC computer.
func paper000() Suite {
	return Suite{
		Paper: "000", Machine: "MNC",
		OneByOne: true,
		New: func(_ context.Context, _ *ensemble.Crew, _ []Claim) func(context.Context, Claim) (Value, error) {
			return func(ctx context.Context, c Claim) (Value, error) {
				m := mncMeter{meter[MNCRun, mnc.Stats]{ctx: ctx, run: RunMNC}}
				v := m.measure(c)
				return v, m.err
			}
		},
	}
}

// mncItems is the number of data in the runs that the relations compare.
const mncItems = 100_000

const (
	mncLight = 100 // loops for each datum [000 §5]
	mncHeavy = 1000
)

type mncMeter struct{ meter[MNCRun, mnc.Stats] }

// MNCRun is one run of the default machine, in which the fields replace the defaults.
type MNCRun struct {
	topology   string // "" means mnc
	PEs, Loops int
	Items      int        // 0 means 100,000
	Policy     mnc.Policy // "" means auto
	form       mnc.Form   // "" means L
	oddSlow    int64      // time of the odd PEs in per cent, 0 means 100
	event      mnc.Event  // the zero value means none
}

func (r MNCRun) config() (mnc.Config, error) {
	w, err := mnc.Topology(r.topology, r.PEs)
	if err != nil {
		return mnc.Config{}, err
	}
	c := mnc.Default(w)
	c.Items, c.Loops, c.Policy = r.Items, r.Loops, r.Policy
	if r.form != "" {
		c.Form = r.form
	}
	if r.oddSlow != 0 {
		for pe := range r.PEs {
			c.Slow = append(c.Slow, 100+int64(pe%2)*(r.oddSlow-100))
		}
	}
	if r.event != (mnc.Event{}) {
		c.Events = []mnc.Event{r.event}
	}
	return c, nil
}

var ranMNC store[MNCRun, mnc.Stats]

// RunMNC returns the statistics of a run. Equal runs are done only once in a process.
func RunMNC(ctx context.Context, r MNCRun) (mnc.Stats, error) {
	r.topology, r.Items, r.Policy = cmp.Or(r.topology, "mnc"), cmp.Or(r.Items, mncItems), cmp.Or(r.Policy, mnc.Auto)
	return ranMNC.once(ctx, r, func(ctx context.Context) (mnc.Stats, error) {
		c, err := r.config()
		if err != nil {
			return mnc.Stats{}, err
		}
		m, err := mnc.New(c)
		if err != nil {
			return mnc.Stats{}, err
		}
		if err := m.Run(ctx); err != nil {
			return mnc.Stats{}, err
		}
		return m.Stats(), m.Check()
	})
}

func (m *mncMeter) measure(c Claim) Value {
	relations := map[string]func(*mncMeter) Value{
		"000.rel.1": (*mncMeter).scaling, "000.rel.2": (*mncMeter).efficiency,
		"000.rel.3": (*mncMeter).transfers, "000.rel.4": (*mncMeter).usedPEs,
		"000.rel.5": (*mncMeter).againstNaive, "000.rel.6": (*mncMeter).overhead,
		"000.rel.7": (*mncMeter).againstNone, "000.rel.8": (*mncMeter).unequal,
		"000.rel.9": (*mncMeter).slowed, "000.rel.10": (*mncMeter).deadPE,
		"000.rel.11": (*mncMeter).forms, "000.rel.12": (*mncMeter).fullRun,
	}
	if relation, ok := relations[c.ID]; ok {
		return relation(m)
	}
	return m.recorded(c)
}

// recorded measures a run whose clocks and transfers are recorded exactly, and returns both.
func (m *mncMeter) recorded(c Claim) Value {
	r := MNCRun{topology: c.Cond["topology"], Policy: mnc.Policy(c.Cond["policy"])}
	for _, column := range []struct {
		name string
		to   *int
	}{{"pes", &r.PEs}, {"loops", &r.Loops}, {"items", &r.Items}} {
		v, err := strconv.Atoi(c.Cond[column.name])
		if err != nil {
			m.err = fmt.Errorf("column %s: %w", column.name, err)
			return Value{}
		}
		*column.to = v
	}
	st := m.of(r)
	return TextValue(fmt.Sprintf("%d/%d", st.Clocks, st.Transfers))
}

// clocks returns the length of a run in clocks.
func (m *mncMeter) clocks(r MNCRun) float64 { return float64(m.of(r).Clocks) }

// perItem returns the number of transfers per datum.
func (m *mncMeter) perItem(r MNCRun) float64 {
	st := m.of(r)
	return float64(st.Transfers) / float64(st.Items)
}

func (m *mncMeter) scaling() Value {
	gain := func(loops int) float64 {
		return m.of(MNCRun{PEs: 128, Loops: loops}).Speedup / m.of(MNCRun{PEs: 64, Loops: loops}).Speedup
	}
	light, heavy := gain(mncLight), gain(mncHeavy)
	return Holds(light <= 1.10 && heavy >= 1.85, "light x%.3f, heavy x%.3f", light, heavy)
}

func (m *mncMeter) efficiency() Value {
	least := math.Inf(1)
	for n := 1; n <= 128; n *= 2 {
		least = min(least, m.of(MNCRun{PEs: n, Loops: mncHeavy}).Efficiency)
	}
	light := m.of(MNCRun{PEs: 128, Loops: mncLight}).Efficiency
	return Holds(least >= 0.80 && light <= 0.20, "heavy at least %.3f, light %.3f", least, light)
}

func (m *mncMeter) transfers() Value {
	light, heavy := m.perItem(MNCRun{PEs: 128, Loops: mncLight}), m.perItem(MNCRun{PEs: 128, Loops: mncHeavy})
	growL, growH := light/m.perItem(MNCRun{PEs: 64, Loops: mncLight})-1,
		heavy/m.perItem(MNCRun{PEs: 64, Loops: mncHeavy})-1
	return Holds(light <= 0.85*heavy && growL <= 0.05 && growH >= 0.12,
		"light/heavy %.3f, growth light %+.3f, heavy %+.3f", light/heavy, growL, growH)
}

func (m *mncMeter) usedPEs() Value {
	light, heavy := m.of(MNCRun{PEs: 128, Loops: mncLight}).UsedPEs, m.of(MNCRun{PEs: 128, Loops: mncHeavy}).UsedPEs
	return Holds(light <= 65 && heavy >= 115, "light %.1f, heavy %.1f", light, heavy)
}

func (m *mncMeter) againstNaive() Value {
	ratio := func(pes, loops int, of func(MNCRun) float64) float64 { // auto/naive
		return of(MNCRun{PEs: pes, Loops: loops}) / of(MNCRun{PEs: pes, Loops: loops, Policy: mnc.Naive})
	}
	light, heavy := 1/ratio(128, mncLight, m.clocks), 1/ratio(128, mncHeavy, m.clocks)
	movedL, movedH := ratio(16, mncLight, m.perItem), ratio(16, mncHeavy, m.perItem)
	price := ratio(16, mncHeavy, m.clocks)
	return Holds(light >= 1.4 && heavy >= 2.0 && movedL <= 0.85 && movedH <= 0.92 && price <= 1.06,
		"N=128 clocks light %.3f, heavy %.3f; N=16 transfers light %.3f, heavy %.3f; N=16 heavy clocks %.3f", light,
		heavy, movedL, movedH, price)
}

func (m *mncMeter) overhead() Value {
	share := func(p mnc.Policy) float64 {
		st := m.of(MNCRun{PEs: 128, Loops: mncLight, Policy: p})
		return float64(st.Transfer+st.Overhead) / float64(st.Proc)
	}
	auto, naive := share(""), share(mnc.Naive)
	return Holds(auto <= 1.35 && naive >= 1.6, "auto %.3f, naive %.3f", auto, naive)
}

func (m *mncMeter) againstNone() Value {
	r := m.clocks(MNCRun{PEs: 16, Loops: mncHeavy, Policy: mnc.None}) / m.clocks(MNCRun{PEs: 16, Loops: mncHeavy})
	return Holds(r >= 3.3, "none/auto %.3f", r)
}

func (m *mncMeter) unequal() Value {
	speedup := m.of(MNCRun{PEs: 64, Loops: mncHeavy, oddSlow: 400}).Speedup
	r := m.clocks(MNCRun{PEs: 128, Loops: mncHeavy, oddSlow: 400, Policy: mnc.Naive}) / m.clocks(MNCRun{
		PEs:   128,
		Loops: mncHeavy, oddSlow: 400,
	})
	return Holds(speedup >= 32 && r >= 1.5, "speed-up %.2f, naive/auto %.3f", speedup, r)
}

// mncEvent is the clock at which a PE becomes slow or dies.
const mncEvent = 5_000_000

func (m *mncMeter) slowed() Value {
	price := func(pe int) float64 {
		return m.clocks(MNCRun{
			PEs: 16, Loops: mncHeavy,
			event: mnc.SlowAt(mncEvent, pe, 1000),
		})/m.clocks(MNCRun{PEs: 16, Loops: mncHeavy}) - 1
	}
	inner, ends := price(5), price(0)
	return Holds(inner <= 0.07 && ends <= 0.07, "PE 5 %+.3f, PE 0 %+.3f", inner, ends)
}

func (m *mncMeter) deadPE() Value {
	e := mnc.DeadAt(mncEvent, 5)
	m.of(MNCRun{PEs: 16, Loops: mncHeavy, event: e})
	var stall *mnc.Stall
	if !errors.As(m.err, &stall) {
		return Holds(false, "the run ended")
	}
	m.err = nil // the run must fail
	for _, p := range stall.Held {
		if p.PE != e.PE {
			return Holds(false, "datum %d is in %s", p.ID, p)
		}
	}
	return Holds(len(stall.Held) >= 1 && len(stall.Held)+stall.Delivered == mncItems, "%d not delivered, %d delivered",
		len(stall.Held), stall.Delivered)
}

func (m *mncMeter) forms() Value {
	of := func(f mnc.Form) float64 {
		return m.clocks(MNCRun{PEs: 128, Loops: mncHeavy, form: f}) / m.clocks(MNCRun{PEs: 128, Loops: mncHeavy})
	}
	n, sum := of(mnc.FormN), of(mnc.FormS)
	return Holds(n >= 3 && math.Abs(sum-1) <= 0.05, "N/L %.3f, S/L %.3f", n, sum)
}

func (m *mncMeter) fullRun() Value {
	light, heavy := m.of(MNCRun{PEs: 128, Loops: mncLight, Items: 1_000_000}),
		m.of(MNCRun{PEs: 128, Loops: mncHeavy, Items: 1_000_000})
	return Holds(light.Delivered == 1_000_000 && heavy.Delivered == 1_000_000 && light.Clocks == 20_412_974 &&
		heavy.Clocks == 37_370_443,
		"light %d clocks, heavy %d", light.Clocks, heavy.Clocks)
}
