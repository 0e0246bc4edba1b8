package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emsim/cluster/rhinet"
	"emsim/cluster/rhinet/experiments"
	"emsim/internal/interrupt"
	"emsim/internal/machines"
	"emsim/internal/plural"
	"emsim/internal/wholefile"
)

func newRHiNETCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rhinet",
		Short: "The RHiNET-2 PC cluster and its load balancing algorithms",
		Long: `rhinet models a cluster of up to 64 PCs, connected by RHiNET-2 or Ethernet, that
solves 8192 equations while some of its hosts are busy with other work.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRHiNETRunCmd(a), newRHiNETExperimentCmd(a))
	return cmd
}

func newRHiNETRunCmd(a *app) *cobra.Command {
	f, ranks, seeds := &rhinetFlags{knobFlags: newKnobFlags("rhinet")}, false, 1
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run one program on the cluster, under one balancing algorithm",
		Long: `run solves the equations once, under one balancing algorithm, and shows where
rank 0's time went, as tables 2 to 5 of the paper do: total, compute,
communication, balancing. With a load, other (total minus compute) is mostly
time spent waiting for the loaded hosts. With --seeds N every number is the mean
of N runs with the seeds from --seed up; the paper's tables are compared with
means over 8. Ctrl-C prints the times so far, or the mean of the completed runs.

--hosts reads speeds and loads of your own, instead of --load:

` + rhinetHosts + `

--series writes what every rank does, its rows, computing and waiting time every
--sample of the cluster's time; --events writes the end of every operation.`,
		Example: "  emsim rhinet run --nodes 64 --algorithm igclb --load oneload\n" +
			"  emsim rhinet run --nodes 16 --network ethernet --algorithm glb --load twoload --json\n" +
			"  emsim rhinet run --nodes 64 --load oneload --seeds 8",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.rhinetConfig(cmd, f)
			if err != nil {
				return err
			}
			if seeds != 1 {
				if f.watches() {
					return usagef("--series and --events are of one run; leave --seeds out")
				}
				return a.rhinetMean(cmd.Context(), c, seeds, ranks)
			}
			out, err := f.run(cmd.Context(), c)
			if out == nil {
				return err
			}
			table := func(w io.Writer) error { return rhinetTable(out, w, ranks) }
			if errors.As(err, new(*wholefile.Error)) {
				return a.unwritten(err, out, table)
			}
			if err != nil {
				err = interrupt.Of(cmd.Context(), "in loop %d, after %.3f s of the cluster's time", out.Iterations, out.FinishS).With("iterations", out.Iterations)
				return a.failed(err, map[string]any{"statistics": out}, table)
			}
			return a.emit(out, table)
		},
	}
	f.knobFlags.register(cmd)
	f.registerFiles(cmd.Flags())
	cmd.Flags().IntVar(&seeds, "seeds", 1, "number of runs to average, with the seeds from --seed up")
	cmd.Flags().BoolVar(&ranks, "ranks", false, "also list every rank (--json always does, of one seed)")
	return cmd
}

// rhinetMean runs the cluster with several seeds and prints the means.
func (a *app) rhinetMean(ctx context.Context, c rhinet.Config, seeds int, ranks bool) error {
	if err := checkSeeds(c.Seed, seeds); err != nil {
		return err
	}
	if ranks {
		return usagef("--ranks lists the ranks of one run; leave --seeds out")
	}
	line := a.newProgress(int64(seeds))
	defer line.done()
	var runs []*machines.RHiNET
	for i := range seeds {
		line.step(i, "run %d of %d", i+1, seeds)
		out, err := machines.RunRHiNET(ctx, c)
		if interrupt.Ended(err) {
			err = interrupt.Of(ctx, "after %d of %s", i, plural.Of(seeds, "run"))
			if i == 0 {
				return err
			}
			m := machines.RHiNETMeanOf(runs)
			return a.partial(err, m, func(w io.Writer) error { return rhinetMeanTable(m, w) })
		}
		if err != nil {
			return err
		}
		runs = append(runs, out)
		c.Seed++
	}
	m := machines.RHiNETMeanOf(runs)
	return a.emit(m, func(w io.Writer) error { return rhinetMeanTable(m, w) })
}

// rhinetConfig puts the cluster together; rhinet.Run checks it.
func (a *app) rhinetConfig(cmd *cobra.Command, f *rhinetFlags) (rhinet.Config, error) {
	m, err := f.machine(cmd)
	if err != nil {
		return rhinet.Config{}, err
	}
	c := *m.Config.(*rhinet.Config)
	if err := f.readHosts(&c); err != nil {
		return c, err
	}
	a.noteIdleFlags(c, cmd.Flags().Changed)
	if c.Load == rhinet.NoLoad && cmd.Flags().Changed("move-every") {
		c.Host.MoveEvery = min(0, c.Host.MoveEvery) // noted; a negative one stays an error
	}
	if f.series == "" && cmd.Flags().Changed("sample") {
		fmt.Fprintln(a.err, "note: --sample changes nothing without --series FILE")
	}
	return c, f.claim(&c)
}

// noteIdleFlags tells of flags that change nothing. They are no mistake: a loop
// over settings has them for all.
func (a *app) noteIdleFlags(c rhinet.Config, set func(name string) bool) {
	a.note([]idleFlags{
		{[]string{"group"}, !c.Algorithm.Grouped(), fmt.Sprintf("%v has no groups; gnolb, glb, igclb and igdlb have", c.Algorithm)},
		{[]string{"every"}, !c.Algorithm.Balances(), fmt.Sprintf("%v does not balance", c.Algorithm)},
		{[]string{"loaded", "move-every", "slice-on", "slice-off", "slice-jitter"}, c.Load == rhinet.NoLoad && c.Own == nil, "nothing is loaded; add --load oneload or twoload"},
		{[]string{"load", "loaded", "move-every"}, c.Own != nil, "--hosts says who is loaded"},
		{[]string{"torus-x", "torus-y"}, c.Network == rhinet.Ethernet, "ethernet has a hub"},
		{[]string{"exchange", "omega"}, c.Application != rhinet.SOR, fmt.Sprintf("%v is not sor", c.Application)},
		{[]string{"steps"}, c.Application != rhinet.Heat, fmt.Sprintf("%v is not heat", c.Application)},
	}, set)
}

// idleFlags are flags that change nothing in some machines, and why.
type idleFlags struct {
	flags []string
	is    bool
	why   string
}

// note tells of flags that were set and change nothing.
func (a *app) note(list []idleFlags, set func(name string) bool) {
	for _, idle := range list {
		for _, name := range idle.flags {
			if idle.is && set(name) {
				fmt.Fprintf(a.err, "note: --%s changes nothing: %s\n", name, idle.why)
			}
		}
	}
}

// rhinetTimes are the rows that the tables of one run and of a mean share.
func rhinetTimes(t io.Writer, total, calc, comm, lb, other, finish float64) {
	for _, l := range []struct {
		name  string
		s     float64
		about string
	}{
		{"total", total, "rank 0"},
		{"calc", calc, "relaxing rows"},
		{"comm", comm, "messages and waiting outside of balancing"},
		{"lb", lb, "balancing phases"},
		{"other", other, "total less calc"},
		{"finish", finish, "last rank"},
	} {
		fmt.Fprintf(t, "%s\t%.3f s\t%.1f %%\t%s\n", l.name, l.s, 100*l.s/math.Max(total, 1e-12), l.about)
	}
}

// rhinetShared are the rows that all machines have.
func rhinetShared(t io.Writer, answer any) {
	sharedRows(t, "rhinet", answer, "efficiency", "transfers", "messages", "imbalance")
}

// rhinetMeanTable prints the means of several runs.
func rhinetMeanTable(m *machines.RHiNETMean, w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s, %d nodes on %s, %s, %s, mean of %s\n\n", m.Application, m.Nodes, m.Network, m.Algorithm, m.Load, seedsText(m.Seed, m.Seeds))
	rhinetTimes(t, m.TotalS, m.CalcS, m.CommS, m.LBS, m.OtherS, m.FinishS)
	fmt.Fprintf(t, "loops\t%.1f\npackets\t%.0f\n", m.Iterations, m.Packets)
	rhinetShared(t, m)
	return t.Flush()
}

func rhinetTable(o *machines.RHiNET, w io.Writer, ranks bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s, %d nodes on %s, %s, %s, seed %d\n\n", o.Application, o.Nodes, o.Network, o.Algorithm, o.Load, o.Seed)
	rhinetTimes(t, o.TotalS, o.CalcS, o.CommS, o.LBS, o.OtherS, o.FinishS)
	fmt.Fprintf(t, "loops\t%d\npackets\t%d\n", o.Iterations, o.Packets)
	rhinetShared(t, o)
	if o.Application == rhinet.SOR.String() {
		fmt.Fprintf(t, "error\t%.1e\tlargest, of the solution\n", o.Deviation)
	}
	if err := t.Flush(); err != nil || !ranks {
		return err
	}
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\nrank\tcalc s\tlb s\twait s\tfinish s\t")
	for _, e := range o.Epochs {
		fmt.Fprintf(t, "rows from loop %d\t", e.AfterLoop+1)
	}
	fmt.Fprintln(t)
	for i, n := range o.Ranks {
		fmt.Fprintf(t, "%d\t%.3f\t%.3f\t%.3f\t%.3f\t", i, n.CalcS, n.LBS, n.WaitS, n.FinishS)
		for _, e := range o.Epochs {
			fmt.Fprintf(t, "%d\t", e.Rows[i])
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

func newRHiNETExperimentCmd(a *app) *cobra.Command {
	seeds, network := 4, "rhinet2"
	cmd := &cobra.Command{
		Use:   "experiment [NAME]",
		Short: "Tabulate an experiment beyond the paper; without a name, list them",
		Long: `experiment runs the paper's future work and two questions of our own, and
prints a table of run times, means over --seeds runs. With --json every table
cell is one observation. Ctrl-C prints the completed cells.`,
		Example: "  emsim rhinet experiment\n  emsim rhinet experiment waiting\n  emsim rhinet experiment groups --network ethernet --seeds 2 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				if err := onlyWith(cmd, localFlags(cmd), "has no effect without the name of an experiment, and 'emsim rhinet experiment' lists them"); err != nil {
					return err
				}
				return a.listExperiments()
			}
			if len(args) > 1 {
				return usagef("one experiment at a time, got %q", args)
			}
			net, err := rhinet.ParseNetwork(network)
			if err != nil {
				return err
			}
			if seeds < 1 || seeds > 1000 {
				return usagef("--seeds %d: expected 1 to 1000 (each mean takes that many runs of several seconds)", seeds)
			}
			all := experiments.All()
			i := slices.IndexFunc(all, func(e experiments.Experiment) bool { return e.Name == args[0] })
			if i < 0 {
				return usagef("no experiment is called %q; 'emsim rhinet experiment' lists them", args[0])
			}
			list, err := all[i].Run(cmd.Context(), experiments.Options{Seeds: seeds, Network: net})
			if err != nil && !interrupt.Ended(err) {
				return err
			}
			if list == nil {
				list = []experiments.Observation{}
			}
			answer := map[string]any{"experiment": all[i].Name, "title": all[i].Title, "seeds": seeds, "network": network, "observations": list}
			table := func(w io.Writer) error {
				fmt.Fprintf(w, "%s (%s; %s, mean of %d seeds)\n\n", all[i].Title, all[i].Source, network, seeds)
				return all[i].Table(w, list)
			}
			if err != nil {
				err = interrupt.Of(cmd.Context(), "after %d of %s", len(list), plural.Of(all[i].Points(), "setting"))
				return a.partial(err, answer, table)
			}
			return a.emit(answer, table)
		},
	}
	cmd.Flags().IntVar(&seeds, "seeds", seeds, "runs a mean")
	cmd.Flags().StringVar(&network, "network", network, "rhinet2 or ethernet")
	return cmd
}

func (a *app) listExperiments() error {
	var list []listLine
	for _, e := range experiments.All() {
		list = append(list, listLine{e.Name, e.Title, e.Source})
	}
	return a.emitList("experiment\tsource\tasks", list)
}
