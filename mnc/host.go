package mnc

import (
	"cmp"
	"fmt"
	"slices"

	"emsim/internal/base/lists"
)

// host feeds X into the source boards and takes Y from the sink boards. It is
// ideal, so that only the machine is measured: it uses no port and no time
// [chosen].
type host struct {
	cost      Costs
	items     int
	births    []*birth    // all data, in order of their numbers
	source    []*birth    // births whose next datum waits to be put into a source board
	later     []*birth    // births at later clocks
	feeds     []feed      // by source board
	rings     [Ports]ring // 4 rings to the source board's PEs, or from the sink board's
	seen      []uint64    // one bit per item: its Y has arrived
	delivered int         // Y at the sink
	work      int64       // the nominal time of their f()
	lastY     int64       // clock of the last Y
	lastBirth int64       // clock of the last birth
}

// feed is the host's side of the rings on a source board.
type feed struct {
	board int
	tail  [Ports]uint8
	head  [Ports]uint8 // as of each PE's last XGET
}

// birth is a group of Work with the numbers of its data.
type birth struct {
	Work
	first int // number of the first datum
	born  int // how many data are born
}

// nextDatum returns the next datum of a birth and counts it as born.
func (b *birth) nextDatum() Datum {
	b.born++
	return Datum{uint32(b.first + b.born - 1), uint32(b.Loops)}
}

func newHost(c *Config) host {
	h := host{cost: c.Cost, items: c.Items, seen: make([]uint64, (c.Items+63)/64)}
	first := 0
	for _, w := range c.allWork() {
		b := &birth{Work: w, first: first}
		first += w.Count
		h.births = append(h.births, b)
		if w.PE == Source && w.Count > 0 {
			h.later = append(h.later, b)
		}
		h.lastBirth = w.Clock
	}
	h.feeds = lists.Of(c.Wiring.Sources(), func(q int) feed { return feed{board: q} })
	h.advance(0)
	for p := range Ports {
		h.rings[p] = ringAt(2*pairRings+p, c.Slots)
	}
	return h
}

// nextBirth returns the clock at which the next X arrive at the source, or never.
func (h *host) nextBirth() int64 {
	if len(h.later) > 0 {
		return h.later[0].Clock
	}
	return never
}

// advance begins a clock and reports whether X have arrived at the source.
func (h *host) advance(t int64) (more bool) {
	for ; len(h.later) > 0 && h.later[0].Clock <= t; more = true {
		h.source, h.later = append(h.source, h.later[0]), h.later[1:]
	}
	return more
}

// quiet returns the clock of the last Y or, if that came later, of the last birth. A run that works delivers another Y
// soon after this clock.
func (h *host) quiet() int64 { return max(h.lastY, h.lastBirth) }

// fillSources fills the source rings with X, one X per ring in turn.
func (h *host) fillSources(boards []boardWiring, qprs []QPR) {
	for full := false; !full; {
		full = true
		for p := range Ports {
			for k := range h.feeds {
				f := &h.feeds[k]
				if boards[f.board].pe[p] != noPE && h.refillOne(f, qprs, p) {
					full = false
				}
			}
		}
	}
}

// refillOne puts one X into a source ring and reports whether it did. It needs an X and a free slot in the ring.
func (h *host) refillOne(f *feed, qprs []QPR, p int) bool {
	r := h.rings[p]
	if len(h.source) == 0 || r.dataHeld(f.head[p], f.tail[p]) == int(r.slots) {
		return false
	}
	b, q := h.source[0], &qprs[f.board]
	f.tail[p] = r.poke(q, f.tail[p], b.nextDatum())
	if b.born == b.Count {
		h.source = h.source[1:]
	}
	q.poke(hostBase+p, uint32(f.tail[p]))
	return true
}

// takeFromSource moves n X from the source ring to the PE; the host refills it
// at once.
func (h *host) takeFromSource(e *pe, qprs []QPR, n int) {
	q, p, f := &qprs[e.src.board], e.src.port, &h.feeds[e.feed]
	for range n {
		var d Datum
		d, e.srcHead = h.rings[p].getDatum(q, e.srcHead)
		e.x.Push(d)
	}
	f.head[p] = e.srcHead
	for h.refillOne(f, qprs, p) {
	}
}

// bearLocally puts the next datum that is born in a PE into its local memory. It reports whether there was a datum and
// free memory for it; further data wait. It runs when the PE begins to sense, before it plans, so that it takes no
// memory that a plan has counted on [chosen].
func (h *host) bearLocally(e *pe, t int64, most int) bool {
	if len(e.unborn) == 0 || e.unborn[0].Clock > t || e.x.Len() >= most {
		return false
	}
	b := e.unborn[0]
	e.x.Push(b.nextDatum())
	if b.born == b.Count {
		e.unborn = e.unborn[1:]
	}
	return true
}

// birthOf returns the birth that a datum belongs to.
func (h *host) birthOf(id int) *birth {
	i, _ := slices.BinarySearchFunc(h.births, id,
		func(b *birth, id int) int { return cmp.Compare(b.first+b.Count-1, id) })
	return h.births[i]
}

// isBorn reports whether a datum is born.
func (h *host) isBorn(id int) bool {
	if id >= h.items {
		return false
	}
	b := h.birthOf(id)
	return id < b.first+b.born
}

// takeY moves n Y from the PE to the sink ring. The host takes them from the ring and checks them at once.
func (h *host) takeY(e *pe, qprs []QPR, n int, t int64) error {
	q, p := &qprs[e.snk.board], e.snk.port
	head := e.snkTail
	for range n {
		e.snkTail = h.rings[p].putDatum(q, e.snkTail, e.y.PopOldest())
	}
	q.write(hostBase+p, uint32(e.snkTail))
	for ; head != e.snkTail; head = h.rings[p].nextIndex(head) {
		if err := h.check(h.rings[p].peek(q, head)); err != nil {
			return fmt.Errorf("clock %d, PE %d: %w", t, e.id, err)
		}
	}
	e.stats.ToHost += int64(n)
	h.delivered += n
	h.lastY = t
	return nil
}

// check marks a Y as delivered. It returns a fault of the model if the Y is wrong.
func (h *host) check(d Datum) error {
	if int(d.ID) >= h.items {
		return dataFault(d.ID, "Y %d was never sent; there are %d items", d.ID, h.items)
	}
	i, bit, loops := int(d.ID)/64, uint64(1)<<(d.ID%64), uint32(h.birthOf(int(d.ID)).Loops)
	switch {
	case h.seen[i]&bit != 0:
		return dataFault(d.ID, "Y %d arrived twice", d.ID)
	case d.Value != f(loops):
		return dataFault(d.ID, "Y %d holds %d, expected %d", d.ID, d.Value, f(loops))
	}
	h.seen[i] |= bit
	h.work += h.cost.f(int64(loops), 100)
	return nil
}

func (h *host) hasSeen(id int) bool { return h.seen[id/64]&(1<<(id%64)) != 0 }
