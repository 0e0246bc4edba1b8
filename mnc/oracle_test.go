package mnc

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// oracle is a second machine, written from the rules, which only counts data: it has no boards, words, indices or
// data. It looks at every PE in every clock in which anything ends, and uses rationals where fixed point is not
// essential.
type oracle struct {
	c        Config
	hop      []int
	nb       [][]int
	src, snk []bool
	x, y     []int
	rx, ry   [][]int // [from][to]
	feed     []int   // X in the source ring
	left     int     // X at the host
	out      int
	transfer int64
	busy     int64
	clock    int64 // the last clock in which an action ended
	lastY    int64
	quiet    int // actions planned since then
	wrAt     []int64
	pa       [][]int64
	acc, e   [][]int64
	last     []int64
	upd      []int64
	rot      []int
	wait     []int64
	end      []int64
	others   []int // consecutive actions other than PROC while there was something to process
	act      []oracleAct
}

type oracleAct struct {
	kind ActionKind
	n    map[int]int // number of data by neighbour's PE; -1 is the host; for Proc: 0
}

func newOracle(c Config) *oracle {
	n := c.Wiring.PEs
	square := func() [][]int64 {
		s := make([][]int64, n)
		for i := range s {
			s[i] = make([]int64, n)
		}
		return s
	}
	o := &oracle{
		c: c, hop: c.Wiring.SinkHops(), src: make([]bool, n), snk: make([]bool, n), x: make([]int, n),
		y:    make([]int, n),
		feed: make([]int, n), left: c.Items, wrAt: make([]int64, n), pa: square(), acc: square(), e: square(),
		last: make([]int64, n), upd: make([]int64, n), rot: make([]int, n), wait: make([]int64, n),
		end: make([]int64, n), act: make([]oracleAct, n), others: make([]int, n),
	}
	for i := range n {
		o.nb = append(o.nb, c.Wiring.Neighbours(i))
		o.rx, o.ry = append(o.rx, make([]int, n)), append(o.ry, make([]int, n))
		o.src[i] = slices.Contains(c.Wiring.Boards[c.Wiring.Source].Ports[:], i)
		o.snk[i] = slices.Contains(c.Wiring.Boards[c.Wiring.Sink].Ports[:], i)
		o.wrAt[i], o.end[i], o.wait[i] = -1, int64(i), c.Cost.Idle
		for k := range n {
			o.pa[i][k] = One
		}
	}
	for o.left > 0 {
		before := o.left
		for i := range n {
			if o.src[i] && o.left > 0 && o.feed[i] < c.Slots {
				o.feed[i]++
				o.left--
			}
		}
		if o.left == before {
			break
		}
	}
	return o
}

func (o *oracle) p(i int) int64 {
	percent := int64(100)
	if o.c.Slow != nil {
		percent = o.c.Slow[i]
	}
	return max(1, int64(o.c.Loops)*o.c.Cost.Loop*percent/100)
}

// patience is the largest number of actions without a Y before the oracle gives up.
const patience = 50_000

// run runs the oracle until all data are done, or until it gives up.
func (o *oracle) run() {
	for o.out < o.c.Items && o.quiet < patience {
		t := slices.Min(o.end)
		o.clock = t
		var due []int
		for i, e := range o.end {
			if e == t {
				due = append(due, i)
				o.commit(i, t)
				o.wrAt[i] = t
			}
		}
		x, y, rx, ry := slices.Clone(o.x), slices.Clone(o.y), clone2(o.rx), clone2(o.ry)
		for _, i := range due {
			o.plan(i, t, x, y, rx, ry)
		}
		o.quiet += len(due)
	}
}

func clone2(a [][]int) [][]int {
	var b [][]int
	for _, r := range a {
		b = append(b, slices.Clone(r))
	}
	return b
}

func (o *oracle) commit(i int, t int64) {
	a := o.act[i]
	for k, n := range a.n {
		switch a.kind {
		case Proc:
			o.x[i] -= n
			o.y[i] += n
		case XPut:
			o.x[i] -= n
			o.rx[i][k] += n
		case XGet:
			o.x[i] += n
			o.transfer += int64(n)
			if k >= 0 {
				o.rx[k][i] -= n
				continue
			}
			o.feed[i] -= n
			more := min(o.left, o.c.Slots-o.feed[i])
			o.feed[i] += more
			o.left -= more
		case YGet:
			o.y[i] += n
			o.ry[k][i] -= n
			o.transfer += int64(n)
		case YPut:
			o.y[i] -= n
			if k >= 0 {
				o.ry[i][k] += n
				continue
			}
			o.out += n
			o.transfer += int64(n)
			o.lastY, o.quiet = t, 0
		}
	}
	if a.kind > Proc && len(o.nb[i]) > 0 {
		o.rot[i] = (o.rot[i] + 1) % len(o.nb[i])
	}
}

func (o *oracle) plan(i int, t int64, x, y []int, rx, ry [][]int) {
	c, k := &o.c, &o.c.Cost
	n := len(o.nb[i])
	order := append(slices.Clone(o.nb[i][o.rot[i]:]), o.nb[i][:o.rot[i]]...)
	over := o.sensing(i)
	seenX := func(j int) int { return x[j] + rx[i][j] }
	seenY := func(j int) int { return y[j] + ry[i][j] }
	waitX, waitY, mx, my := 0, 0, x[i], y[i]
	for _, j := range o.nb[i] {
		if o.wrAt[j] == t {
			over += k.QPRWord
			o.busy++
		}
		waitX += rx[j][i]
		waitY += ry[j][i]
		mx += x[j]
		my += y[j]
	}
	if c.Policy == Auto {
		if o.ability(i, t, x[i], seenX) {
			over += k.AbilityEntry * int64(n)
		}
	}
	d := n + 1
	if o.snk[i] {
		d++
	}
	idle := x[i] == 0 && waitX == 0 && o.feed[i] == 0
	a := oracleAct{Idle, map[int]int{}}
	room := min(c.Batch, c.XCap-x[i])
	possible := x[i] > 0 && y[i] < c.YCap
	switch {
	case possible && c.Guard > 0 && o.others[i] == c.Guard:
		a = o.process(i, x[i], y[i])
	case y[i] > 0 && (y[i] > (my+d-1)/d || idle || y[i] == c.YCap) && o.yput(i, order, seenY, ry, &a):
		a.kind = YPut
	case waitY > 0 && y[i] < c.YCap && (y[i]*d <= my || idle):
		a.kind = YGet
		room = min(c.Batch, c.YCap-y[i])
		for _, j := range order {
			g := min(room, ry[j][i])
			a.n[j], room = g, room-g
		}
	case waitX+o.feed[i] > 0 && x[i] < c.XCap && x[i]*(n+1) <= mx:
		a.kind = XGet
		for _, j := range order {
			g := min(room, rx[j][i])
			a.n[j], room = g, room-g
		}
		if o.src[i] {
			a.n[-1] = min(room, o.feed[i])
		}
	case c.Policy != None && o.xput(i, order, x[i], seenX, rx, &a):
		a.kind = XPut
	case possible:
		a = o.process(i, x[i], y[i])
	}
	if o.others[i]++; a.kind == Proc || !possible {
		o.others[i] = 0
	}
	o.act[i] = a
	o.end[i] = t + over + o.work(i, a)
}

// sensing returns the time of sensing and planning, without repeated reads and ability updates.
func (o *oracle) sensing(i int) int64 {
	k := &o.c.Cost
	over := k.Iteration + int64(len(o.nb[i]))*(2*k.QPRWord+k.Neighbour)
	for _, b := range o.c.Wiring.Boards {
		if slices.Contains(b.Ports[:], i) {
			over += k.QPRWord
		}
	}
	for _, on := range []bool{o.src[i], o.snk[i]} {
		if on {
			over += k.QPRWord
		}
	}
	return over
}

func (o *oracle) process(i, x, y int) oracleAct {
	return oracleAct{Proc, map[int]int{0: int(min(max(1, o.c.Slice/o.p(i)), int64(x), int64(o.c.YCap-y)))}}
}

// work returns how long an action takes, without sensing and planning, and updates the PE's back-off.
func (o *oracle) work(i int, a oracleAct) int64 {
	k := &o.c.Cost
	work := int64(0)
	for _, g := range a.n {
		if a.kind == Proc {
			work += int64(g) * o.p(i)
		} else if g > 0 {
			work += int64(g)*(2*(k.QPRWord+k.LocalWord)+k.Datum) + k.Ring
		}
	}
	if a.kind == Idle {
		work = o.wait[i]
		o.wait[i] = min(2*work, k.IdleMax)
	} else {
		o.wait[i] = k.Idle
	}
	return work
}

func (o *oracle) yput(i int, order []int, seenY func(int) int, ry [][]int, a *oracleAct) bool {
	n := min(o.y[i], o.c.Batch)
	if o.snk[i] {
		a.n[-1] = min(n, o.c.Slots)
		return true
	}
	best := -1
	for _, j := range order {
		if o.hop[j] < o.hop[i] && ry[i][j] < o.c.Slots && (best < 0 || seenY(j) < seenY(best)) {
			best = j
		}
	}
	if best >= 0 {
		a.n[best] = min(n, o.c.Slots-ry[i][best])
	}
	return best >= 0
}

// ability updates the abilities by equation (3), with the previous sample held.
func (o *oracle) ability(i int, t int64, x int, seen func(int) int) bool {
	update := t-o.upd[i] >= o.c.AbilityInterval
	for _, j := range o.nb[i] {
		o.acc[i][j] += o.e[i][j] * (t - o.last[i])
		if update {
			pa := o.pa[i][j] + (o.c.AbilityGain*(o.acc[i][j]/(t-o.upd[i])))>>16
			o.pa[i][j], o.acc[i][j] = min(max(pa, o.c.AbilityMin), o.c.AbilityMax), 0
		}
		d := int64(x - seen(j))
		switch {
		case x == 0 && d == 0:
			o.e[i][j] = 0
		case x == 0:
			o.e[i][j] = -One
		case d < 0:
			o.e[i][j] = max(-One, -(d*d<<16)/int64(x*x))
		default:
			o.e[i][j] = min(One, (d*d<<16)/int64(x*x))
		}
	}
	o.last[i] = t
	if update {
		o.upd[i] = t
	}
	return update
}

func (o *oracle) xput(i int, order []int, x int, seen func(int) int, rx [][]int, a *oracleAct) bool {
	keep := o.proper(i, x, seen)
	if o.c.Restraint == Restrains || o.c.Restraint == ByPolicy && o.c.Policy != Naive {
		keep = max(keep, o.c.KeepClk/o.p(i))
	}
	keep = max(keep, 1)
	total := 0
	for int64(total) < min(int64(x)-keep, int64(o.c.Batch)) {
		best, least := -1, new(big.Rat)
		for _, j := range order {
			share := big.NewRat(int64(seen(j)+a.n[j]+1), o.pa[i][j])
			if rx[i][j]+a.n[j] < o.c.Slots && (best < 0 || share.Cmp(least) < 0) {
				best, least = j, share
			}
		}
		if best < 0 || least.Cmp(big.NewRat(int64(x-total), One)) >= 0 {
			break
		}
		a.n[best]++
		total++
	}
	return total > 0
}

// proper returns equation (2), rounded to a whole datum.
func (o *oracle) proper(i, x int, seen func(int) int) int64 {
	num, den := int64(x)<<16, int64(One)
	for _, j := range o.nb[i] {
		pa := o.pa[i][j]
		switch o.c.Form {
		case FormL:
			num, den = num+pa*int64(seen(j)), den+pa*pa>>16
		case FormS:
			num, den = num+int64(seen(j))<<16, den+pa
		case FormW:
			num, den = num+pa*int64(seen(j)), den+pa
		case FormN:
			num, den = num+pa*int64(seen(j)), den+One
		}
	}
	return ((num<<16)/den + One/2) >> 16
}

// TestAgainstOracle checks that random machines have the oracle's clocks, transfers and BUSY counts, and that every
// PE holds what it holds in the oracle.
//
// Giving away comes before f(). With extreme parameters, such as abilities that cannot change, neighbours may
// therefore hand the same X to and fro for ever. This follows from the rules and is no mistake of either machine:
// both must then be in the same state at the clock at which the oracle gives up.
func TestAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := randomConfig(t)
		c.Stall = maxClocks // the oracle decides how long to wait
		o := newOracle(c)
		o.run()
		m := build(t, c)
		require.NoError(t, m.RunTo(t.Context(), o.clock))
		s := m.Stats()
		clocks := o.lastY
		if o.out < c.Items {
			clocks = o.clock
		}
		require.Equal(t, [4]int64{clocks, o.transfer, o.busy, int64(o.out)},
			[4]int64{s.Clocks, s.Transfers, s.Busy, int64(s.Delivered)})
		for i := range c.Wiring.PEs {
			require.Equal(t, [2]int{o.x[i], o.y[i]}, [2]int{m.Held(i).X, m.Held(i).Y}, "PE %d", i)
		}
		require.NoError(t, m.Check())
	})
}
