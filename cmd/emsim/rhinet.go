package main

import (
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
	f, ranks := newKnobFlags("rhinet"), false
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run one program on the cluster",
		Long: `run solves the equations once and shows where rank 0's time went, as tables 2 to
5 of the paper do: total, compute, communication, balancing. With a load, other
(total minus compute) is mostly time spent waiting for the loaded hosts. Ctrl-C prints the
times so far.`,
		Example: "  emsim rhinet run --nodes 64 --algorithm igclb --load oneload\n" +
			"  emsim rhinet run --nodes 16 --network ethernet --algorithm glb --load twoload --json",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := rhinetConfig(cmd, f)
			if err != nil {
				return err
			}
			out, err := machines.RunRHiNET(cmd.Context(), c)
			if out == nil {
				return err
			}
			table := func(w io.Writer) error { return rhinetTable(out, w, ranks) }
			if err != nil {
				err = interrupt.Of(cmd.Context(), "in loop %d, after %.3f s of the cluster's time", out.Iterations, out.FinishS).With("iterations", out.Iterations)
				return a.failed(err, map[string]any{"statistics": out}, table)
			}
			return a.emit(out, table)
		},
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&ranks, "ranks", false, "also list every rank (--json always does)")
	return cmd
}

// rhinetConfig puts the cluster together; rhinet.Run checks it.
func rhinetConfig(cmd *cobra.Command, f *knobFlags) (rhinet.Config, error) {
	m, err := f.machine(cmd)
	if err != nil {
		return rhinet.Config{}, err
	}
	c := *m.Config.(*rhinet.Config)
	return c, rhinetIdleFlag(c, cmd.Flags().Changed)
}

// rhinetIdleFlag refuses a flag that would change nothing.
func rhinetIdleFlag(c rhinet.Config, set func(name string) bool) error {
	for _, idle := range []struct {
		flags []string
		is    bool
		why   string
	}{
		{[]string{"group"}, !c.Algorithm.Grouped(), fmt.Sprintf("%v has no groups; gnolb, glb, igclb and igdlb have", c.Algorithm)},
		{[]string{"every"}, !c.Algorithm.Balances(), fmt.Sprintf("%v does not balance", c.Algorithm)},
		{[]string{"loaded", "move-every", "slice-on", "slice-off", "slice-jitter"}, c.Load == rhinet.NoLoad, "nothing is loaded; add --load oneload or twoload"},
		{[]string{"exchange", "omega"}, c.Application != rhinet.SOR, fmt.Sprintf("%v is not sor", c.Application)},
		{[]string{"steps"}, c.Application != rhinet.Heat, fmt.Sprintf("%v is not heat", c.Application)},
	} {
		for _, name := range idle.flags {
			if idle.is && set(name) {
				return usagef("--%s would change nothing: %s", name, idle.why)
			}
		}
	}
	return nil
}

func rhinetTable(o *machines.RHiNET, w io.Writer, ranks bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s, %d nodes on %s, %s, %s, seed %d\n\n", o.Application, o.Nodes, o.Network, o.Algorithm, o.Load, o.Seed)
	for _, l := range []struct {
		name  string
		s     float64
		about string
	}{
		{"total", o.TotalS, "rank 0"},
		{"calc", o.CalcS, "relaxing rows"},
		{"comm", o.CommS, "messages and waiting outside of balancing"},
		{"lb", o.LBS, "balancing phases"},
		{"other", o.OtherS, "total less calc"},
		{"finish", o.FinishS, "last rank"},
	} {
		fmt.Fprintf(t, "%s\t%.3f s\t%.1f %%\t%s\n", l.name, l.s, 100*l.s/math.Max(o.TotalS, 1e-12), l.about)
	}
	fmt.Fprintf(t, "loops\t%d\npackets\t%d\n", o.Iterations, o.Packets)
	if o.Application == rhinet.SOR.String() {
		fmt.Fprintf(t, "error\t%.1e\t\tlargest, of the solution\n", o.Deviation)
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
	type line struct {
		Name   string `json:"name"`
		Title  string `json:"title"`
		Source string `json:"source"`
	}
	var list []line
	for _, e := range experiments.All() {
		list = append(list, line{e.Name, e.Title, e.Source})
	}
	return a.emit(list, func(w io.Writer) error {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "experiment\tsource\tasks")
		for _, l := range list {
			fmt.Fprintf(t, "%s\t%s\t%s\n", l.Name, l.Source, l.Title)
		}
		return t.Flush()
	})
}
