package balance

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// If communication is partly or wholly free, every policy still ends and runs all units.
func TestFreeCommunicationEnds(t *testing.T) {
	policies := Policies()
	for _, information := range Parts("information") {
		for _, trigger := range Parts("trigger") {
			for _, amount := range Parts("amount") {
				r := DefaultRule()
				r.Name, r.Information, r.Trigger, r.Amount = "own "+information+" "+trigger+
					" "+amount, information, trigger, amount
				if _, err := r.Validate(); err == nil {
					policies = append(policies, r.Policy())
				}
			}
		}
	}
	for name, f := range map[string]Fabric{
		"nothing": {}, "only links": {Latency: 1}, "only probes": {Probe: 1},
		"no messages": {Unit: 1, Latency: 10, Hop: 1}, "in turn": {InOrder: true, Asks: true},
	} {
		for _, s := range policies {
			for _, l := range slices.Concat(Workloads(), OpenWorkloads()) {
				l.Work, l.Units = 50, min(l.Units, 40)
				ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
				r, err := Run(ctx, Setup{Policy: s, Workload: l, Fabric: f, Workers: 4, Seed: 1})
				stop()
				if r != nil && r.NA != "" {
					continue
				}
				require.NoError(t, err, "%s: %s, %s", name, s.Name, l.Name)
				require.GreaterOrEqual(t, r.Time, r.Ideal, "%s: %s, %s", name, s.Name, l.Name)
			}
		}
	}
}
