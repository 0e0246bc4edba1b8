package sim

import (
	"emsim/balance"
	"emsim/docs"
	"emsim/internal/study/spread"
)

// Comparison returns the comparison by which balancing schemes of one's own are judged: next to all
// schemes of emsim, on every workload, closed and open, with 16 and 64 workers, grains 3 and
// 30, 32 seeds, and the intervals and ties of 'emsim balance compare', by chance and by the
// checks. Compare runs it, and balance.Ranking sums it up.
func Comparison(own ...balance.Scheme) balance.Plan {
	p := balance.Default(false)
	p.Schemes = append(p.Schemes, own...)
	p.Workloads = append(p.Workloads, balance.OpenWorkloads()...)
	p.Interval = spread.Interval
	p.Against = func(v, w []float64) (low, high float64, certain bool) {
		_, low, high = spread.Ratio(v, w, true)
		return low, high, low > 1 || high < 1
	}
	p.Checks = balance.ParseChecks(docs.Valid)
	return p
}
