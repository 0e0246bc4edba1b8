package balance

import (
	"cmp"
	"fmt"
	"slices"

	"emsim/internal/base/portable"
)

// Standing is the result of a policy over all cells of a comparison.
type Standing struct {
	Policy string
	Cells  int     // cells in which the policy has a value...
	Best   int     // ...and cells in which it is the best or ties with the best; 0 if no ties are known (see Row.Tie)
	Mean   float64 // geometric mean, over the cells, of its time over the best policy's
	Worst  float64 // greatest such ratio
	At     string  // the cell of Worst: workload, workers and grain
}

// Ranking summarises the rows of a comparison without the bounds. Policies with values in more cells come first, then
// those closer to the best.
func Ranking(rows []Row) []Standing {
	var list []Standing
	for k := range rows {
		r := &rows[k]
		if r.Regret == nil {
			continue
		}
		i := slices.IndexFunc(list, func(s Standing) bool { return s.Policy == r.Policy })
		if i < 0 {
			i, list = len(list), append(list, Standing{Policy: r.Policy})
		}
		s, over := &list[i], 1+*r.Regret
		s.Cells++
		s.Mean += portable.Log(over)
		if r.Tie != nil && *r.Tie {
			s.Best++
		}
		if over > s.Worst {
			s.Worst, s.At = over, fmt.Sprintf("%s, %d workers, grain %d", r.Workload, r.N, r.Grain)
		}
	}
	for i := range list {
		list[i].Mean = portable.Exp(list[i].Mean / float64(list[i].Cells))
	}
	slices.SortStableFunc(list, func(a, b Standing) int { return cmp.Or(b.Cells-a.Cells, cmp.Compare(a.Mean, b.Mean)) })
	return list
}
