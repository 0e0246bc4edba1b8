package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/answer"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/plural"
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
			x, err := interrupt.Await(cmd.Context(), func() (*answer.Answer, error) { return describeNet(t), nil })
			if err != nil {
				return err
			}
			return a.tell(x)
		},
	}
	cmd.Flags().IntVar(&pes, "pes", 80, "processing elements: 12, 32, 80, 192, 448, 1024, ... (k+1)·2^k")
	cmd.AddCommand(newTrafficCmd(a))
	return cmd
}

// describeNet returns the answer about a network. Computing the distances takes a while.
func describeNet(n omega.Topology) *answer.Answer {
	sum, diameter := n.Distances()
	ring, reverse := n.Ring(packet.PE{}, omega.InGroup), n.Ring(packet.PE{}, omega.OutGroup)
	x := &answer.Answer{
		Title:   fmt.Sprintf("%s = %s of %d", plural.Of(n.N, "PE"), plural.Of(n.Groups, "group"), n.Members),
		Machine: fmt.Sprintf("circular omega network, k = %d", n.K),
		Next: answer.Next{
			Command: fmt.Sprintf("emsim net traffic --pes %d", n.N),
			Why:     "latency and throughput under load",
		},
	}
	x.Number("pes", n.N, "PEs", "processing elements")
	x.Number("k", n.K, "", "there are (k+1)·2^k PEs")
	x.Number("groups", n.Groups, "groups", "groups of PEs")
	x.Number("members", n.Members, "PEs", "PEs of a group")
	x.Number("diameter", diameter, "links", "longest way between two PEs")
	x.Number("distance_sum", sum, "links", "over all ordered pairs")
	x.Number("distance_mean", float64(sum)/(float64(n.N)*float64(n.N-1)), "links",
		"mean over all ordered pairs").Head("distance", "on average, at most %d; %s over all ordered pairs", diameter,
		count(uint64(sum)))
	x.Say("group_ring", ring)
	x.Say("reverse_circuit", reverse)
	circuit := func(ring []packet.PE) string { return strings.Trim(fmt.Sprint(ring), "[]") }
	l := answer.List{Heads: []string{"circuit", "PEs"}}
	l.Add("group ring, in-group", "["+circuit(ring)+"]")
	l.Add("reverse circuit, out-of-group", "["+circuit(reverse)+"]")
	x.Lists = []answer.List{l}
	return x
}
