package balance

import (
	"cmp"
	"math"

	"emsim/internal/base/portable"
)

// Place is where a scheme is compared with its native machine.
type Place struct {
	Paper   string  `json:"paper"`
	Machine string  `json:"machine"`
	Load    string  `json:"load"`
	Network string  `json:"network"` // busy: messages occupy links, as in the machine; free: they do not, as in the comparison
	N       int     `json:"n"`
	Grain   float64 `json:"grain"` // 0: moving a unit costs nothing
}

// Check compares one quantity of a scheme on the hooks with that of its native machine: means
// of the seeds. Package verify/schemes measures them.
type Check struct {
	Scheme string `json:"scheme"`
	Place
	Quantity  string  `json:"quantity"`
	Seeds     int     `json:"seeds"`
	Native    float64 `json:"native"`
	Hooks     float64 `json:"hooks"`
	Deviation float64 `json:"deviation"`
	Low       float64 `json:"low"` // ends of its 95 % interval
	High      float64 `json:"high"`
	Tolerance float64 `json:"tolerance"`
	Unit      string  `json:"unit"` // share: of the native value; difference
	OK        bool    `json:"ok"`
}

// IsTime reports whether what was compared is the time of a run.
func (c *Check) IsTime() bool { return c.Quantity == "clocks" || c.Quantity == "seconds" }

// near is how far a cell may be from a check in size and in grain, as factors, so that the
// check counts for it [chosen: the steps of the papers' sizes, and half of the step of the comparison's grains].
const nearSize, nearGrain = 2, 4

// distance is how far a cell is from the place, as logarithms of size and of grain.
func (p *Place) distance(n, grain int) (size, of float64) {
	if p.Grain > 0 {
		of = math.Abs(portable.Log(float64(grain) / p.Grain))
	}
	return math.Abs(portable.Log(float64(n) / float64(p.N))), of
}

// judge gives a row the nearest check of its scheme: in the network of the comparison, at the
// workload of the check's paper if there is one, nearest in size and grain; of several the worst.
// The row is validated by it if it is near.
func (r *Row) judge(p *Plan, w *Workload) {
	network := "free"
	if p.Fabric.Hold > 0 {
		network = "busy"
	}
	var best *Check
	far := func(c *Check) float64 {
		size, grain := c.distance(r.N, r.Grain)
		if size += grain; c.Paper != w.Paper {
			size += 100
		}
		if c.Network != network {
			size += 50
		}
		return size
	}
	ok := true
	for k := range p.Checks {
		c := &p.Checks[k]
		if c.Scheme != r.Scheme {
			continue
		}
		order := -1
		if best != nil {
			order = cmp.Compare(far(c), far(best))
		}
		if order < 0 {
			best, ok = nil, true
		}
		if order <= 0 {
			ok = ok && c.OK
			if c.IsTime() && (best == nil || math.Abs(c.Deviation) > math.Abs(best.Deviation)) {
				best = c
			}
		}
	}
	if best == nil {
		return
	}
	size, grain := best.distance(r.N, r.Grain)
	e := math.Abs(best.Deviation)
	where := best.Machine + " " + best.Load
	r.Check, r.Nearest, r.NearestN = &e, &where, &best.N
	if best.Paper == w.Paper && size <= portable.Log(nearSize) && grain <= portable.Log(nearGrain) {
		r.Validated = &ok
	}
}
