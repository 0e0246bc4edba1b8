package command

import "github.com/spf13/cobra"

func newSPMDCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "spmd",
		Short: "A workstation cluster that balances its load by messages about Power",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newMachineRunCmd(a, "spmd"))
	return cmd
}
