package mnc

import (
	"cmp"
	"fmt"
	"slices"
)

// A Spot is the location of a datum in the machine: in a PE's memory, or in the ring from the producer From to PE.
type Spot struct {
	ID   int
	PE   int // the PE that holds the datum, or the only one that can take it
	QPR  int // board of the ring; -1 if not in a ring
	From int // producer of the ring; -1 for the host
	IsY  bool
}

func (p Spot) String() string {
	kind := map[bool]string{true: "Y", false: "X"}[p.IsY]
	switch {
	case p.QPR < 0:
		return fmt.Sprintf("the %s memory of PE %d", kind, p.PE)
	case p.From < 0:
		return fmt.Sprintf("the X ring from the host to PE %d in QPR %d", p.PE, p.QPR)
	}
	return fmt.Sprintf("the %s ring from PE %d to PE %d in QPR %d", kind, p.From, p.PE, p.QPR)
}

// Unsent returns how many data are not born yet. If all data are equal, these are the last ones, up to Items-1.
func (m *Machine) Unsent() int {
	n := m.host.items
	for _, b := range m.host.births {
		n -= b.born
	}
	return n
}

// Undelivered returns the places of all data in the machine, in order of their numbers. Every other datum is at the
// sink or unsent.
func (m *Machine) Undelivered() []Spot {
	var list []Spot
	for i := range m.pes {
		e := &m.pes[i]
		for n := range e.x.Len() {
			list = append(list, Spot{ID: int(e.x.At(n).ID), PE: i, QPR: -1})
		}
		for n := range e.y.Len() {
			list = append(list, Spot{ID: int(e.y.At(n).ID), PE: i, QPR: -1, IsY: true})
		}
		for k := range e.n { // the rings that the PE reads
			nb := &e.nb[k]
			q := &m.qprs[nb.board]
			his := controlOf(q.Peek(controlBase + int(nb.toMe)))
			x := Spot{PE: i, QPR: int(nb.board), From: int(nb.pe)}
			list = appendRing(list, q, nb.xIn, e.control[k].headX, his.tailX, x)
			x.IsY = true
			list = appendRing(list, q, nb.yIn, e.control[k].headY, his.tailY, x)
		}
		if b, p := e.src.board, e.src.port; b >= 0 {
			list = appendRing(list, &m.qprs[b], m.host.rings[p], e.srcHead, m.host.feeds[e.feed].tail[p],
				Spot{PE: i, QPR: b, From: -1})
		}
	}
	slices.SortFunc(list, func(a, b Spot) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

func appendRing(list []Spot, q *QPR, r ring, head, tail uint8, at Spot) []Spot {
	for ; head != tail; head = r.nextIndex(head) {
		at.ID = int(r.peek(q, head).ID)
		list = append(list, at)
	}
	return list
}

// Check verifies that every datum is at the sink or in exactly one place, and that no two writes have collided on a
// board. It walks the whole machine, so it is for tests and investigations.
func (m *Machine) Check() error {
	list := m.Undelivered()
	if got := m.host.delivered + len(list) + m.Unsent(); got != m.cfg.Items {
		return fmt.Errorf("mnc: %d data delivered, %d in the machine and %d unsent make %d, expected %d",
			m.host.delivered, len(list), m.Unsent(), got, m.cfg.Items)
	}
	for i, p := range list {
		if !m.host.isBorn(p.ID) {
			return fmt.Errorf("mnc: datum %d is unsent and in %s", p.ID, p)
		}
		if m.host.hasSeen(p.ID) {
			return fmt.Errorf("mnc: datum %d is at the sink and in %s", p.ID, p)
		}
		if i > 0 && list[i-1].ID == p.ID {
			return fmt.Errorf("mnc: datum %d is in %s and in %s", p.ID, list[i-1], p)
		}
	}
	for q := range m.qprs {
		if n := m.qprs[q].stats.WriteConflicts; n != 0 {
			return fmt.Errorf("mnc: %d write conflicts on QPR %d; the layout should make them impossible", n, q)
		}
	}
	return nil
}
