package mnc

import "fmt"

// host feeds X into the source board and takes Y from the sink board. It is
// ideal, so that only the machine is measured: it uses no port and no time
// [chosen].
type host struct {
	items     int
	loops     uint32
	next      int          // number of the next X to put
	srcTail   [Ports]uint8 // indices of the source rings
	srcHead   [Ports]uint8 // as of the PEs' last XGET
	rings     [Ports]ring  // 4 rings to the source board's PEs, or from the sink board's
	seen      []uint64     // one bit per item: its Y has arrived
	delivered int          // Y at the sink
	lastY     int64        // clock of the last Y
}

func newHost(c *Config) host {
	h := host{items: c.Items, loops: uint32(c.Loops), seen: make([]uint64, (c.Items+63)/64)}
	for p := range Ports {
		h.rings[p] = ringAt(2*pairRings+p, c.Slots)
	}
	return h
}

// fill puts X into the source rings before clock 0, one at a time in turn.
func (h *host) fill(b *boardWiring, q *QPR) {
	for full := false; !full; {
		full = true
		for p := range Ports {
			if b.pe[p] != noPE && h.refillOne(q, p) {
				full = false
			}
		}
	}
}

// refillOne puts one X into a source ring if there is one and room for it.
func (h *host) refillOne(q *QPR, p int) bool {
	r := h.rings[p]
	if h.next == h.items || r.held(h.srcHead[p], h.srcTail[p]) == int(r.slots) {
		return false
	}
	h.srcTail[p] = r.poke(q, h.srcTail[p], Datum{uint32(h.next), h.loops})
	h.next++
	q.poke(hostBase+p, uint32(h.srcTail[p]))
	return true
}

// getX moves n X from the source ring to the PE; the host refills it at once.
func (h *host) getX(e *pe, qprs []QPR, n int) {
	q, p := &qprs[e.src.board], e.src.port
	for range n {
		var d Datum
		d, e.srcHead = h.rings[p].get(q, e.srcHead)
		e.x.push(d)
	}
	h.srcHead[p] = e.srcHead
	for h.refillOne(q, p) {
	}
}

// takeY moves n Y from the PE to the sink ring, from which the host takes and
// checks them at once.
func (h *host) takeY(e *pe, qprs []QPR, n int, t int64) error {
	q, p := &qprs[e.snk.board], e.snk.port
	head := e.snkTail
	for range n {
		e.snkTail = h.rings[p].put(q, e.snkTail, e.y.pop())
	}
	q.write(hostBase+p, uint32(e.snkTail))
	for ; head != e.snkTail; head = h.rings[p].next(head) {
		if err := h.check(h.rings[p].peek(q, head)); err != nil {
			return fmt.Errorf("clock %d, PE %d: %w", t, e.id, err)
		}
	}
	e.stats.ToHost += int64(n)
	h.delivered += n
	h.lastY = t
	return nil
}

// check marks a Y as delivered. Its error is a fault of the model.
func (h *host) check(d Datum) error {
	i, bit := int(d.ID)/64, uint64(1)<<(d.ID%64)
	switch {
	case int(d.ID) >= h.items:
		return dataFault(d.ID, "Y %d was never sent; there are %d items", d.ID, h.items)
	case h.seen[i]&bit != 0:
		return dataFault(d.ID, "Y %d came twice", d.ID)
	case d.Value != f(h.loops):
		return dataFault(d.ID, "Y %d holds %d, expected %d", d.ID, d.Value, f(h.loops))
	}
	h.seen[i] |= bit
	return nil
}

func (h *host) has(id int) bool { return h.seen[id/64]&(1<<(id%64)) != 0 }
