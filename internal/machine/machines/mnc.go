package machines

import (
	"context"
	"fmt"
	"math"
	"strings"

	"emsim/internal/base/answer"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/ordered"
	"emsim/internal/base/plural"
	"emsim/mnc"
)

var mncModel = Model{
	Summary: "The MNC computer: PEs, quad-port RAM boards, autonomous load balancing",
	About: `mnc models the MNC computer of paper 000: PEs (there up to 128, here 1024) that
communicate through quad-port RAM boards (QPRs) and balance their load by what
they see there. 'emsim docs MNC' says what comes from the paper and what is
chosen.`,
	Next:   answer.Next{Command: "run --vs policy=naive", Why: "what the balancing is worth"},
	Beside: "policy=naive",
	Use:    "run", Short: "Send data through the machine and print clocks, transfers and efficiency",
	Long: `run feeds data X into the source QPR until every result Y has come out of the
sink QPR. Speeds of PEs may differ (--slow) and change during the run
(--slow-at). A PE may die (--dead-at); the run then stalls and lists the lost
data. Ctrl-C prints the statistics so far.

--work reads data of your own, a line for each group of equal ones: clock, place
of birth (source, or the PE in whose memory they appear), loops of each, number.

  # clock  place   loops  data
  0        source  100    5000
  20000    3       1000   25
  20000    source  400` + resumes,
	Example: `  emsim mnc run --pes 16 --items 2000 --loops 100 --policy auto --json
  emsim mnc run --pes 64 --loops 1000 --slow odd=400
  emsim mnc run --items 100000 --loops 1000 --dead-at 5000000:5
  emsim mnc run --incidence my.mnc --series held.csv --sample 1000
  emsim mnc run --work data.txt --each`,
	Saved: true, Time: "clocks", Ends: []string{"stalled"},
	Files: []FileKind{
		{
			"incidence", "read the wiring from this `FILE`, in the form that 'emsim mnc topology' prints",
			textFile("a wiring", 1<<19, "500 bytes for each of 1024 PEs"),
			[]string{"topology", "pes"},
			useIncidence,
		},
		{
			"work", "read the data, with their clocks, places of birth and loops, from this `FILE`",
			textFile("a list of data", 1<<26, "a million lines"),
			[]string{"items", "loops"},
			useWork,
		},
	},
	Sampling: Sampling{"sample", int64(10_000)},
	Rows:     []Rows{Series("x", "y", "action"), Events()},
	Switches: []Switch{
		{"each", "also print the counts of each PE", true},
		{
			"every-clock", "step through every clock instead of skipping those without an event (same result, slower)",
			false,
		},
	},
	Terms:    Terms{"PE", "datum", "data", "X", "X", false, "clocks", 1, false},
	Recorded: " --items 1000",
	Idles: func(config any) []Idle {
		s := config.(*mnc.Setup)
		unbound := s.Restraint == mnc.Unbound || s.Restraint == mnc.ByPolicy && s.Policy == mnc.Naive
		return []Idle{
			{
				[]string{"t_pa", "g_pa", "pa_min", "pa_max", "cost_pa"},
				s.Policy == mnc.Naive,
				"under the policy naive every ability is 1",
			},
			{[]string{"keep_clk"}, unbound, "no PE keeps work back; add --restraint on"},
		}
	},
	Run:      runMNC,
	Describe: func(x *answer.Answer) { describeMNC(x, &mnc.Config{}, &mnc.Stats{}, false) },
}

// describeMNC fills in the answer of a run.
func describeMNC(x *answer.Answer, c *mnc.Config, s *mnc.Stats, perPE bool) {
	proc, messages := make([]int64, len(s.PE)), int64(0)
	for i, p := range s.PE {
		proc[i] = p.Proc
		messages += p.Actions[mnc.XPut] + p.Actions[mnc.YPut]
	}
	x.Title = plural.Commas(uint64(c.Items)) + " data of "
	if c.Work == nil {
		x.Title += fmt.Sprintf("%d loops", c.Loops)
	} else {
		x.Title += fmt.Sprintf("up to %d loops, %.1f in the mean", c.Loops, c.MeanLoops())
	}
	x.Machine = fmt.Sprintf("%s, %d PEs, policy %s, form %s", c.Wiring.Name, c.Wiring.PEs, c.Policy, c.Form)
	x.Whole = "the PEs' time"
	if c.Wiring.Name == "mnc" {
		x.Machine = "MNC" + strings.TrimPrefix(x.Machine, "mnc")
	}
	x.SoFar = fmt.Sprintf("after %d clocks, with %d of %d results at the sink", s.Clocks, s.Delivered, c.Items)
	x.Keys = map[string]any{"clock": s.Clocks, "delivered": s.Delivered}
	x.Far = answer.Far{Done: int64(s.Delivered), Total: int64(c.Items)}
	x.Say("topology", c.Wiring.Name)
	x.Number("pes", c.Wiring.PEs, "PEs", "processing elements")
	x.Number("items", c.Items, "data", "data X to process")
	x.Number("loops", c.Loops, "iterations", "iterations of f() for each datum")
	x.Say("policy", c.Policy)
	x.Say("form", c.Form)
	x.Number("clocks", s.Clocks, "clocks", "until the last Y is at the sink").Head("time", "")
	x.Number("transfers", s.Transfers, "data", "data that left QPRs").
		Detail("data moved", "%.1f times each", float64(s.Transfers)/float64(max(1, s.Delivered)))
	x.Share("efficiency", s.Efficiency, "share of the PEs' clocks that f() took").
		Head("work", "of the PEs' time in f(); %.2f times as fast as one PE without transfers", s.Speedup)
	x.Number("speedup", s.Speedup, "", "against one PE that need not transfer")
	x.Number("used_pes", s.UsedPEs, "PEs", "how many PEs carried the load").
		Detail("PEs carried the load", "the busiest %.2f times the mean", imbalance(proc))
	x.Number("proc_clocks", s.Proc, "clocks", "of all PEs, in f()", "pes", "clocks").
		PartOf(answer.Work, "").Called("in f()")
	x.Number("transfer_clocks", s.Transfer, "clocks", "of all PEs, moving data", "pes", "clocks").
		PartOf("transfers", "moving data").Called("moving data")
	x.Number("overhead_clocks", s.Overhead, "clocks", "of all PEs, sensing and planning", "pes", "clocks").
		PartOf("sensing", "sensing the neighbours and planning").Called("sensing, planning")
	x.Number("idle_clocks", s.Idle, "clocks", "of all PEs, with nothing to do", "pes", "clocks").
		PartOf("idle", "nothing to do").Called("idle")
	x.Number("busy", s.Busy, "", "reads of a QPR that were refused because of a write").
		Detail("reads refused", "because a QPR was being written")
	x.Number("pa_low", s.AbilityLow, "", "least PA of the run; 1 is the ability of the PE itself").
		Detail("least PA", "ability of a neighbour, as a PE estimates it; 1 is its own")
	x.Number("pa_high", s.AbilityHigh, "", "greatest PA of the run").Detail("greatest PA", "")
	x.Number("time", float64(s.Clocks), "clocks", "of the run")
	x.Number("messages", messages, "", "actions that put data into a QPR").
		Detail("messages", "actions that put data into a QPR")
	x.Number("imbalance", imbalance(proc), "", "of f(): the busiest PE over the mean")
	if perPE {
		list, lines := describePEs(c, s)
		x.Say("per_pe", list)
		x.Lists = []answer.List{lines}
	}
	x.Say("wall_seconds", 0.)
	if c.Work != nil {
		x.Say("loops_mean", c.MeanLoops())
	}
}

// describePEs returns the numbers of every PE, as objects and as a table.
func describePEs(c *mnc.Config, s *mnc.Stats) (list []ordered.Object, lines answer.List) {
	lines = answer.List{Heads: []string{
		"PE", "name", "processed", "XPUT", "XGET", "YPUT", "YGET", "to host", "BUSY", "f()", "transfer", "overhead",
		"idle",
	}}
	part := func(clocks int64) answer.Percent { return answer.Percent(float64(clocks) / float64(max(1, s.Clocks))) }
	for i, p := range s.PE {
		name, moved := c.Wiring.PEName(i), &p.Moved
		x, y := []int64{moved[mnc.XPut], moved[mnc.XGet]}, []int64{moved[mnc.YPut], moved[mnc.YGet]}
		list = append(list, ordered.Object{
			"pe", i, "name", name, "processed", p.Processed, "xput", x[0], "xget", x[1], "yput", y[0], "yget", y[1],
			"to_host", p.ToHost, "busy", p.Busy,
			"proc_clocks", p.Proc, "transfer_clocks", p.Transfer, "overhead_clocks", p.Overhead, "idle_clocks", p.Idle,
		})
		lines.Rows = append(lines.Rows, []any{
			i, name, p.Processed, x[0], x[1], y[0], y[1], p.ToHost, p.Busy, part(p.Proc), part(p.Transfer),
			part(p.Overhead), part(p.Idle),
		})
	}
	return list, lines
}

// runMNC runs a *mnc.Setup.
func runMNC(ctx context.Context, config any, w *Watch) (*answer.Answer, error) {
	c, err := config.(*mnc.Setup).Build()
	if err != nil {
		return nil, err
	}
	m, err := mnc.New(c)
	if err != nil {
		return nil, err
	}
	if w.Record != nil {
		m.Record(w.Record)
	}
	if err := w.Snapshots.Restore(m.State); err != nil {
		return nil, err
	}
	if w.Progress != nil {
		m.Progress = func() {
			w.Progress(func() answer.Far {
				s := m.Stats()
				return answer.Far{
					Done: int64(s.Delivered), Total: int64(c.Items),
					Text: fmt.Sprintf("%s clocks, %s of %s results", plural.Commas(uint64(m.Clock())),
						plural.Commas(uint64(s.Delivered)), plural.Commas(uint64(c.Items))),
				}
			})
		}
	}
	err = advanceMNC(ctx, m, c.Wiring.PEs, w)
	if err != nil && !interrupt.Ended(err) {
		return nil, err
	}
	x, s := &answer.Answer{}, m.Stats()
	describeMNC(x, &c, &s, w.On["each"])
	return x, err
}

// advanceMNC runs a machine to its end, and takes the samples and snapshots of a watch.
func advanceMNC(ctx context.Context, m *mnc.Machine, pes int, w *Watch) error {
	sample, next := w.Rows["series"], w.Snapshots.FirstSample(w.Every)
	if sample == nil {
		next = math.MaxInt64
	}
	for {
		err := stepMNC(ctx, m, min(next, w.Snapshots.Next()), w.On["every-clock"])
		over := err != nil || m.Done()
		switch {
		case !over:
			w.Snapshots.Reach(m.Clock(), m.State)
		case interrupt.Ended(err):
			w.Snapshots.Stopped(max(0, m.Clock()-1), m.State)
		}
		for pe := range pes {
			if sample == nil || !over && m.Clock() <= next {
				break
			}
			h := m.Held(pe)
			what := h.Action.String()
			if h.Dead {
				what = "dead"
			}
			sample(max(0, m.Clock()-1), pe, h.X, h.Y, what)
		}
		if over {
			return err
		}
		if m.Clock() > next {
			next += w.Every
		}
	}
}

// stepMNC runs a machine through clock last, or to its end.
func stepMNC(ctx context.Context, m *mnc.Machine, last int64, step bool) error {
	if !step {
		return m.RunTo(ctx, last)
	}
	for m.Clock() <= last && !m.Done() {
		if m.Clock()%(1<<12) == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if m.Progress != nil {
				m.Progress()
			}
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
