package machines

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"emsim/cluster/spmd"
	"emsim/internal/base/interrupt"
)

// SPMD is the answer of 'emsim spmd run'; lists are by processor.
type SPMD struct {
	Method      spmd.Method   `json:"method"`
	Topology    string        `json:"topology"`
	Readers     spmd.Topology `json:"readers"`
	Loaded      []int         `json:"loaded"`
	Seed        uint64        `json:"seed" doc:"of the phases and the jitter"`
	Seeds       int           `json:"seeds" doc:"runs in the mean"`
	Tasks       []float64     `json:"tasks"`
	EndS        []float64     `json:"end_s"`
	Given       []float64     `json:"given"`
	Received    []float64     `json:"received"`
	Transfers   float64       `json:"transfers" unit:"tasks" doc:"tasks that moved"`
	FinishS     float64       `json:"finish_s" unit:"s" doc:"when the last processor ended"`
	Requests    float64       `json:"requests" doc:"requests for tasks"`
	Refused     float64       `json:"refused" doc:"of these, answered with no tasks"`
	Messages    float64       `json:"messages" doc:"Powers, requests and answers"`
	Time        float64       `json:"time" unit:"s" doc:"when the last processor ended"`
	Efficiency  float64       `json:"efficiency" of:"" doc:"share of the processors' time that went into tasks"`
	Imbalance   float64       `json:"imbalance" doc:"of the time for tasks: the busiest processor over the mean"`
	WallSeconds float64       `json:"wall_seconds"`
}

var spmdModel = Model{
	Short: "Run the cluster once, or the mean of several seeds",
	Long: `run simulates workstations that tell each other how many tasks they have finished
lately (their Power). A processor that receives a Power smaller than its own
asks for one task (static) or for the difference between the Powers (proposed).

The topology says who reads whose Power. t-star explains the paper's tables; fano
and tree (with --processors) are also built in. Any other name is a file with a
line for each processor: its number, '>' and its readers. This is ring.txt:

  0 > 1
  1 > 2 3
  2 > 3
  3 > 0

--hosts reads speeds over time, numbers and sizes of tasks of your own:

  # what  processors  value  tasks, or from when on
  speed   0-2         1.5          # of a free processor
  speed   3           0.3    20s   # 0: it stands still
  tasks   0           250          # that it starts with
  size    0           2.5    0-49  # of the first 50 of them

With --ask-again a processor that runs out of tasks asks those whose Powers it
reads, in turn, until each has had none to give; in the paper it ends.

With --seeds N every number is the mean of N runs with the seeds from --seed up.
--events writes the events of the run as CSV, and --series the tasks and the work of
each processor over time, which 'emsim plot series' draws. Ctrl-C prints the mean
of the completed seeds, or the state of a single run so far.`,
	Example: "  emsim spmd run\n  emsim spmd run --method static --seeds 16 --json\n  emsim spmd run --topology ring.txt --loaded 1 --events log.csv\n  emsim spmd run --series load.csv --sample 500ms",
	Answer:  &SPMD{}, Time: "finish_s",
	Files: []FileKind{
		{"topology", "who reads whose Power: t-star, fano, tree or a file", textFile("a topology", 1<<22, "the numbers of all readers of 1000 processors"), []string{"topology", "processors"}, useTopology},
		{"hosts", "read speeds, numbers and sizes of tasks by processor from this `FILE`", textFile("a list of processors", 1<<24, "half a million lines"), nil, useSPMDHosts},
	},
	Sampling: Sampling{"sample", time.Second, []string{"s", "processor", "tasks", "doing", "busy_s"}},
	Events:   []string{"at_us", "processor", "event", "peer", "n"},
	run:      runSPMD,
	idles: func(config any) []Idle {
		s := config.(*spmd.Setup)
		c, err := s.Build()
		return []Idle{{[]string{"processors"}, err == nil && s.Processors != len(c.Topology), fmt.Sprintf("the topology %s has %d", s.Name, len(c.Topology))}}
	},
}

// Title says what ran.
func (x *SPMD) Title() string { return fmt.Sprintf("%s method, topology %s", x.Method, x.Topology) }

// Progress says how far a run is.
func (x *SPMD) Progress() (string, map[string]any) { return "in mid-run", nil }

// Lists are what each processor did.
func (x *SPMD) Lists() []List {
	l := List{Heads: []string{"processor", "load", "readers", "tasks", "given", "received", "end s"}}
	for i := range x.Tasks {
		load := "free"
		if slices.Contains(x.Loaded, i) {
			load = "loaded"
		}
		l.Rows = append(l.Rows, []any{fmt.Sprintf("P%d", i), load, strings.Trim(fmt.Sprint(x.Readers[i]), "[]"), x.Tasks[i], x.Given[i], x.Received[i], x.EndS[i]})
	}
	return []List{l}
}

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
func runSPMD(ctx context.Context, config any, w Watch) (Answer, error) {
	s := config.(*spmd.Setup)
	c, err := s.Build()
	if err != nil {
		return nil, err
	}
	seconds := func(us int64) float64 { return float64(us) / 1e6 }
	watch := spmd.Watch{EveryUS: w.Every / 1000}
	if w.Sample != nil {
		watch.Sample = func(at int64, processors []spmd.SampleOfProcessor) {
			for i, p := range processors {
				w.Sample(seconds(at), i, p.Tasks, p.Doing, seconds(p.BusyUS))
			}
		}
	}
	if w.Event != nil {
		watch.Event = func(e spmd.Event) {
			w.Event(e.AtUS, e.Processor, e.Kind.String(), numberOrNone(e.Peer), e.N)
		}
	}
	r, err := spmd.RunWatched(ctx, c, watch)
	if err != nil && !interrupt.Ended(err) {
		return nil, err
	}
	n := len(r.Tasks)
	x := &SPMD{
		Method: c.Method, Topology: s.Name, Readers: c.Topology, Loaded: c.Loaded, Seed: c.Seed, Seeds: 1,
		Tasks: make([]float64, n), EndS: make([]float64, n), Given: make([]float64, n), Received: make([]float64, n),
		Transfers: float64(r.Transfers()), FinishS: seconds(r.FinishUS()), Requests: float64(r.Requests), Refused: float64(r.Refused), Messages: float64(r.Messages),
		Time: seconds(r.FinishUS()), Efficiency: share(r.BusyUS, float64(r.FinishUS())), Imbalance: imbalance(r.BusyUS),
	}
	for i := range n {
		x.Tasks[i], x.EndS[i] = float64(r.Tasks[i]), seconds(r.EndUS[i])
		for j, v := range r.Moved[i] {
			x.Given[i] += float64(v)
			x.Received[j] += float64(v)
		}
	}
	return x, err
}
