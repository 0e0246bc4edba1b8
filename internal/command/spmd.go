package command

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"emsim/cluster/spmd"
	"emsim/internal/interrupt"
	"emsim/internal/machines"
	"emsim/internal/wholefile"
)

func newSPMDCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "spmd",
		Short: "A workstation cluster that balances its load by messages about Power",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSPMDRunCmd(a))
	return cmd
}

// spmdFlags are the flags of spmd run: those of the table, and what is no
// parameter of the machine.
type spmdFlags struct {
	*knobFlags
	topology, hosts, series, events string // topology: a name, or a file
	sample                          time.Duration
	seeds                           int
}

// spmdHosts is the file of the example for --hosts.
const spmdHosts = `  # what  processors  value  tasks, or from when on
  speed   0-2         1.5          # of a free processor
  speed   3           0.3    20s   # 0: it stands still
  tasks   0           250          # that it starts with
  size    0           2.5    0-49  # of the first 50 of them`

// spmdRing is the topology file of the example.
const spmdRing = `  0 > 1
  1 > 2 3
  2 > 3
  3 > 0
`

func newSPMDRunCmd(a *app) *cobra.Command {
	f := &spmdFlags{knobFlags: newKnobFlags("spmd")}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the cluster once, or the mean of several seeds",
		Long: `run simulates workstations that tell each other how many tasks they have finished
lately (their Power). A processor that receives a Power smaller than its own
asks for one task (static) or for the difference between the Powers (proposed).

The topology says who reads whose Power. t-star explains the paper's tables; fano
and tree (with --processors) are also built in. Any other name is a file with a
line for each processor: its number, '>' and its readers. This is ring.txt:

` + spmdRing + `

--hosts reads speeds over time, numbers and sizes of tasks of your own:

` + spmdHosts + `

With --ask-again a processor that runs out of tasks asks those whose Powers it
reads, in turn, until each has had none to give; in the paper it ends.

With --seeds N every number is the mean of N runs with the seeds from --seed up.
--events writes the events of the run as CSV, and --series the tasks and the work of
each processor over time, which 'emsim plot series' draws. Ctrl-C prints the mean
of the completed seeds, or the state of a single run so far.`,
		Example: "  emsim spmd run\n  emsim spmd run --method static --seeds 16 --json\n  emsim spmd run --topology ring.txt --loaded 1 --events log.csv\n  emsim spmd run --series load.csv --sample 500ms",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.spmdRun(cmd, f) },
	}
	f.register(cmd)
	fl := cmd.Flags()
	fl.Lookup("topology").Usage = "who reads whose Power: t-star, fano, tree or a file"
	fl.IntVar(&f.seeds, "seeds", 1, "number of runs to average, with the seeds from --seed upwards")
	fl.StringVar(&f.hosts, "hosts", "", "read speeds, numbers and sizes of tasks by processor from this `FILE`")
	f.registerFiles(fl)
	return cmd
}

func (a *app) spmdRun(cmd *cobra.Command, f *spmdFlags) error {
	c, err := f.config(a, cmd)
	if err != nil {
		return spmdUsage(err)
	}
	if err := f.claim(a, cmd); err != nil {
		return err
	}
	ctx, start := cmd.Context(), time.Now()
	var rs []*spmd.Result
	switch {
	case f.watches():
		rs, err = f.runWatched(ctx, c)
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
	ans := machines.NewSPMD(f.topology, c, rs, time.Since(start))
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

// spmdUsage puts the dashes before the flag that a parameter error names.
func spmdUsage(err error) error {
	var p *spmd.Usage
	if errors.As(err, &p) && p.Parameter != "" {
		return usagef("--%w\nsee 'emsim spmd run --help'", err)
	}
	return err
}

// config makes the machine that the flags describe.
func (f *spmdFlags) config(a *app, cmd *cobra.Command) (spmd.Config, error) {
	given := cmd.Flags().Changed
	if given("jitter") {
		if j := f.given["jitter"]().(float64); !(j >= 0 && j < 1) { // also not a number
			return spmd.Config{}, usagef("--jitter: %v; expected a share from 0 up to, but not including, 1", j)
		}
	}
	m, err := f.machine(cmd)
	if err != nil {
		return spmd.Config{}, err
	}
	s := m.Config.(*spmd.Setup)
	f.topology = s.Name
	var c spmd.Config
	if slices.Contains(spmd.Names(), s.Name) {
		c, err = s.Build()
	} else {
		var t spmd.Topology
		if t, err = readTopology(s.Name); err == nil {
			c, err = s.On(t)
		}
	}
	n := len(c.Topology)
	a.note([]idleFlags{{[]string{"processors"}, n > 0 && s.Processors != n, fmt.Sprintf("the topology %s has %d", s.Name, n)}}, given)
	if err != nil || f.hosts == "" {
		return c, err
	}
	text, err := machines.ReadFile("spmd", "hosts", f.hosts)
	if err != nil {
		return c, usagef("--hosts: %w", err)
	}
	if c.Hosts, err = spmd.ParseHosts(f.hosts, text, &c); err != nil {
		return c, err
	}
	return c, c.Validate()
}

// readTopology reads a topology of one's own.
func readTopology(file string) (spmd.Topology, error) {
	text, err := machines.ReadFile("spmd", "topology", file)
	if err != nil {
		return nil, usagef("--topology: expected t-star, fano, tree or a file: %w", err)
	}
	return spmd.ParseTopology(file, text)
}

func spmdTable(w io.Writer, ans *machines.SPMD) error {
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
	fmt.Fprintf(w, "\n%.*f tasks moved after %.*f requests (%.*f refused); the last processor ended at %.2f s\n\n",
		places, ans.Transfers, places, ans.Requests, places, ans.Refused, ans.FinishS)
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	sharedRows(t, "spmd", ans, "efficiency", "transfers", "messages", "imbalance")
	return t.Flush()
}
