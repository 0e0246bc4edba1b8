package network

// A Fabric moves packets over the ports of a network. It has no clock: its
// owner pops the events of the shared Queue and passes Head events back to
// the Fabric.
type Fabric struct {
	Hop int64 // clocks from a packet's start at a port until its head reaches the next port

	queue   *Queue
	free    []int64 // by port: the first clock at which it is free
	packets []packet
	idle    []int32 // free slots for packets
	nextID  int64
}

type packet struct {
	route  []int32 // shared, read-only
	next   int32   // index in route of the port that its head reaches next
	length int64
	tail   int64 // clocks from its start at the last port to its Deliver event
	id     int64
}

// NewFabric returns a fabric without packets.
func NewFabric(net *Net, hop int64, queue *Queue) *Fabric {
	return &Fabric{Hop: hop, queue: queue, free: make([]int64, net.Ports())}
}

// Send injects a packet that occupies every port of the route, at least one, for length clocks. Packets are numbered
// in order of injection; if two heads reach a port at the same clock, the packet with the lower number goes first. It
// returns the slot that the packet's Deliver event will carry.
func (f *Fabric) Send(now int64, route []int32, length int64) int32 {
	return f.inject(now, packet{route: route, length: length, tail: length})
}

// SendAhead works like Send, but the packet's Deliver event occurs when its head is through the last port, Hop clocks
// after its start there.
func (f *Fabric) SendAhead(now int64, route []int32, length int64) int32 {
	return f.inject(now, packet{route: route, length: length, tail: f.Hop})
}

func (f *Fabric) inject(now int64, p packet) int32 {
	var slot int32
	if n := len(f.idle); n > 0 {
		slot, f.idle = f.idle[n-1], f.idle[:n-1]
	} else {
		slot = int32(len(f.packets))
		f.packets = append(f.packets, packet{})
	}
	p.id = f.nextID
	f.nextID++
	f.packets[slot] = p
	f.queue.Push(now, Head, p.id, slot)
	return slot
}

// Head lets a packet's head start at its next port, and schedules the next event.
func (f *Fabric) Head(now int64, slot int32) {
	p := &f.packets[slot]
	port := p.route[p.next]
	start := max(now, f.free[port])
	f.free[port] = start + p.length
	p.next++
	if int(p.next) < len(p.route) {
		f.queue.Push(start+f.Hop, Head, p.id, slot)
		return
	}
	f.queue.Push(start+p.tail, Deliver, p.id, slot)
}

// Release frees a delivered packet's slot.
func (f *Fabric) Release(slot int32) { f.idle = append(f.idle, slot) }

// Sent returns the number of packets injected so far.
func (f *Fabric) Sent() int64 { return f.nextID }
