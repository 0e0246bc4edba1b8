package command

import "github.com/spf13/cobra"

func newRHiNETCmd(a *app) *cobra.Command {
	return newGroup("rhinet", "The RHiNET-2 PC cluster and its load balancing algorithms",
		`rhinet models a cluster of up to 64 PCs, connected by RHiNET-2 or Ethernet, that
solves 8192 equations while some of its hosts are busy with other work.`,
		machineRunCmd(a, "rhinet"))
}
