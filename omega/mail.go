package omega

import "emsim/packet"

// Links between units of different parts, and the mailboxes for what crosses
// them. Between two meetings a thread writes only to its own units, its own ends
// of links, and the mailboxes of its own part; at the meeting it takes what the
// others have left for it. There are two sets of mailboxes in turn: one is filled
// while the other, of the window before, is being read.

// link is one of the network's links, from a unit of one part to a unit of
// another. In place of the unit behind it, the upstream unit has the number N +
// that of the link; so has the downstream unit, in place of the one before it.
type link struct {
	from, to         uint32 // units
	port             uint8
	fromPart, toPart uint8
	room
}

// room is what the upstream unit knows of the banks behind a link.
type room struct {
	full    uint8         // set of the banks that hold a packet
	waited  uint8         // set of those that it waits for
	readyAt [Banks]uint64 // clock from which an empty bank can be filled
}

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

// credit says that a bank behind a link has been emptied.
type credit struct {
	link, bank int
	at         uint64 // clock from which it can be filled
}

// cutLinks cuts the links between units of different parts.
func (n *Network) cutLinks() {
	for th := range n.sched.part {
		for turn := range n.sched.part[th].mail {
			n.sched.part[th].mail[turn] = make([]mailbox, len(n.sched.part))
		}
	}
	if len(n.sched.part) == 1 {
		return
	}
	crossing := 0
	for i := range n.su {
		for _, to := range n.su[i].next {
			if n.partOf(i) != n.partOf(int(to)) {
				crossing++
			}
		}
	}
	n.links = make([]link, 0, crossing) // at once: a large machine has many
	for i := range n.su {
		from := n.partOf(i)
		for port, next := range n.su[i].next {
			to := n.partOf(int(next))
			if from == to {
				continue
			}
			number := uint32(n.N + len(n.links))
			n.su[i].next[port], n.su[next].prev[port] = number, number
			n.links = append(n.links, link{from: uint32(i), to: next, port: uint8(port), fromPart: uint8(from.own), toPart: uint8(to.own)})
		}
	}
	n.copyRoom()
}

// unlink makes all links plain ones.
func (n *Network) unlink() {
	for th := range n.sched.part {
		n.sched.part[th].Collect()
	}
	for _, l := range n.links {
		n.su[l.from].next[l.port] = l.to
		n.su[l.to].prev[l.port] = l.from
	}
	n.links = nil
}

// copyRoom brings what upstream units know of banks behind links up to date.
func (n *Network) copyRoom() {
	for i := range n.links {
		l := &n.links[i]
		to, first := &n.su[l.to], int(l.port)*Banks
		l.room = room{full: to.full >> first & (1<<Banks - 1)}
		copy(l.readyAt[:], to.readyAt[first:first+Banks])
	}
}

// unitBehind returns the number of the unit behind an output, given what
// position has for it.
func (n *Network) unitBehind(next int) int {
	if next >= n.N {
		return int(n.links[next-n.N].to)
	}
	return next
}

// place returns where to put a packet for a bank slot of the next unit, which
// may send it from clock `at` on.
func (p *Part) place(next, slot int, at uint64) *packet.Packet {
	if next < p.n.N {
		return &p.n.su[next].bank[slot]
	}
	l := &p.n.links[next-p.n.N]
	l.full |= 1 << (slot % Banks)
	box := &p.mail[p.turn][l.toPart]
	box.parcels = append(box.parcels, parcel{unit: int(l.to), slot: slot, at: at})
	return &box.parcels[len(box.parcels)-1].packet
}

// creditBank tells the upstream end of a link that a bank behind it can be
// filled from clock `at` on.
func (p *Part) creditBank(l, slot int, at uint64) {
	box := &p.mail[p.turn][p.n.links[l].fromPart]
	box.credits = append(box.credits, credit{l, slot % Banks, at})
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
			n.su[x.unit].bank[x.slot] = x.packet
			n.arrive(p, x.unit, x.slot, x.at)
		}
		for _, c := range box.credits {
			l := &n.links[c.link]
			l.full &^= 1 << c.bank
			l.readyAt[c.bank] = c.at
			if l.waited>>c.bank&1 == 1 {
				l.waited &^= 1 << c.bank
				p.roomAgain(int(l.from), int(l.port), c.at)
			}
		}
	}
}
