package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/simerr"
	"emsim/omega"
	"emsim/packet"
)

func newNetCmd(a *app) *cobra.Command {
	var pes int
	cmd := &cobra.Command{
		Use:   "net",
		Short: "Describe the circular omega network of a machine",
		Long: `net describes the circular omega network of a machine of (k+1)·2^k PEs, k = 1..16:
groups, members, distances, and the two circuits through PE [0,0]: its group's
ring and the reverse circuit that MLPE packets travel.`,
		Example: "  emsim net --pes 80\n  emsim net --pes 1024 --json\n  emsim net traffic --pes 80 --load 0.3",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := omega.ForPEs(pes)
			if err != nil {
				return &simerr.Usage{Err: err}
			}
			var x object
			table, err := interrupt.Await(cmd.Context(), func() (table string, err error) { x, table = describeNet(t); return table, nil })
			if err != nil {
				return err
			}
			return a.answer(x, printed("%s", table))
		},
	}
	cmd.Flags().IntVar(&pes, "pes", 80, "processing elements: 12, 32, 80, 192, 448, 1024, ... (k+1)·2^k")
	cmd.AddCommand(newTrafficCmd(a))
	return cmd
}

// describeNet returns the answer about a network, and its table. Finding distances takes a while.
func describeNet(n omega.Topology) (x object, table string) {
	sum, diameter := n.Distances()
	mean := float64(sum) / (float64(n.N) * float64(n.N-1))
	ring, reverse := n.Ring(packet.PE{}, omega.InGroup), n.Ring(packet.PE{}, omega.OutGroup)
	x = object{
		"pes", n.N, "k", n.K, "groups", n.Groups, "members", n.Members, "diameter", diameter, "distance_sum", sum, "distance_mean", mean,
		"group_ring", ring, "reverse_circuit", reverse,
	}
	circuit := func(ring []packet.PE) string { return strings.Trim(fmt.Sprint(ring), "[]") }
	return x, fmt.Sprintf(`PEs              %d = %d groups x %d members, k = %d
diameter         %d links
distances        %d links over all ordered pairs, %.4g on average
group ring       [%s]  from [0,0] in-group
reverse circuit  [%s]  from [0,0] out-of-group
`, n.N, n.Groups, n.Members, n.K, diameter, sum, mean, circuit(ring), circuit(reverse))
}
