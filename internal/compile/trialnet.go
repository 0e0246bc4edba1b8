package compile

// The network of a trial. A packet crosses one link after the other, and lies in a
// bank of the unit behind each: one that is full lets nobody in, so packets wait for
// one another back to the PEs that send them.

// message is a packet of the trial.
type message struct {
	at     uint64
	kind   uint8
	moving bool  // it is in the network
	class  uint8 // of its bank
	to     int32 // PE
	who    int32 // instance
	node   place
	data   uint64
	unit   int     // of a request
	from   int32   // PE
	source int32   // the PE that sent it, while it waits there; otherwise -1
	bank   int32   // that it lies in, or -1
	path   []int32 // links still to cross
}

// bank holds one packet.
type bank struct {
	full    bool
	free    uint64 // from when it can be filled again
	waiting []int32
}

// put says what is due at a time.
func (t *trial) put(m message) {
	t.queue.put(m.at, t.keep(m))
}

// keep gives a message a number.
func (t *trial) keep(m message) int32 {
	if n := len(t.gone); n > 0 {
		id := t.gone[n-1]
		t.gone = t.gone[:n-1]
		t.messages[id] = m
		return id
	}
	t.messages = append(t.messages, m)
	return int32(len(t.messages) - 1)
}

// send gives a packet to the network.
func (t *trial) send(now uint64, m message, from int32) {
	m.path = t.routes.path(from, m.to)
	t.inject(now, m, from)
}

// inject gives the network a packet whose path is known.
func (t *trial) inject(now uint64, m message, from int32) {
	t.count.Packets++
	t.left -= packetSteps
	t.count.Links += len(m.path)
	m.at, m.source, m.bank = now+injectClocks+t.late(), from, -1
	if len(m.path) == 0 {
		m.at += arriveClocks
		t.put(m)
		return
	}
	m.moving = true
	p, id := &t.pes[from], t.keep(m)
	if p.out = append(p.out, id); len(p.out) == 1 {
		t.queue.put(m.at, id)
	}
}

// late is what a packet of a shaken trial takes more: a clock or none, by the highest
// bit of a linear congruential generator, whose factor is Marsaglia's [chosen].
func (t *trial) late() uint64 {
	if t.shake == 0 {
		return 0
	}
	t.shake = 69069*t.shake + 1
	return uint64(t.shake >> 31)
}

// hop takes a packet over the next link of its path, or to its PE.
func (t *trial) hop(id int32) {
	m := &t.messages[id]
	if len(m.path) == 0 {
		port := 2*len(t.pes) + int(m.to)
		leaves := max(m.at, t.links[port])
		t.links[port] = leaves + linkClocks
		t.leave(m, leaves)
		m.moving, m.at = false, leaves+arriveClocks
		t.queue.put(m.at, id)
		return
	}
	l := m.path[0]
	to := int32(t.machine.Banks)*l + int32(m.class)
	if t.routes.last[l/2] && int(m.class) < t.machine.Banks-1 {
		to++
	}
	if b := &t.banks[to]; b.full {
		b.waiting = append(b.waiting, id)
		return
	}
	t.cross(id, to)
}

// cross takes a packet to a bank that is or will be empty.
func (t *trial) cross(id, to int32) {
	m, b := &t.messages[id], &t.banks[to]
	l := m.path[0]
	if q := l / 2; m.kind == search && q != m.to {
		if load := t.load(q); uint64(load) <= m.data {
			m.data, m.who = uint64(load), q
		}
	}
	leaves := max(m.at, t.links[l], b.free)
	t.links[l] = leaves + linkClocks
	b.full = true
	t.leave(m, leaves)
	m.bank, m.class = to, uint8(to%int32(t.machine.Banks))
	m.path, m.at = m.path[1:], leaves+uint64(t.machine.HopClocks)
	t.queue.put(m.at, id)
}

// leave frees the bank of a packet, or its PE's port, for the next one.
func (t *trial) leave(m *message, now uint64) {
	if m.bank >= 0 {
		b := &t.banks[m.bank]
		b.full, b.free = false, now+uint64(t.machine.BankClocks)
		if len(b.waiting) > 0 {
			next := b.waiting[0]
			b.waiting = b.waiting[1:]
			t.cross(next, m.bank)
		}
		return
	}
	p := &t.pes[m.source]
	p.out = p.out[1:]
	switch {
	case len(p.out) > 0:
		next := &t.messages[p.out[0]]
		next.at = max(next.at, now+1+injectClocks)
		t.queue.put(next.at, p.out[0])
	case p.blocked:
		p.blocked = false
		t.queue.put(now+1, p.done)
	}
}
