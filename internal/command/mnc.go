package command

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"emsim/internal/interrupt"
	"emsim/internal/machines"
	"emsim/internal/wholefile"
	"emsim/mnc"
)

func newMNCCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mnc",
		Short: "The MNC computer: PEs, quad-port RAM boards, autonomous load balancing",
		Long: `mnc models the MNC computer of paper 000: PEs (there up to 128, here 1024) that
communicate through quad-port RAM boards (QPRs) and balance their load by what
they see there. docs/MNC.md says what comes from the paper and what is chosen.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newMNCRunCmd(a), newMNCTopologyCmd(a))
	return cmd
}

// mncWork is the file of the example for --work.
const mncWork = `  # clock  place   loops  data
  0        source  100    5000
  20000    3       1000   25
  20000    source  400`

func newMNCRunCmd(a *app) *cobra.Command {
	o := newMNCOptions()
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Send data through the machine and print clocks, transfers and efficiency",
		Long: `run feeds data X into the source QPR until every result Y has come out of the
sink QPR. Speeds of PEs may differ (--slow) and change during the run
(--slow-at). A PE may die (--dead-at); the run then stalls and lists the lost
data. Ctrl-C prints the statistics so far.

--work reads data of your own, a line for each group of equal ones: clock, place
of birth (source, or the PE in whose memory they appear), loops of each, number.

` + mncWork,
		Example: `  emsim mnc run --pes 16 --items 2000 --loops 100 --policy auto --json
  emsim mnc run --pes 64 --loops 1000 --slow odd=400
  emsim mnc run --items 100000 --loops 1000 --dead-at 5000000:5
  emsim mnc run --incidence my.mnc --series held.csv --every 1000
  emsim mnc run --work data.txt --per-pe`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := o.config(a, cmd)
			if err != nil {
				return err
			}
			m, err := mnc.New(cfg)
			if err != nil {
				return err
			}
			start := time.Now()
			err = o.drive(cmd.Context(), m, cfg.Wiring.PEs)
			s := m.Stats()
			r := mncAnswer{MNC: machines.NewMNC(cfg, s, time.Since(start), o.perPE)}
			if cfg.Work != nil {
				mean := cfg.MeanLoops()
				r.LoopsMean = &mean
			}
			switch {
			case errors.As(err, new(*wholefile.Error)):
				return a.unwritten(err, r, r.table)
			case interrupt.Ended(err):
				err = interrupt.Of(cmd.Context(), "after %d clocks, with %d of %d results at the sink", m.Clock(), s.Delivered, s.Items).
					With("clock", m.Clock()).With("delivered", s.Delivered)
				return a.failed(err, map[string]any{"statistics": r}, r.table)
			case err != nil:
				return err
			}
			return a.emit(r, r.table)
		},
	}
	o.register(cmd)
	return cmd
}

func newMNCTopologyCmd(a *app) *cobra.Command {
	o := newMNCOptions()
	cmd := &cobra.Command{
		Use:   "topology",
		Short: "Print which PE touches which QPR, in the form that --incidence reads",
		Long: `topology prints a wiring as text. You can use it as a start for your own, which
'emsim mnc run --incidence FILE' runs. With --json it adds derived properties.`,
		Example: `  emsim mnc topology --pes 32 > my.mnc
  emsim mnc topology --topology net16 --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := o.wiringOnly(cmd)
			if err != nil {
				return err
			}
			return a.emit(describeWiring(w), func(out io.Writer) error {
				_, err := io.WriteString(out, w.String())
				return err
			})
		},
	}
	o.registerWiring(cmd.Flags())
	return cmd
}

// describeWiring is the JSON form of a wiring.
func describeWiring(w mnc.Incidence) map[string]any {
	boards := []map[string]any{}
	for _, b := range w.Boards {
		boards = append(boards, map[string]any{"name": b.Name, "pes": b.Ports})
	}
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
	names := func(list []int) (out []string) {
		for _, q := range list {
			out = append(out, w.Boards[q].Name)
		}
		return out
	}
	return map[string]any{
		"name": w.Name, "pes": w.PEs, "qprs": boards, "diameter": farthest,
		"source": w.Boards[w.Source].Name, "sink": w.Boards[w.Sink].Name, "pe": pes,
		"sources": names(w.Sources()), "sinks": names(w.Sinks()),
	}
}

// mncAnswer is an answer that prints itself.
type mncAnswer struct {
	*machines.MNC
	LoopsMean *float64 `json:"loops_mean,omitempty"` // of data with different loops, whose most are Loops
}

func (r mncAnswer) table(w io.Writer) error {
	perItem := 0.0
	if r.Items > 0 {
		perItem = float64(r.Transfers) / float64(r.Items)
	}
	share := func(clocks int64) string {
		if r.Clocks == 0 {
			return "-"
		}
		return fmt.Sprintf("%.1f %%", 100*float64(clocks)/float64(r.Clocks)/float64(r.PEs))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "machine\t%s, %d PEs, policy %s, form %s\n", r.Topology, r.PEs, r.Policy, r.Form)
	if r.LoopsMean == nil {
		fmt.Fprintf(t, "work\t%d data of %d loops\n", r.Items, r.Loops)
	} else {
		fmt.Fprintf(t, "work\t%d data of up to %d loops\t%.1f in the mean\n", r.Items, r.Loops, *r.LoopsMean)
	}
	fmt.Fprintf(t, "clocks\t%d\n", r.Clocks)
	fmt.Fprintf(t, "transfers\t%d\t%.2f a datum\n", r.Transfers, perItem)
	fmt.Fprintf(t, "efficiency\t%.3f\n", r.Efficiency)
	fmt.Fprintf(t, "speed-up\t%.2f\n", r.Speedup)
	fmt.Fprintf(t, "used PEs\t%.1f\n", r.UsedPEs)
	fmt.Fprintf(t, "f()\t%d clocks\t%s\n", r.ProcClocks, share(r.ProcClocks))
	fmt.Fprintf(t, "transfer\t%d clocks\t%s\n", r.TransferClocks, share(r.TransferClocks))
	fmt.Fprintf(t, "overhead\t%d clocks\t%s\n", r.OverheadClocks, share(r.OverheadClocks))
	fmt.Fprintf(t, "idle\t%d clocks\t%s\n", r.IdleClocks, share(r.IdleClocks))
	sharedRows(t, "mnc", r.MNC, "messages", "imbalance")
	fmt.Fprintf(t, "BUSY\t%d reads\n", r.Busy)
	fmt.Fprintf(t, "PA\t%.3f to %.3f\n", r.AbilityLow, r.AbilityHigh)
	fmt.Fprintf(t, "wall time\t%.2f s\n", r.WallSeconds)
	if err := t.Flush(); err != nil || r.PerPE == nil {
		return err
	}
	fmt.Fprintln(w)
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "PE\tname\tprocessed\tXPUT\tXGET\tYPUT\tYGET\tto host\tBUSY\tf()\ttransfer\toverhead\tidle\t")
	for _, p := range r.PerPE {
		fmt.Fprintf(t, "%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t\n", p.PE, p.Name, p.Processed, p.XPut, p.XGet, p.YPut, p.YGet,
			p.ToHost, p.Busy, r.peShare(p.ProcClocks), r.peShare(p.TransferClocks), r.peShare(p.OverheadClocks), r.peShare(p.IdleClocks))
	}
	return t.Flush()
}

func (r mncAnswer) peShare(clocks int64) string {
	if r.Clocks == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(clocks)/float64(r.Clocks))
}
