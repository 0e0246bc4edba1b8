package machines

import (
	"context"
	"fmt"
	"strings"

	"emsim/balance"
	"emsim/internal/base/answer"
	"emsim/internal/base/knob"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/machinefile"
)

// GroundKind returns the common ground of the balancing policies as a kind of machine.
func GroundKind() machinefile.Kind {
	return machinefile.Kind{
		Name: "balance", A: "a common ground", Doc: "the common ground of the balancing policies",
		Command: "emsim balance run --machine", Default: "its default",
		New: func() *machinefile.Machine {
			s := DefaultGround()
			return &machinefile.Machine{
				Rows: knob.Bind(groundKnobs(), &s), Config: &s,
				Validate: func() error { _, err := s.Build(); return err },
			}
		},
	}
}

var groundModel = Model{
	Summary: "The load balancing policies of all five papers on common ground",
	Beside:  "policy=mnc-auto",
	Use:     "run", Short: "Run one policy on one workload",
	Long: `run makes one of the runs whose means 'emsim balance compare' prints: identical
workers, one network, one workload and one policy. The time of the run is compared
with the ideal time, in which the workers could do the work if sharing it out cost
nothing.

--policy and --workload take a name or a file in TOML, as 'emsim balance compare
--help' describes them. --arrivals reads jobs, of your own or of the Parallel
Workloads Archive (.swf), for the workload or, without one, as the workload.

Ctrl-C ends the run without an answer.`,
	Example: "  emsim balance run\n  emsim balance run --policy power --workload uneven --vs policy=stealing\n" +
		"  emsim balance run --policy my.toml --workload poisson --load 0.9 --seeds 8\n" +
		"  emsim balance run --events log.csv --workers 4",
	Time: "time", Ends: []string{"stalled", "no_value"},
	Files: []FileKind{
		{
			"arrivals", "read jobs, with their times and works, from this `FILE`",
			textFile("a list of jobs", 1<<26, "2^20 jobs are shorter"), nil, useArrivals,
		},
		{
			"policy", "the balancing policy: a name from 'emsim balance compare', or FILE.toml: a policy of your own",
			GroundFile,
			[]string{"policy"},
			usePolicy,
		},
		{
			"workload", "the workload: a name from 'emsim balance compare', or FILE.toml: a workload of your own",
			GroundFile,
			[]string{"workload"},
			useWorkload,
		},
	},
	Sampling: Sampling{"sample", int64(10_000)},
	Rows:     []Rows{Series("waiting", "running"), Events()},
	Terms:    Terms{"worker", "unit", "units", "unit", "units", false, "ticks", 1, false},
	Run:      runGround,
	Describe: func(x *answer.Answer) { describeGround(x, &GroundSetup{}, &balance.Setup{}, &balance.Result{}) },
	Idles: func(config any) []Idle {
		s := config.(*GroundSetup)
		policy, _ := s.policy()
		return []Idle{
			{[]string{"message", "unit", "probe", "latency", "hop", "hold"}, policy.Free, "a bound has no costs"},
		}
	},
}

// describeGround fills in the answer of a run.
func describeGround(x *answer.Answer, s *GroundSetup, w *balance.Setup, r *balance.Result) {
	x.Title, x.Machine = fmt.Sprintf("%s on %s", w.Policy.Name, w.Workload.Name),
		fmt.Sprintf("common ground, %s, grain %d", plural.Of(s.Workers, "worker"), s.Grain)
	x.Whole, x.Next = "the workers' time", answer.Next{
		Command: "emsim balance compare", Why: "all policies on all workloads",
	}
	x.Say("policy", w.Policy.Name)
	x.Say("workload", w.Workload.Name)
	x.Number("workers", s.Workers, "workers", "workers")
	x.Number("grain", s.Grain, "", "work of a unit over the CPU time of moving it")
	x.Number("seed", s.Seed, "", "of work, arrivals and policies")
	x.Number("units", r.Units, "units", "units that ran, in all rounds")
	x.Number("ticks", r.Time, "ticks", "until the last unit ended").
		Head("time", ", %.3f times the ideal time", float64(r.Time)/float64(max(1, r.Ideal)))
	x.Number("ideal", r.Ideal, "ticks", "time in which the workers could have done the work at best")
	x.Number("ratio", float64(r.Time)/float64(max(1, r.Ideal)), "", "time over the ideal time")
	x.Number("transfers", r.Moved, "units", "moves of units").
		Detail("units moved", "of %s", plural.Commas(uint64(r.Units)))
	x.Number("probes", r.Probes, "", "messages and peeks that only report or query load").
		Detail("probes", "messages and peeks that only report or query load")
	all := float64(float64(max(1, r.Time)) * float64(max(1, s.Workers)))
	ran, handled := float64(r.Ran)/all, float64(r.Handled)/all
	x.Share("running", ran, "share of the workers' time in which units ran").
		Head("work", "of the workers' time, in units").PartOf(answer.Work, "")
	x.Share("handling", handled, "share of the workers' time in which they handled messages and decided").
		PartOf("messages", "sending and receiving them, and decisions")
	x.Share("idle", 1-ran-handled, "share of the workers' time in which they had nothing to do").PartOf("idle",
		fmt.Sprintf("no unit to run, in %.0f %% of the time while units waited elsewhere", 100*r.Starved/(1-ran)))
	x.Share("overhead", float64(r.Overhead)/all,
		"CPU time of all messages, also after the end, as a share of the workers' time")
	x.Share("starved", r.Starved,
		"share of the workers' time in which one had no unit to run while units waited elsewhere")
	x.Number("deviation", r.Spread, "units", "of the backlogs, mean over time").
		Detail("units of deviation", "between the workers' backlogs, mean over time")
	x.Share("efficiency", float64(r.Ideal)/float64(max(1, r.Time)), "the ideal time over the time")
	x.Number("time", r.Time, "ticks", "until the last unit ended")
	x.Number("messages", r.Messages, "", "messages other than probes").Detail("messages", "other than probes")
	x.Number("imbalance", imbalance(counts(r.Done)), "", "of units: the worker that ran most over the mean").
		Detail("times the mean", "the units of the worker that ran most")
	response := func(key, doc string, value func() float64) {
		var works *float64
		if len(r.Response) > 0 {
			v := value() / float64(w.Workload.Work)
			works = &v
		}
		x.Number(key, works, "works", "from a unit's arrival to its end, in works of a unit: "+doc).
			Detail("works of response", "%s, from a unit's arrival to its end", doc)
	}
	response("response_mean", "mean", r.MeanResponse)
	for _, percent := range []int{50, 95, 99} {
		response(fmt.Sprintf("response_p%d", percent), fmt.Sprintf("not exceeded by %d %% of the units", percent),
			func() float64 { return float64(r.Percentile(percent)) })
	}
	left, why := 0, ""
	for _, o := range s.LeftOut {
		left += o.Jobs
		why += fmt.Sprintf(", %d: %s", o.Jobs, o.Why)
	}
	x.Number("left_out", left, "lines", "lines of the arrivals file that are not jobs"+why).
		Detail("lines left out", "%s", strings.TrimPrefix(why, ", "))
	x.Say("wall_seconds", 0.)
	l := answer.List{Heads: []string{"worker", "units", "last end"}}
	for i := range r.Done {
		l.Rows = append(l.Rows, []any{i, r.Done[i], r.End[i]})
	}
	x.Lists = []answer.List{l}
}

func counts(list []int) (all []int64) {
	for _, n := range list {
		all = append(all, int64(n))
	}
	return all
}

// runGround runs a *GroundSetup.
func runGround(ctx context.Context, config any, w *Watch) (*answer.Answer, error) {
	s := config.(*GroundSetup)
	world, err := s.Build()
	if err != nil {
		return nil, err
	}
	world.Record = w.Record
	if write := w.Rows["series"]; write != nil {
		world.Every, world.Watch = w.Every, func(at int64, loads []balance.Load) {
			for i, l := range loads {
				write(at, i, l.Backlog, l.Running)
			}
		}
	}
	total := int64(0)
	if progress := w.progress(func(now int64) string { return plural.Commas(uint64(now)) + " ticks" }); progress != nil {
		world.Progress = func(now int64, left int) {
			total = max(total, int64(left))
			progress(now, total-int64(left), total)
		}
	}
	r, err := balance.Run(ctx, world)
	if err == nil && r.NA != "" {
		err = &simerr.Fault{
			Machine: "balance", Name: "no_value", Err: fmt.Errorf("%s has no value here: %s", world.Policy.Name, r.NA),
		}
	}
	if err != nil {
		return nil, err
	}
	x := &answer.Answer{}
	describeGround(x, s, &world, r)
	return x, nil
}

func useArrivals(config any, f File) (err error) {
	s := config.(*GroundSetup)
	if balance.IsSWF(f.Name, f.Text) {
		s.Jobs, s.LeftOut, err = balance.ParseSWF(f.Name, f.Text, s.Parallel)
	} else {
		s.Jobs, err = balance.ParseTrace(f.Name, f.Text)
	}
	if err == nil {
		w := WorkloadOf("arrivals", f.Name, s.Jobs)
		s.OwnWork = &w
	}
	return err
}

func usePolicy(config any, f File) error {
	rule, err := ReadPolicy(f.Name, f.Text)
	own := rule.Policy()
	config.(*GroundSetup).Own = &own
	return err
}

func useWorkload(config any, f File) error {
	s := config.(*GroundSetup)
	w, err := ReadWorkload(f.Name, f.Text, s.Jobs)
	s.OwnWork = &w
	return err
}
