package omega

import (
	"emsim/internal/base/barrier"
	"emsim/packet"
)

// Mailboxes hold the packets and messages from the units of one part to the units of another. Between two meetings a
// thread writes only to its own units and to the mailboxes of its own part. At the meeting it collects what the other
// parts have left for it. There are two sets of mailboxes, used alternately: one set is filled while the set of the
// last window is read.

// mailbox holds what one part has left for another.
type mailbox struct {
	parcels []parcel
	credits []credit
	_       [16]byte
}

// parcel is a packet for a unit of another part.
type parcel struct {
	unit, slot int
	at         uint64 // clock from which the packet may be sent on
	packet     packet.Packet
}

// credit says that a bank downstream, in another part, has been emptied.
type credit struct {
	unit, slot int    // the unit upstream of the bank, and the bank's slot
	at         uint64 // clock from which the bank can be filled
}

// post returns the place for a packet that unit i sends to a bank slot of another part's unit. That unit may send it on
// from clock `at` on.
func (p *Part) post(i, unit, slot int, at uint64) *packet.Packet {
	p.beyond[i-p.lo][slot] = packet.Never
	box := &p.mail[p.turn][p.n.partOf(unit).own]
	box.parcels = append(box.parcels, parcel{unit: unit, slot: slot, at: at})
	return &box.parcels[len(box.parcels)-1].packet
}

// creditBank tells a unit of another part that a bank downstream of it can be filled from clock `at` on.
func (p *Part) creditBank(unit, slot int, at uint64) {
	box := &p.mail[p.turn][p.n.partOf(unit).own]
	box.credits = append(box.credits, credit{unit, slot, at})
}

// collect calls Collect for every part.
func (x *Scheduler) collect() {
	for th := range x.sched.part {
		x.sched.part[th].Collect()
	}
}

// Collect takes what the other parts have left since the last meeting. Every part must collect after every meeting.
func (p *Part) Collect() {
	n := p.n
	if len(n.sched.part) == 1 {
		return
	}
	filled := p.turn
	p.turn = 1 - p.turn
	for to := range p.mail[p.turn] { // the other parts have read these in the window before
		box := &p.mail[p.turn][to]
		box.parcels, box.credits = box.parcels[:0], box.credits[:0]
	}
	for th := range n.sched.part {
		box := &n.sched.part[th].mail[filled][p.own]
		for i := range box.parcels {
			x := &box.parcels[i]
			su := &n.su[x.unit]
			o := p.n.route(&su.position, &x.packet)
			su.bank[x.slot] = x.packet
			n.arrive(su, x.slot, o, x.at)
			p.expect(x.unit, x.slot, o, &x.packet, x.at)
		}
		for _, c := range box.credits {
			p.beyond[c.unit-p.lo][c.slot] = c.at
			p.expectFree(c.unit, c.slot, c.at)
		}
	}
}

// Windows steps the parts of a network through windows of clocks. Within a window every part is stepped independently,
// because packets and messages between parts take effect only after the window.
type Windows struct {
	Net        *Scheduler
	Length     uint64                 // clocks of a window, at most Scheduler.Window
	Clock      func(th int, t uint64) // steps one part by one clock
	MustReturn func(th int) bool      // reports after a window whether Step must return; may be nil

	from, to uint64 // the clocks that are being stepped
	work     barrier.Work
}

// Step steps the clocks from..to-1, or fewer: it stops at the end of a window after which MustReturn returns true. It
// returns the next clock. threads is nil if the caller does all the work. Every part must have collected.
func (s *Windows) Step(threads *barrier.Threads, from, to uint64) uint64 {
	s.Net.Begin(from)
	if s.from, s.to = from, to; s.work == nil {
		s.work = s.window
	}
	n := int((to - from + s.Length - 1) / s.Length)
	if threads != nil {
		n = threads.Series(n, s.work)
	} else {
		n = barrier.Alone(len(s.Net.sched.part), n, s.work)
	}
	return min(to, from+uint64(n)*s.Length)
}

// window steps one window of one thread. It reports whether Step must return.
func (s *Windows) window(th, number int) (mustReturn bool) {
	if number > 0 {
		s.Net.Part(th).Collect()
	}
	from := s.from + uint64(number)*s.Length
	for t := from; t < min(from+s.Length, s.to); t++ {
		s.Clock(th, t)
	}
	return s.MustReturn != nil && s.MustReturn(th)
}
