package mnc

// ability is one PE's table of its neighbours' processing ability PA, in Q16: 1.0 means as able as this PE [000
// §4.3.1]. It uses integers only, so that results are the same on every computer.
type ability struct {
	pa, acc, e  [MaxNeighbours]int64
	last        int64 // clock of the previous sample
	updated     int64 // clock of the previous update
	lowest      int64 // range of PA so far, for the statistics
	highest     int64
	sumPA, sum2 int64 // Σ PA and Σ PA² (Q16)
}

func newAbility(n int) ability {
	a := ability{lowest: One, highest: One}
	for k := range n {
		a.pa[k] = One
	}
	a.sumAbilities(n)
	return a
}

func (a *ability) sumAbilities(n int) {
	a.sumPA, a.sum2 = 0, 0
	for _, pa := range a.pa[:n] {
		a.sumPA += pa
		a.sum2 += (pa * pa) >> 16
	}
}

// integrate extends the integrals of equation (3) to clock t. The imbalance with a neighbour counts as constant since
// the previous call. Once the interval is over, integrate updates the table, and it reports whether it did.
func (a *ability) integrate(e *pe, c *Config, t int64) (updated bool) {
	span := t - a.last
	for k := range e.n {
		a.acc[k] += a.e[k] * span
	}
	a.last = t
	if since := t - a.updated; since >= c.AbilityInterval {
		for k := range e.n {
			mean := a.acc[k] / since
			pa := a.pa[k] + (c.AbilityGain*mean)>>16
			a.pa[k] = min(max(pa, c.AbilityMin), c.AbilityMax)
			a.acc[k] = 0
			a.lowest = min(a.lowest, a.pa[k])
			a.highest = max(a.highest, a.pa[k])
		}
		a.sumAbilities(e.n)
		a.updated = t
		updated = true
	}
	x := int64(e.x.Len())
	for k := range e.n {
		a.e[k] = Imbalance(x, int64(e.view.loadX(k)))
	}
	return updated
}

// Imbalance returns the integrand of equation (3), d·|d|/x² with d = x - other, in
// Q16 and bounded by ±1 [chosen: the paper divides by an X that may be 0].
func Imbalance(x, other int64) int64 {
	if x == 0 {
		if other == 0 {
			return 0
		}
		return -One
	}
	d := x - other
	return min(max((d*max(d, -d)<<16)/(x*x), -One), One)
}

// proper returns the proper load of a PE by equation (2), in Q16.
func (a *ability) proper(e *pe, form Form) int64 {
	weighted, plain := int64(0), int64(0)
	for k := range e.n {
		x := int64(e.view.loadX(k))
		weighted += a.pa[k] * x
		plain += x
	}
	x := int64(e.x.Len())
	num, den := x<<16+weighted, int64(One)
	switch form {
	case FormS:
		num = (x + plain) << 16
		den += a.sumPA
	case FormW:
		den += a.sumPA
	case FormN:
		den += int64(e.n) << 16
	default:
		den += a.sum2
	}
	return (num << 16) / den
}
