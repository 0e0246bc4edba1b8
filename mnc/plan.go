package mnc

// planAction chooses the next action from the PE's own state and its view, by the first rule that applies. Order,
// amounts and targets are chosen (drain before fill). The actions and the quantities that decide them are from the
// paper [000 §4.2, §4.3].
func (e *pe) planAction(c *Config, give Giver) {
	a := &e.act
	a.amount = [MaxNeighbours + 1]uint16{}
	a.total = 0
	canProcess := e.x.Len() > 0 && e.y.Len() < c.YCap
	switch v := &e.view; {
	case canProcess && c.Guard > 0 && e.passed >= c.Guard:
		e.planProc(c)
	case e.planYPut(c):
		a.kind = YPut
	case v.allRY > 0 && e.y.Len() < c.YCap && (e.starved() || int64(e.y.Len())*e.shares() <= v.sumY):
		a.kind = YGet
		e.sweep(&v.ry, min(c.Batch, c.YCap-e.y.Len()))
	case v.allRX+v.source > 0 && e.x.Len() < c.XCap && int64(e.x.Len())*int64(e.n+1) <= v.sumX:
		a.kind = XGet
		free := min(c.Batch, c.XCap-e.x.Len())
		free -= e.sweep(&v.rx, free)
		e.addToAction(hostRing, min(v.source, free))
	case e.planXPut(c, give):
		a.kind = XPut
	case canProcess:
		e.planProc(c)
	default:
		a.kind = Idle
	}
	switch {
	case c.Guard == 0 || a.kind == Proc:
	case canProcess:
		e.passed++
	default:
		e.passed = 0
	}
}

// planProc plans to process a slice, as far as places for Y are free.
func (e *pe) planProc(c *Config) {
	e.act.kind, e.passed = Proc, 0
	e.addToAction(0, min(e.slice(c), e.x.Len(), c.YCap-e.y.Len()))
}

// starved reports whether the PE has no X and none is on the way to it.
func (e *pe) starved() bool {
	return e.x.Len() == 0 && e.view.allRX == 0 && e.view.source == 0
}

// shares returns the number of places among which Y should be even: the PE and its neighbours, and the sink, which
// counts as one place that is always empty.
func (e *pe) shares() int64 {
	if e.snk.board >= 0 {
		return int64(e.n) + 2
	}
	return int64(e.n) + 1
}

// addToAction adds n data in one ring to the action.
func (e *pe) addToAction(ring, n int) {
	e.act.amount[ring] += uint16(n)
	e.act.total += n
}

// kthNeighbour returns the k-th neighbour to consider, counting from rot.
func (e *pe) kthNeighbour(k int) int {
	if k += e.rot; k >= e.n {
		k -= e.n
	}
	return k
}

// sweep plans to take waiting data from the neighbours' rings, beginning with neighbour rot, until no place is free. It
// returns the number of data taken.
func (e *pe) sweep(waiting *[MaxNeighbours]int, free int) int {
	sum := 0
	for i := range e.n {
		k := e.kthNeighbour(i)
		if got := min(waiting[k], free-sum); got > 0 {
			e.addToAction(k, got)
			sum += got
		}
	}
	return sum
}

// planYPut plans to send Y if the PE holds more than the mean, has nothing else to do or is full. Y go to the host or,
// if the PE is not on a sink board, to the one with the least Y among the neighbours that are closer to the sink and
// whose ring has a free place. It reports whether it has planned an action.
func (e *pe) planYPut(c *Config) bool {
	y, d := int64(e.y.Len()), e.shares()
	if y == 0 {
		return false
	}
	above := y > (e.view.sumY+d-1)/d
	if !above && !e.starved() && e.y.Len() < c.YCap {
		return false
	}
	amount := min(e.y.Len(), c.Batch)
	if e.snk.board >= 0 {
		e.addToAction(hostRing, min(amount, c.Slots)) // the host has emptied the ring by now
		return true
	}
	best := -1
	for i := range e.n {
		k := e.kthNeighbour(i)
		if !e.nb[k].closer || e.view.sy[k] == c.Slots {
			continue
		}
		if best < 0 || e.view.loadY(k) < e.view.loadY(best) {
			best = k
		}
	}
	if best < 0 {
		return false
	}
	e.addToAction(best, min(amount, c.Slots-e.view.sy[best]))
	return true
}

// planXPut lets the policy decide what to give away, and reports whether it gave anything.
func (e *pe) planXPut(c *Config, give Giver) bool {
	give(Share{e, c})
	return e.act.total > 0
}

// rings returns the number of rings that the action touches.
func (a *action) rings() int64 {
	n := int64(0)
	for _, m := range a.amount {
		if m > 0 {
			n++
		}
	}
	return n
}

// schedule sets the times of the planned action: sensing and planning first, then the transfer or PROC.
func (e *pe) schedule(c *Config, t int64, updated bool) {
	k, n, a := &c.Cost, int64(e.n), &e.act
	overhead := int64(len(e.ports))*k.QPRWord + k.Iteration + n*(2*k.QPRWord+k.Neighbour)
	if e.src.board >= 0 {
		overhead += k.QPRWord
	}
	if e.snk.board >= 0 {
		overhead += k.QPRWord
	}
	overhead += e.view.busy * k.QPRWord
	if updated {
		overhead += n * k.AbilityEntry
	}
	work := int64(0)
	switch a.kind {
	case Idle:
		work = e.wait
		e.wait = min(2*e.wait, k.IdleMax)
	case Proc:
		work = e.processTime(c, a.total)
	default:
		work = int64(a.total)*k.copyDatum() + a.rings()*k.Ring
	}
	if a.kind != Idle {
		e.wait = k.Idle
	}
	a.start, a.work, a.end = t, t+overhead, t+overhead+work
}
