package machines

import (
	"context"
	"fmt"
	"math"

	"emsim/internal/base/interrupt"
	"emsim/mnc"
)

// MNC is the answer of 'emsim mnc run'.
type MNC struct {
	Topology       string     `json:"topology"`
	PEs            int        `json:"pes" unit:"PEs" doc:"processing elements"`
	Items          int        `json:"items" unit:"data" doc:"data X to process"`
	Loops          int        `json:"loops" unit:"iterations" doc:"iterations of f() for each datum"`
	Policy         mnc.Policy `json:"policy"`
	Form           mnc.Form   `json:"form"`
	Clocks         int64      `json:"clocks" unit:"clocks" doc:"until the last Y is at the sink"`
	Transfers      int64      `json:"transfers" unit:"data" doc:"data that left QPRs"`
	Efficiency     float64    `json:"efficiency" of:"" doc:"share of the PEs' clocks that f() took"`
	Speedup        float64    `json:"speedup" doc:"against one PE that need not transfer"`
	UsedPEs        float64    `json:"used_pes" unit:"PEs" doc:"how many PEs carried the load"`
	ProcClocks     int64      `json:"proc_clocks" unit:"clocks" of:"pes,clocks" doc:"of all PEs, in f()"`
	TransferClocks int64      `json:"transfer_clocks" unit:"clocks" of:"pes,clocks" doc:"of all PEs, moving data"`
	OverheadClocks int64      `json:"overhead_clocks" unit:"clocks" of:"pes,clocks" doc:"of all PEs, sensing and planning"`
	IdleClocks     int64      `json:"idle_clocks" unit:"clocks" of:"pes,clocks" doc:"of all PEs, with nothing to do"`
	Busy           int64      `json:"busy" doc:"reads of a QPR that were refused because of a write"`
	AbilityLow     float64    `json:"pa_low" doc:"least PA of the run; 1 is the ability of the PE itself"`
	AbilityHigh    float64    `json:"pa_high" doc:"greatest PA of the run"`
	Time           float64    `json:"time" unit:"clocks" doc:"of the run"`
	Messages       int64      `json:"messages" doc:"actions that put data into a QPR"`
	Imbalance      float64    `json:"imbalance" doc:"of f(): the busiest PE over the mean"`
	PerPE          []MNCPE    `json:"per_pe,omitempty"`
	WallSeconds    float64    `json:"wall_seconds"`
	LoopsMean      *float64   `json:"loops_mean,omitempty"` // of data with different loops, whose most are Loops

	delivered int
}

// MNCPE is one PE of the answer with --per-pe.
type MNCPE struct {
	PE             int    `json:"pe"`
	Name           string `json:"name"`
	Processed      int64  `json:"processed"`
	XPut           int64  `json:"xput"`
	XGet           int64  `json:"xget"`
	YPut           int64  `json:"yput"`
	YGet           int64  `json:"yget"`
	ToHost         int64  `json:"to_host"`
	Busy           int64  `json:"busy"`
	ProcClocks     int64  `json:"proc_clocks"`
	TransferClocks int64  `json:"transfer_clocks"`
	OverheadClocks int64  `json:"overhead_clocks"`
	IdleClocks     int64  `json:"idle_clocks"`
}

var mncModel = Model{
	Short: "Send data through the machine and print clocks, transfers and efficiency",
	Long: `run feeds data X into the source QPR until every result Y has come out of the
sink QPR. Speeds of PEs may differ (--slow) and change during the run
(--slow-at). A PE may die (--dead-at); the run then stalls and lists the lost
data. Ctrl-C prints the statistics so far.

--work reads data of your own, a line for each group of equal ones: clock, place
of birth (source, or the PE in whose memory they appear), loops of each, number.

  # clock  place   loops  data
  0        source  100    5000
  20000    3       1000   25
  20000    source  400`,
	Example: `  emsim mnc run --pes 16 --items 2000 --loops 100 --policy auto --json
  emsim mnc run --pes 64 --loops 1000 --slow odd=400
  emsim mnc run --items 100000 --loops 1000 --dead-at 5000000:5
  emsim mnc run --incidence my.mnc --series held.csv --every 1000
  emsim mnc run --work data.txt --per-pe`,
	Answer: &MNC{}, Time: "clocks", Ends: []string{"stalled"},
	Files: []FileKind{
		{"incidence", "read the wiring from this `FILE`, in the form that 'emsim mnc topology' prints", textFile("a wiring", 1<<19, "500 bytes for each of 1024 PEs"), []string{"topology", "pes"}, useIncidence},
		{"work", "read the data, with their clocks, places of birth and loops, from this `FILE`", textFile("a list of data", 1<<26, "a million lines"), []string{"items", "loops"}, useWork},
	},
	Sampling: Sampling{"every", int64(10_000), []string{"clock", "pe", "x", "y", "action"}},
	Events:   []string{"clock", "pe", "action", "data", "began", "planned"},
	ListFlag: [2]string{"per-pe", "also print the counts of each PE"},
	Steps:    true,
	run:      runMNC,
}

// Title says what ran.
func (x *MNC) Title() string {
	work := fmt.Sprintf("%d data of %d loops", x.Items, x.Loops)
	if x.LoopsMean != nil {
		work = fmt.Sprintf("%d data of up to %d loops, %.1f in the mean", x.Items, x.Loops, *x.LoopsMean)
	}
	return fmt.Sprintf("%s, %d PEs, policy %s, form %s: %s", x.Topology, x.PEs, x.Policy, x.Form, work)
}

// Progress says how far a run is.
func (x *MNC) Progress() (string, map[string]any) {
	return fmt.Sprintf("after %d clocks, with %d of %d results at the sink", x.Clocks, x.delivered, x.Items), map[string]any{"clock": x.Clocks, "delivered": x.delivered}
}

// Lists are the counts of each PE.
func (x *MNC) Lists() []List {
	l := List{Heads: []string{"PE", "name", "processed", "XPUT", "XGET", "YPUT", "YGET", "to host", "BUSY", "f()", "transfer", "overhead", "idle"}}
	for _, p := range x.PerPE {
		of := func(clocks int64) Percent { return Percent(float64(clocks) / float64(max(1, x.Clocks))) }
		l.Rows = append(l.Rows, []any{p.PE, p.Name, p.Processed, p.XPut, p.XGet, p.YPut, p.YGet, p.ToHost, p.Busy, of(p.ProcClocks), of(p.TransferClocks), of(p.OverheadClocks), of(p.IdleClocks)})
	}
	return []List{l}
}

// newMNC makes the answer of a run.
func newMNC(c *mnc.Config, s *mnc.Stats, perPE bool) *MNC {
	r := &MNC{
		Topology: c.Wiring.Name, PEs: c.Wiring.PEs, Items: c.Items, Loops: c.Loops, Policy: c.Policy, Form: c.Form,
		Clocks: s.Clocks, Transfers: s.Transfers, Efficiency: s.Efficiency, Speedup: s.Speedup, UsedPEs: s.UsedPEs,
		ProcClocks: s.Proc, TransferClocks: s.Transfer, OverheadClocks: s.Overhead, IdleClocks: s.Idle, Busy: s.Busy,
		AbilityLow: s.AbilityLow, AbilityHigh: s.AbilityHigh, Time: float64(s.Clocks), delivered: s.Delivered,
	}
	if c.Work != nil {
		mean := c.MeanLoops()
		r.LoopsMean = &mean
	}
	proc := make([]int64, len(s.PE))
	for i, p := range s.PE {
		proc[i] = p.Proc
		r.Messages += p.Actions[mnc.XPut] + p.Actions[mnc.YPut]
		if perPE {
			r.PerPE = append(r.PerPE, MNCPE{
				PE: i, Name: c.Wiring.PEName(i), Processed: p.Processed,
				XPut: p.Moved[mnc.XPut], XGet: p.Moved[mnc.XGet], YPut: p.Moved[mnc.YPut], YGet: p.Moved[mnc.YGet],
				ToHost: p.ToHost, Busy: p.Busy,
				ProcClocks: p.Proc, TransferClocks: p.Transfer, OverheadClocks: p.Overhead, IdleClocks: p.Idle,
			})
		}
	}
	r.Imbalance = imbalance(proc)
	return r
}

// runMNC runs a *mnc.Setup.
func runMNC(ctx context.Context, config any, w Watch) (Answer, error) {
	c, err := config.(*mnc.Setup).Build()
	if err != nil {
		return nil, err
	}
	m, err := mnc.New(c)
	if err != nil {
		return nil, err
	}
	if w.Event != nil {
		m.Watch(func(d mnc.Done) { w.Event(d.Clock, d.PE, d.Action.String(), d.Data, d.Began, d.Planned) })
	}
	err = advanceMNC(ctx, m, c.Wiring.PEs, w)
	if err != nil && !interrupt.Ended(err) {
		return nil, err
	}
	s := m.Stats()
	return newMNC(&c, &s, w.Lists), err
}

// advanceMNC runs a machine to its end, with the samples of a watch.
func advanceMNC(ctx context.Context, m *mnc.Machine, pes int, w Watch) error {
	if w.Sample == nil {
		return stepMNC(ctx, m, math.MaxInt64, w.Step)
	}
	for at := int64(0); ; at += w.Every {
		err := stepMNC(ctx, m, at, w.Step)
		for pe := range pes {
			h := m.Held(pe)
			what := h.Action.String()
			if h.Dead {
				what = "dead"
			}
			w.Sample(max(0, m.Clock()-1), pe, h.X, h.Y, what)
		}
		if err != nil || m.Done() {
			return err
		}
	}
}

// stepMNC moves a machine through clock last, or to its end.
func stepMNC(ctx context.Context, m *mnc.Machine, last int64, step bool) error {
	if !step {
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

func useIncidence(config any, f File) (err error) {
	s := config.(*mnc.Setup)
	s.Wiring, err = mnc.ParseIncidence(f.Name, f.Text)
	s.Topology, s.PEs = f.Name, s.Wiring.PEs
	return err
}

func useWork(config any, f File) error {
	s := config.(*mnc.Setup)
	list, err := mnc.ParseWork(f.Name, f.Text, s.PEs)
	s.SetWork(list)
	return err
}
