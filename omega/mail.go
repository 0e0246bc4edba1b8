package omega

import (
	"emsim/internal/base/barrier"
	"emsim/packet"
)

// Mailboxes for what crosses from one part's units to another's. Between two
// meetings a thread writes only to its own units and to the mailboxes of its own
// part; at the meeting it takes what the others have left for it. There are two
// sets of mailboxes in turn: one is filled while the other, of the window before,
// is being read.

// mailbox is what one part leaves for another.
type mailbox struct {
	parcels []parcel
	credits []credit
	_       [16]byte
}

// parcel is a packet for another part's unit.
type parcel struct {
	unit, slot int
	at         uint64 // clock from which it may be sent on
	packet     packet.Packet
}

// credit says that a bank after another part's unit has been emptied.
type credit struct {
	unit, slot int    // the unit before the bank, and the bank's slot
	at         uint64 // clock from which it can be filled
}

// post returns where to put a packet for a bank slot of another part's unit, which
// may send it from clock `at` on.
func (p *Part) post(unit, slot int, at uint64) *packet.Packet {
	box := &p.mail[p.turn][p.n.partOf(unit).own]
	box.parcels = append(box.parcels, parcel{unit: unit, slot: slot, at: at})
	return &box.parcels[len(box.parcels)-1].packet
}

// creditBank tells another part's unit that a bank after it can be filled from
// clock `at` on.
func (p *Part) creditBank(unit, slot int, at uint64) {
	box := &p.mail[p.turn][p.n.partOf(unit).own]
	box.credits = append(box.credits, credit{unit, slot, at})
}

// collect has every part collect.
func (x *Scheduler) collect() {
	for th := range x.sched.part {
		x.sched.part[th].Collect()
	}
}

// Collect takes what the other parts have left since the last meeting. Every
// part collects after every meeting.
func (p *Part) Collect() {
	n := p.n
	if len(n.sched.part) == 1 {
		return
	}
	filled := p.turn
	p.turn = 1 - p.turn
	for to := range p.mail[p.turn] { // the others have read these in the window before
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
			p.expectRoom(c.unit, c.slot, c.at)
		}
	}
}

// Windows steps the parts of a network through windows of clocks, in each of which every
// part goes its way: what crosses from one to another matters only after it.
type Windows struct {
	Net    *Scheduler
	Length uint64                 // of a window, at most Scheduler.Window
	Clock  func(th int, t uint64) // is a clock of one part
	Look   func(th int) bool      // reports after a window whether somebody should look; may be nil

	from, to uint64 // the clocks that are being stepped
	work     barrier.Work
}

// Step steps the clocks from..to-1, or fewer: up to the end of a window after which
// somebody should look. It returns the clock that comes next. threads is nil if the
// caller does it alone. Every part must have collected.
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

// window does one window for one thread.
func (s *Windows) window(th, number int) (look bool) {
	if number > 0 {
		s.Net.Part(th).Collect()
	}
	from := s.from + uint64(number)*s.Length
	for t := from; t < min(from+s.Length, s.to); t++ {
		s.Clock(th, t)
	}
	return s.Look != nil && s.Look(th)
}
