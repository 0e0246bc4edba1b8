package command

import (
	"fmt"
	"io"
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
			n, err := interrupt.Await(cmd.Context(), func() (*circularNet, error) { return newNetwork(t), nil })
			if err != nil {
				return err
			}
			return a.emitAnswer(n.object(), n.table)
		},
	}
	cmd.Flags().IntVar(&pes, "pes", 80, "processing elements: 12, 32, 80, 192, 448, 1024, ... (k+1)·2^k")
	cmd.AddCommand(newTrafficCmd(a))
	return cmd
}

// circularNet is a circular omega network with what takes a while to find out.
type circularNet struct {
	omega.Topology
	sum           uint64 // of the distances over all ordered pairs of PEs
	mean          float64
	diameter      int
	ring, reverse []packet.PE // through [0,0]: in-group, out-of-group
}

func newNetwork(t omega.Topology) *circularNet {
	sum, diameter := t.Distances()
	return &circularNet{t, sum, float64(sum) / (float64(t.N) * float64(t.N-1)), diameter, t.Ring(packet.PE{}, omega.InGroup), t.Ring(packet.PE{}, omega.OutGroup)}
}

func (n *circularNet) object() object {
	return object{
		"pes", n.N, "k", n.K, "groups", n.Groups, "members", n.Members, "diameter", n.diameter, "distance_sum", n.sum, "distance_mean", n.mean,
		"group_ring", n.ring, "reverse_circuit", n.reverse,
	}
}

func (n *circularNet) table(w io.Writer) error {
	circuit := func(ring []packet.PE) string { return strings.Trim(fmt.Sprint(ring), "[]") }
	_, err := fmt.Fprintf(w, `PEs              %d = %d groups x %d members, k = %d
diameter         %d links
distances        %d links over all ordered pairs, %.4g on average
group ring       [%s]  from [0,0] in-group
reverse circuit  [%s]  from [0,0] out-of-group
`, n.N, n.Groups, n.Members, n.K, n.diameter, n.sum, n.mean, circuit(n.ring), circuit(n.reverse))
	return err
}
