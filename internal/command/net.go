package command

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/simerr"
	"emsim/omega"
	"emsim/packet"
)

// netAnswer is the answer of 'emsim net'.
type netAnswer struct {
	PEs            int         `json:"pes"`
	K              int         `json:"k"`
	Groups         int         `json:"groups"`
	Members        int         `json:"members"`
	Diameter       int         `json:"diameter"`
	DistanceSum    uint64      `json:"distance_sum"`
	DistanceMean   float64     `json:"distance_mean"` // over all pairs of different PEs
	GroupRing      []packet.PE `json:"group_ring"`
	ReverseCircuit []packet.PE `json:"reverse_circuit"`
}

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
			x, err := interrupt.Await(cmd.Context(), func() (netAnswer, error) { return newNetAnswer(t), nil })
			if err != nil {
				return err
			}
			return a.emitAnswer(x, func(w io.Writer) error { return netTable(w, x) })
		},
	}
	addPEsFlag(cmd, &pes)
	cmd.AddCommand(newTrafficCmd(a))
	return cmd
}

func addPEsFlag(cmd *cobra.Command, pes *int) {
	cmd.Flags().IntVar(pes, "pes", 80, "processing elements: 12, 32, 80, 192, 448, 1024, ... (k+1)·2^k")
}

func newNetAnswer(t omega.Topology) netAnswer {
	sum, diameter := t.Distances()
	return netAnswer{
		PEs: t.N, K: t.K, Groups: t.Groups, Members: t.Members, Diameter: diameter, DistanceSum: sum,
		DistanceMean: float64(sum) / (float64(t.N) * float64(t.N-1)),
		GroupRing:    t.Ring(packet.PE{}, omega.InGroup), ReverseCircuit: t.Ring(packet.PE{}, omega.OutGroup),
	}
}

func netTable(w io.Writer, x netAnswer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "PEs\t%d = %d groups x %d members, k = %d\n", x.PEs, x.Groups, x.Members, x.K)
	fmt.Fprintf(t, "diameter\t%d links\n", x.Diameter)
	fmt.Fprintf(t, "distances\t%d links over all ordered pairs, %.4g on average\n", x.DistanceSum, x.DistanceMean)
	fmt.Fprintf(t, "group ring\t%s  from [0,0] in-group\n", circuit(x.GroupRing))
	fmt.Fprintf(t, "reverse circuit\t%s  from [0,0] out-of-group\n", circuit(x.ReverseCircuit))
	return t.Flush()
}

func circuit(ring []packet.PE) string {
	var b strings.Builder
	for i, p := range ring {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprint(&b, p)
	}
	return b.String()
}
