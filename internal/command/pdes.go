package command

import (
	"github.com/spf13/cobra"

	"emsim/pdes"
)

func newPDESCmd(a *app) *cobra.Command {
	return newGroup("pdes", "A parallel discrete-event simulation whose logical processes migrate",
		`pdes models the parallel discrete-event simulation of paper 004: a banyan switch
as logical processes (LPs) on the processors (PPs) of a hyper-crossbar, a torus
or a hypercube, and the migration that moves LPs to shorten their
messages' paths. docs/PDES.md says what comes from the paper and what is chosen.`,
		machineRunCmd(a, "pdes"), newPDESCostCmd(a), newPDESCompareCmd(a), newPDESPatternsCmd(a), newPDESCalibrateCmd(a), newPDESScatterCmd(a))
}

// pdesCase are the flags that choose machine and program, and further ones of
// the table.
type pdesCase struct{ *knobFlags }

func newPDESCase() *pdesCase { return &pdesCase{newKnobFlags("pdes")} }

// registerCase adds the flags of a study, and those of some more keys.
func (o *pdesCase) registerCase(cmd *cobra.Command, more ...string) {
	o.registerKeys(cmd.Flags(), append(more, "network", "shape", "stages", "wiring")...)
	o.registerMachine(cmd)
}

// choose is what the flags say.
func (o *pdesCase) choose(cmd *cobra.Command) (*pdes.Setup, error) {
	m, err := o.machine(cmd)
	if err != nil {
		return nil, err
	}
	s := m.Config.(*pdes.Setup)
	if at := s.MigrateAt; at < 0 && o.given["migrate_at"] != nil && cmd.Flags().Changed("migrate-at") {
		return nil, usagef("migrate at: expected a clock, 0 or later, got %d", at)
	}
	return s, nil
}
