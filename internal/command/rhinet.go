package command

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"emsim/cluster/rhinet"
	"emsim/cluster/rhinet/experiments"
	"emsim/internal/base/plural"
)

func newRHiNETCmd(a *app) *cobra.Command {
	return newGroup("rhinet", "The RHiNET-2 PC cluster and its load balancing algorithms",
		`rhinet models a cluster of up to 64 PCs, connected by RHiNET-2 or Ethernet, that
solves 8192 equations while some of its hosts are busy with other work.`,
		machineRunCmd(a, "rhinet"), newRHiNETExperimentCmd(a))
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
			net := rhinet.Network(network)
			if !slices.Contains(rhinet.Networks(), net) {
				return usagef("--network is %q, it must be one of rhinet2, ethernet", network)
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
			if list == nil {
				list = []experiments.Observation{}
			}
			answer := map[string]any{"experiment": all[i].Name, "title": all[i].Title, "seeds": seeds, "network": network, "observations": list}
			table := func(w io.Writer) error {
				fmt.Fprintf(w, "%s (%s; %s, mean of %d seeds)\n\n", all[i].Title, all[i].Source, network, seeds)
				return all[i].Table(w, list)
			}
			return a.emitParts(cmd.Context(), err, answer, table, "after %d of %s", len(list), plural.Of(all[i].Points(), "setting"))
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
