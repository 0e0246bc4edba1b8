package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"emsim/cluster/spmd"
	"emsim/internal/input"
	"emsim/internal/interrupt"
	"emsim/internal/wholefile"
)

func newSPMDCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "spmd",
		Short: "Workstation cluster that balances by messages about Power",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSPMDRunCmd(a))
	return cmd
}

// spmdFlags are the values of the flags of spmd run.
type spmdFlags struct {
	method, topology, send, loaded, events string
	processors, tasks, seeds               int
	seed                                   uint64
	free, loadedTime, interval, latency    time.Duration
	jitter                                 float64
}

func newSPMDRunCmd(a *app) *cobra.Command {
	f := &spmdFlags{}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the cluster once, or the mean of several seeds",
		Long: `run simulates workstations that tell each other how many tasks they finished
lately (their Power). A processor that receives a Power smaller than its own
asks for one task (static) or for the difference of the Powers (proposed).

The topology says who reads whose Power: t-star explains the paper's tables,
fano and tree (of --processors) are others, and anything else is a file with a
line for each processor, its number, '>' and its readers:

  0 > 2
  1 > 0 4 5
  2 >

With --seeds N every number is the mean of N runs, seeds --seed upwards.
--events writes the events of the run as CSV. Ctrl-C prints the mean of the
completed seeds, or the state of a single run so far.`,
		Example: "  emsim spmd run\n  emsim spmd run --method static --seeds 16 --json\n  emsim spmd run --topology ring.txt --loaded 1 --events log.csv",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.spmdRun(cmd, f) },
	}
	p := spmd.Paper(spmd.Proposed)
	micro := func(us int64) time.Duration { return time.Duration(us) * time.Microsecond }
	fl := cmd.Flags()
	fl.StringVar(&f.method, "method", string(p.Method), "none, static or proposed")
	fl.StringVar(&f.topology, "topology", "t-star", "t-star, fano, tree or a file")
	fl.IntVar(&f.processors, "processors", 7, "number of processors of a tree; the other topologies bring their own")
	fl.IntVar(&f.tasks, "tasks", p.Tasks, "tasks that each processor starts with")
	fl.StringVar(&f.loaded, "loaded", "1,3,6", "processors that run other work as well, or none")
	fl.DurationVar(&f.free, "task-free", micro(p.FreeUS), "time of a task on a free processor")
	fl.DurationVar(&f.loadedTime, "task-loaded", micro(p.LoadedUS), "time of a task on a loaded processor")
	fl.Float64Var(&f.jitter, "jitter", float64(p.JitterPPM)/1e6, "share by which a task's time varies to both sides")
	fl.DurationVar(&f.interval, "interval", micro(p.IntervalUS), "interval at whose end a processor sends its Power")
	fl.DurationVar(&f.latency, "latency", micro(p.LatencyUS), "time that a message is under way")
	fl.StringVar(&f.send, "send", string(p.Send), "who gets a Power: in-turn (one reader an interval) or broadcast (all)")
	fl.Uint64Var(&f.seed, "seed", p.Seed, "seed of the phases and the jitter")
	fl.IntVar(&f.seeds, "seeds", 1, "number of runs to average, seeds --seed upwards")
	fl.StringVar(&f.events, "events", "", "write the events of the run to this CSV file")
	return cmd
}

// spmdAnswer is the JSON of spmd run; lists are by processor.
type spmdAnswer struct {
	Method      spmd.Method   `json:"method"`
	Topology    string        `json:"topology"`
	Readers     spmd.Topology `json:"readers"`
	Loaded      []int         `json:"loaded"`
	Seed        uint64        `json:"seed"`
	Seeds       int           `json:"seeds"`
	Tasks       []float64     `json:"tasks"`
	EndS        []float64     `json:"end_s"`
	Given       []float64     `json:"given"`
	Received    []float64     `json:"received"`
	Transfers   float64       `json:"transfers"`
	FinishS     float64       `json:"finish_s"`
	Requests    float64       `json:"requests"`
	Refused     float64       `json:"refused"`
	Messages    float64       `json:"messages"`
	WallSeconds float64       `json:"wall_seconds"`
}

func (a *app) spmdRun(cmd *cobra.Command, f *spmdFlags) error {
	c, err := f.config(cmd.Flags().Changed("processors"))
	if err != nil {
		return spmdUsage(err)
	}
	if err := claim([]output{{flag: "--events", name: f.events}}, f.topology); err != nil {
		return err
	}
	ctx, start := cmd.Context(), time.Now()
	var rs []*spmd.Result
	switch {
	case f.events != "":
		rs, err = f.runLogged(ctx, c)
	case f.seeds == 1:
		var r *spmd.Result
		r, err = spmd.Run(ctx, c, nil)
		rs = []*spmd.Result{r}
	default:
		rs, err = spmd.RunSeeds(ctx, c, f.seeds)
	}
	unwritten := errors.As(err, new(*wholefile.Error))
	if err != nil && !interrupt.Ended(err) && !unwritten {
		return spmdUsage(err)
	}
	if len(rs) == 0 {
		return interrupt.Of(ctx, "before the first of %d seeds was done", f.seeds)
	}
	ans := f.answer(c, rs, time.Since(start))
	table := func(w io.Writer) error { return spmdTable(w, ans) }
	switch {
	case err == nil:
		return a.emit(ans, table)
	case unwritten:
		return a.unwritten(err, ans, table)
	case f.seeds == 1:
		return a.failed(interrupt.Of(ctx, "in mid-run"), map[string]any{"statistics": ans}, table)
	}
	return a.partial(interrupt.Of(ctx, "after %d of %d seeds", len(rs), f.seeds), ans, table)
}

// answer is the mean of the runs.
func (f *spmdFlags) answer(c spmd.Config, rs []*spmd.Result, wall time.Duration) spmdAnswer {
	m := spmd.MeanOf(rs)
	ans := spmdAnswer{
		Method: c.Method, Topology: f.topology, Readers: c.Topology, Loaded: c.Loaded, Seed: f.seed, Seeds: len(rs),
		Tasks: m.Tasks, EndS: m.EndS, Given: make([]float64, len(m.Tasks)), Received: make([]float64, len(m.Tasks)),
		Transfers: m.Transfers, FinishS: m.FinishS, Requests: m.Requests, Refused: m.Refused, Messages: m.Messages,
		WallSeconds: wall.Seconds(),
	}
	for i, row := range m.Moved {
		for j, v := range row {
			ans.Given[i] += v
			ans.Received[j] += v
		}
	}
	return ans
}

// spmdUsage puts the dashes before the flag that a parameter error names.
func spmdUsage(err error) error {
	var p *spmd.Usage
	if errors.As(err, &p) && p.Parameter != "" && p.File == "" {
		return usagef("--%w\nsee 'emsim spmd run --help'", err)
	}
	return err
}

// config makes the machine described by the flags.
func (f *spmdFlags) config(sized bool) (spmd.Config, error) {
	c := spmd.Config{
		Method: spmd.Method(f.method), Tasks: f.tasks, Send: spmd.Send(f.send), Seed: f.seed,
		JitterPPM: int64(math.Round(f.jitter * 1e6)),
	}
	if !(f.jitter >= 0 && f.jitter < 1) { // also refuses NaN
		return c, usagef("--jitter: %v; expected a share from 0 up to, but not including, 1", f.jitter)
	}
	for _, d := range []struct {
		flag string
		from time.Duration
		to   *int64
	}{
		{"task-free", f.free, &c.FreeUS},
		{"task-loaded", f.loadedTime, &c.LoadedUS},
		{"interval", f.interval, &c.IntervalUS},
		{"latency", f.latency, &c.LatencyUS},
	} {
		if d.from%time.Microsecond != 0 {
			return c, usagef("--%s: %v is not a whole number of microseconds", d.flag, d.from)
		}
		*d.to = d.from.Microseconds()
	}
	var err error
	if c.Loaded, err = spmdProcessors(f.loaded); err != nil {
		return c, err
	}
	if c.Topology, err = f.readTopology(); err != nil {
		return c, err
	}
	if sized && f.processors != len(c.Topology) {
		return c, usagef("--processors: %d, but the topology %s has %d; leave the flag out", f.processors, f.topology, len(c.Topology))
	}
	return c, c.Validate()
}

func (f *spmdFlags) readTopology() (spmd.Topology, error) {
	switch f.topology {
	case "t-star":
		return spmd.TStar(), nil
	case "fano":
		return spmd.Fano(), nil
	case "tree":
		if f.processors < 1 || f.processors > 1000 {
			return nil, usagef("--processors: %d; expected 1 to 1000", f.processors)
		}
		return spmd.Tree(f.processors), nil
	}
	want := input.Want{What: "a topology", Kinds: []input.Kind{input.Text}, Most: 1 << 22, Why: "the numbers of all readers of 1000 processors"}
	text, err := want.Read(f.topology)
	if err != nil {
		return nil, usagef("--topology: expected t-star, fano, tree or a file: %w", err)
	}
	return spmd.ParseTopology(f.topology, bytes.NewReader(text))
}

func spmdProcessors(list string) ([]int, error) {
	out := []int{}
	if list == "none" || list == "" {
		return out, nil
	}
	for s := range strings.SplitSeq(list, ",") {
		p, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil {
			return nil, usagef("--loaded: %q is not a processor's number; expected a list such as 1,3,6, or none", s)
		}
		out = append(out, p)
	}
	slices.Sort(out)
	return out, nil
}

// runLogged runs once and writes the events, or those so far if ctx ends.
func (f *spmdFlags) runLogged(ctx context.Context, c spmd.Config) ([]*spmd.Result, error) {
	if f.seeds != 1 {
		return nil, usagef("--events: the log is of one run; leave --seeds out")
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	write := func(fields ...string) { _ = w.Write(fields) } // a write to a bytes.Buffer cannot fail
	write("at_us", "processor", "event", "peer", "n")
	r, err := spmd.Run(ctx, c, func(e spmd.Event) {
		peer := ""
		if e.Peer >= 0 {
			peer = strconv.Itoa(e.Peer)
		}
		write(strconv.FormatInt(e.AtUS, 10), strconv.Itoa(e.Processor), e.Kind.String(), peer, strconv.Itoa(e.N))
	})
	if r == nil {
		return nil, err
	}
	w.Flush()
	if e := wholefile.WriteFile(f.events, b.Bytes(), 0o666); e != nil {
		err = usagef("--events: %w", e)
	}
	return []*spmd.Result{r}, err
}

func spmdTable(w io.Writer, ans spmdAnswer) error {
	runs := fmt.Sprintf("seed %d", ans.Seed)
	places := 0
	if ans.Seeds > 1 {
		runs = fmt.Sprintf("mean of seeds %d to %d", ans.Seed, ans.Seed+uint64(ans.Seeds)-1)
		places = 1
	}
	fmt.Fprintf(w, "%s method, topology %s, %s\n\n", ans.Method, ans.Topology, runs)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "processor\tload\treaders\ttasks\tgiven\treceived\tend s")
	for i := range ans.Tasks {
		load := "free"
		if slices.Contains(ans.Loaded, i) {
			load = "loaded"
		}
		readers := strings.Trim(fmt.Sprint(ans.Readers[i]), "[]")
		fmt.Fprintf(t, "P%d\t%s\t%s\t%.*f\t%.*f\t%.*f\t%.2f\n", i, load, readers,
			places, ans.Tasks[i], places, ans.Given[i], places, ans.Received[i], ans.EndS[i])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%.*f tasks moved after %.*f requests (%.*f refused), %.*f messages in all; the last processor ended at %.2f s\n",
		places, ans.Transfers, places, ans.Requests, places, ans.Refused, places, ans.Messages, ans.FinishS)
	return err
}
