package command

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"emsim/internal/base/answer"
	"emsim/internal/inspect/instrument"
	"emsim/internal/machine/machines"
)

func newMachineProfileCmd(a *app, name string) *cobra.Command {
	top, terms := 0, machines.ModelOf(name).Terms
	cmd := &cobra.Command{
		Use:   "profile",
		Short: "Run the machine and say where its time went, and what made the run as long as it was",
		Long: fmt.Sprintf(`profile runs the machine and says what the last %[1]s to finish did from the
beginning of the run to its end, and next to it the mean of all %[1]ss.

The critical path is the chain of operations, waits and messages, each the last
that the next one waited for, that makes the run as long as it is. The table sums
it up, with the longest piece of each sum; 'from' is the sender of the message, or
of the message that was waited for. The shares of each table add up to the whole
run; rows of less than 0.05 %% are only in --json. 'emsim docs TRACING' says more.`, terms.Worker),
		Example: "  emsim NAME profile SMALL\n  emsim NAME profile --top 5 --json SMALL",
		Args:    noArgs,
	}
	topFlag(cmd, &top)
	return a.looksInto(cmd, name, func(args []string, vs int) error {
		return cmp.Or(checkTop(top),
			unpaired(args, vs))
	}, func(_ *cobra.Command, run *instrument.Run, _ []string) error {
		x := run.Profile()
		x.Next = answer.Next{
			Command: a.made.next(name+" ask cost", nil), Why: "what sharing out the work cost in all",
		}
		return a.emitRun(x, a.shownTop(x, top), run.Err, nil)
	})
}

func topFlag(cmd *cobra.Command, top *int) {
	cmd.Flags().IntVar(top, "top", 12, "rows of each printed table, those with the most time; 0: all (files and "+
		"--json have all)")
}

func checkTop(top int) error {
	if top < 0 {
		return usagef("--top is %d, it must be a number of rows, or 0 for all", top)
	}
	return nil
}
