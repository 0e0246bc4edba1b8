package sim

import (
	"emsim/balance"
	"emsim/docs"
	"emsim/internal/study/spread"
)

// Comparison returns the comparison that judges a user's own balancing policies. It runs them next to all policies of
// emsim, on every closed and open workload, with 16 and 64 workers, grains 3 and 30, and 32 seeds. Intervals and ties
// are as in 'emsim balance compare'. Compare runs the comparison, and balance.Ranking summarises it.
func Comparison(own ...balance.Policy) balance.Plan {
	p := balance.Default(false)
	p.Policies = append(p.Policies, own...)
	p.Workloads = append(p.Workloads, balance.OpenWorkloads()...)
	p.Interval = spread.Interval
	p.Against = func(v, w []float64) (low, high float64, certain bool) {
		_, low, high = spread.Ratio(v, w, true)
		return low, high, low > 1 || high < 1
	}
	p.Checks = balance.ParseChecks(docs.Valid)
	return p
}
