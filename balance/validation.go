package balance

import (
	"fmt"
	"math"

	"emsim/internal/base/portable"
)

// Conditions is a configuration in which a policy is compared with its native machine.
type Conditions struct {
	Paper   string  `json:"paper"`
	Machine string  `json:"machine"`
	Load    string  `json:"load"`
	Network string  `json:"network"` // busy: messages occupy links, as in the machine; free: as in the comparison
	N       int     `json:"n"`
	Grain   float64 `json:"grain"` // 0 if moving a unit costs nothing
}

// Check compares one quantity of a policy on the hooks with the same quantity of its native machine. Both are means
// over the seeds. The tests native_*_test.go measure them.
type Check struct {
	Policy string `json:"scheme" csv:"policy"`
	Conditions
	Quantity  string   `json:"quantity"`
	Seeds     int      `json:"seeds"`
	Native    float64  `json:"native"`
	Hooks     float64  `json:"hooks"`
	Deviation float64  `json:"deviation"`
	Low       *float64 `json:"low"` // ends of the 95 % interval of Deviation; null with a single seed
	High      *float64 `json:"high"`
	Tolerance float64  `json:"tolerance"`
	Unit      string   `json:"unit"` // share: a fraction of the native value; difference: an absolute value
	OK        bool     `json:"ok"`
}

// IsTime reports whether the compared quantity is the time of a run.
func (c *Check) IsTime() bool { return c.Quantity == "clocks" || c.Quantity == "seconds" }

// nearSize and nearGrain are the largest ratios of size and of grain between a row and a check that validates it
// [chosen: one step of the papers' sizes; a little more than half a step, on a logarithmic scale, of the comparison's
// grains].
const nearSize, nearGrain = 2, 4

// judge gives a row the nearest check of its policy. It prefers checks of the paper that the workload is from, then
// checks in the network of the comparison, then the nearest size and grain. If several are equally near, it takes the
// one with the largest deviation in time. The check validates the row if it is near and of the workload's paper, and if
// all equally near checks are passed.
func (r *Row) judge(p *Plan, w *Workload) {
	network := "free"
	if p.Fabric.Hold > 0 {
		network = "busy"
	}
	far := func(c *Check) (steps float64, near bool) {
		size, grain := math.Abs(portable.Log(float64(r.N)/float64(c.N))), float64(0)
		if c.Grain > 0 {
			grain = math.Abs(portable.Log(float64(r.Grain) / c.Grain))
		}
		steps, near = size+grain, size <= portable.Log(nearSize) && grain <= portable.Log(nearGrain) &&
			c.Paper == w.Paper
		if c.Paper != w.Paper {
			steps += 100
		}
		if c.Network != network {
			steps += 50
		}
		return steps, near
	}
	var best *Check
	ok, least := true, math.Inf(1)
	for k := range p.Checks {
		c := &p.Checks[k]
		if c.Policy != r.Policy {
			continue
		}
		steps, _ := far(c)
		if steps < least {
			best, ok, least = nil, true, steps
		}
		if steps == least {
			ok = ok && c.OK
			if c.IsTime() && (best == nil || math.Abs(c.Deviation) > math.Abs(best.Deviation)) {
				best = c
			}
		}
	}
	if best == nil {
		return
	}
	e, where := math.Abs(best.Deviation), fmt.Sprintf("%s %d %s", best.Machine, best.N, best.Load)
	r.Check, r.Nearest = &e, &where
	if _, near := far(best); near {
		r.Validated = &ok
	}
}
