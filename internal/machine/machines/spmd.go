package machines

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"emsim/cluster/spmd"
	"emsim/internal/base/answer"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/plural"
)

var spmdModel = Model{
	Summary: "A workstation cluster that balances its load by messages about Power",
	Next:    answer.Next{Command: "ask held", Why: "what held the slowest processor"},
	Beside:  "policy=none",
	Use:     "run", Short: "Run the cluster once, or the mean of several seeds",
	Long: `run simulates workstations that tell each other how many tasks they have finished
lately (their Power). A processor that receives a Power smaller than its own
requests one task (static) or the difference between the Powers (proposed).

The topology says which processor reads whose Power. t-star explains the paper's tables; fano
has seven processors, too, and tree, ring, line, star, grid, cube, plane and all
as many as --processors says. Any other name is a file with a line for each
processor: its number, '>' and its readers. This is ring.txt:

  0 > 1
  1 > 2 3
  2 > 3
  3 > 0

--loaded-share is the load of the loaded processors, about 65 % in the paper, from which
the time of their tasks follows; without it --task-loaded sets that time; its default,
a load of 69.6 %, was fitted to the paper's tables.

--hosts reads speeds over time, numbers and sizes of tasks of your own:

  # what  processors  value  tasks, or from when on
  speed   0-2         1.5          # of a free processor
  speed   3           0.3    20s   # 0: it stands still
  tasks   0           250          # that it starts with
  size    0           2.5    0-49  # of the first 50 of them

With --request-again a processor that runs out of tasks requests some from those
whose Powers it reads, in turn, until each has had none to give; in the paper it
ends.

With --seeds N every number is the mean of N runs with the seeds from --seed up.
--events writes the events of the run as CSV, and --series the tasks and the work of
each processor over time, which 'emsim plot series' draws. Ctrl-C prints the mean
of the completed seeds, or the state of a single run so far.` + resumes,
	Example: "  emsim spmd run\n  emsim spmd run --seeds 16 --policy static --vs policy=proposed\n  emsim spmd run " +
		"--loaded-share 65 --topology grid --processors 36 --loaded 0,7,14\n  emsim spmd run --policy static --seeds " +
		"16 --json\n  emsim spmd run --topology ring.txt --loaded 1 --events log.csv\n  emsim spmd run --series " +
		"load.csv --sample 500ms",
	Saved: true, Time: "finish_s",
	Files: []FileKind{
		{
			"topology", "which processor reads whose Power: " + strings.Join(spmd.Names(), ", ") + " or a file",
			textFile("a topology",
				1<<22, "the numbers of all readers of 1000 processors"),
			[]string{"topology", "processors"},
			useTopology,
		},
		{
			"hosts", "read speeds, numbers and sizes of tasks by processor from this `FILE`",
			textFile("a list of processors", 1<<24, "half a million lines"), nil, useSPMDHosts,
		},
	},
	Sampling: Sampling{"sample", time.Second},
	Rows:     []Rows{Series("tasks", "doing", "busy_s"), Events()},
	Terms:    Terms{"processor", "task", "tasks", "task", "Power", true, "s", 1_000_000, false},
	Run:      runSPMD,
	Describe: func(x *answer.Answer) { describeSPMD(x, "", &spmd.Config{}, &spmd.Result{}) },
	Idles: func(config any) []Idle {
		s := config.(*spmd.Setup)
		c, err := s.Build()
		return []Idle{
			{
				[]string{"processors"},
				err == nil && s.Processors != len(c.Topology),
				fmt.Sprintf("the topology %s has %d", s.Name, len(c.Topology)),
			},
			{[]string{"latency"}, s.Policy == spmd.None, "no processor requests tasks"},
			{[]string{"task_loaded"}, s.LoadPPM > 0, "it follows from --loaded-share"},
		}
	},
}

// describeSPMD fills in the answer of a run; its lists are by processor.
func describeSPMD(x *answer.Answer, topology string, c *spmd.Config, r *spmd.Result) {
	n := len(r.Tasks)
	tasks, ends, given, received := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		tasks[i], ends[i] = float64(r.Tasks[i]), spmdSeconds(r.EndUS[i])
		for j, v := range r.Moved[i] {
			given[i] += float64(v)
			received[j] += float64(v)
		}
	}
	l := answer.List{Heads: []string{"processor", "load", "readers", "tasks", "given", "received", "end s"}}
	for i := range n {
		load := map[bool]string{true: "loaded", false: "free"}[slices.Contains(c.Loaded, i)]
		l.Rows = append(l.Rows, []any{
			fmt.Sprintf("P%d", i), load, strings.Trim(fmt.Sprint(c.Topology[i]), "[]"),
			tasks[i], given[i], received[i], ends[i],
		})
	}
	x.Title, x.Lists = plural.Of(len(r.RanOn), "task"), []answer.List{l}
	x.Machine, x.Whole = fmt.Sprintf("%s, %v, %s", plural.Of(n, "workstation"), c.Policy, topology),
		"the processors' time"
	ran, last := int64(0), ""
	if n > 0 {
		last = fmt.Sprintf("P%d", slices.Index(r.EndUS, slices.Max(r.EndUS)))
	}
	for _, n := range r.Tasks {
		ran += int64(n)
	}
	finish := spmdSeconds(r.FinishUS())
	x.Far = answer.Far{Done: ran, Total: int64(len(r.RanOn))}
	x.SoFar = fmt.Sprintf("after %.3f s of the cluster's time, with %d of %s done", finish, ran,
		plural.Of(len(r.RanOn), "task"))
	x.Say("method", c.Policy)
	x.Say("topology", topology)
	x.Say("readers", c.Topology)
	x.Say("loaded", c.Loaded)
	x.Number("seed", c.Seed, "", "of the phases and the jitter")
	x.Number("seeds", 1, "", "runs in the mean")
	x.Say("tasks", tasks)
	x.Say("end_s", ends)
	x.Say("given", given)
	x.Say("received", received)
	work := share(r.BusyUS, float64(r.FinishUS()))
	x.Number("transfers", r.Transfers(), "tasks", "tasks that moved").Detail("tasks moved",
		"by %s; %d of them got none", plural.Of(r.Requests, "request"), r.Refused)
	x.Number("finish_s", finish, "s", "when the last processor ended").Head("time",
		"until the last processor ended: %s", last)
	x.Number("requests", r.Requests, "", "requests for tasks")
	x.Number("refused", r.Refused, "", "of these, answered with no tasks")
	x.Number("messages", r.Messages, "", "Powers, requests and answers").Detail("messages",
		"Powers, requests and answers")
	x.Number("time", finish, "s", "when the last processor ended")
	x.Share("efficiency", work, "share of the processors' time that went into tasks").Head("work",
		"of the processors' time").PartOf(answer.Work, "")
	x.Number("imbalance", imbalance(r.BusyUS), "",
		"of the time for tasks: the busiest processor over the mean").Detail("times the mean",
		"the work of the busiest processor")
	x.Share("waiting", 1-work, "share of the processors' time in which they had no task").PartOf("waiting",
		fmt.Sprintf("each waited %.1f s, on average, for %s", (1-work)*finish, last))
	x.Say("wall_seconds", 0.)
}

func spmdSeconds(us int64) float64 { return float64(us) / 1e6 }

func useTopology(config any, f File) (err error) {
	s := config.(*spmd.Setup)
	s.Name = f.Name
	s.Topology, err = spmd.ParseTopology(f.Name, f.Text)
	return err
}

func useSPMDHosts(config any, f File) error {
	s := config.(*spmd.Setup)
	base, err := s.Build()
	if err == nil {
		s.Hosts, err = spmd.ParseHosts(f.Name, f.Text, &base)
	}
	return err
}

// runSPMD runs a *spmd.Setup.
func runSPMD(ctx context.Context, config any, w *Watch) (*answer.Answer, error) {
	s := config.(*spmd.Setup)
	c, err := s.Build()
	if err != nil {
		return nil, err
	}
	watch := spmd.Watch{
		EveryUS: w.Every / 1000, Record: w.Record, Snapshots: w.Snapshots,
		Progress: w.progress(func(at int64) string {
			return fmt.Sprintf("%.3f s of the cluster's time", spmdSeconds(at))
		}),
	}
	if sample := w.Rows["series"]; sample != nil {
		watch.Sample = func(at int64, processors []spmd.SampleOfProcessor) {
			for i, p := range processors {
				sample(spmdSeconds(at), i, p.Tasks, p.Doing, spmdSeconds(p.BusyUS))
			}
		}
	}
	r, err := spmd.RunWatched(ctx, c, watch)
	if err != nil && !interrupt.Ended(err) {
		return nil, err
	}
	x := &answer.Answer{}
	describeSPMD(x, s.Name, &c, r)
	return x, err
}
