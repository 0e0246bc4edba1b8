package command

import (
	"slices"

	"github.com/spf13/cobra"

	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
	"emsim/internal/machine/machines"
	"emsim/mnc"
)

func newMNCTopologyCmd(a *app) *cobra.Command {
	o, incidence := newKnobFlags("mnc"), ""
	cmd := &cobra.Command{
		Use:   "topology",
		Short: "Print which PE touches which QPR, in the form that --incidence reads",
		Long: `topology prints a wiring as text. You can use it as a start for your own, which
'emsim mnc run --incidence FILE' runs. With --json it adds derived properties.`,
		Example: `  emsim mnc topology --pes 32 > my.mnc
  emsim mnc topology --topology net16 --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := mncWiring(cmd, o, incidence)
			if err != nil {
				return err
			}
			return a.answer(wiringSaid(w), printed("%s", w.String()))
		},
	}
	o.registerKeys(cmd.Flags(), "pes", "topology")
	cmd.Flags().StringVar(&incidence, "incidence", "", machines.ModelOf("mnc").Files[0].Doc)
	return cmd
}

// mncWiring returns the wiring that the flags of 'emsim mnc topology' choose.
func mncWiring(cmd *cobra.Command, o *knobFlags, file string) (mnc.Incidence, error) {
	m, err := o.machine(cmd)
	if err != nil {
		return mnc.Incidence{}, err
	}
	s := m.Config.(*mnc.Setup)
	if file == "" {
		return mnc.Topology(s.Topology, s.PEs)
	}
	text, err := machines.ReadFile("mnc", "incidence", file)
	if err != nil {
		return mnc.Incidence{}, usagef("--incidence: %w", err)
	}
	return mnc.ParseIncidence(file, text)
}

// wiringSaid returns the keys of a wiring.
func wiringSaid(w mnc.Incidence) *answer.Answer {
	hops, farthest, pes := w.SinkHops(), 0, make([]int, w.PEs)
	for i := range pes {
		pes[i] = i
		farthest = max(farthest, slices.Max(w.Distances(i)))
	}
	names := func(list []int) []string { return lists.Of(list, func(q int) string { return w.Boards[q].Name }) }
	return new(answer.Answer).SayAll("name", w.Name, "pes", w.PEs, "qprs", boardColumns.Objects(w.Boards), "diameter",
		farthest, "source", w.Boards[w.Source].Name, "sink", w.Boards[w.Sink].Name, "pe", answer.Columns[int]{
			{Key: "pe", Of: func(pe int) any { return pe }},
			{Key: "name", Of: func(pe int) any { return w.PEName(pe) }},
			{Key: "neighbours", Of: func(pe int) any { return append([]int{}, w.Neighbours(pe)...) }},
			{Key: "sink_hops", Of: func(pe int) any { return hops[pe] }},
		}.Objects(pes), "sources", names(w.Sources()), "sinks", names(w.Sinks()))
}

// boardColumns declare the keys of a board of a wiring.
var boardColumns = answer.Columns[mnc.Board]{
	{Key: "name", Of: func(b mnc.Board) any { return b.Name }},
	{Key: "pes", Of: func(b mnc.Board) any { return b.Ports }},
}
