package command

import (
	"github.com/spf13/cobra"

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
			return a.answer(describeWiring(w), printed("%s", w.String()))
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

// describeWiring returns the JSON form of a wiring.
func describeWiring(w mnc.Incidence) map[string]any {
	boards := lists.Of(w.Boards, func(b mnc.Board) map[string]any {
		return map[string]any{
			"name": b.Name,
			"pes":  b.Ports,
		}
	})
	pes := []map[string]any{}
	hops, farthest := w.SinkHops(), 0
	for i := range w.PEs {
		for _, d := range w.Distances(i) {
			farthest = max(farthest, d)
		}
		neighbours := w.Neighbours(i)
		if neighbours == nil {
			neighbours = []int{}
		}
		pes = append(pes, map[string]any{"pe": i, "name": w.PEName(i), "neighbours": neighbours, "sink_hops": hops[i]})
	}
	names := func(list []int) []string { return lists.Of(list, func(q int) string { return w.Boards[q].Name }) }
	return map[string]any{
		"name": w.Name, "pes": w.PEs, "qprs": boards, "diameter": farthest,
		"source": w.Boards[w.Source].Name, "sink": w.Boards[w.Sink].Name, "pe": pes,
		"sources": names(w.Sources()), "sinks": names(w.Sinks()),
	}
}
