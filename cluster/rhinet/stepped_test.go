package rhinet

import "slices"

// stepped is a second model of the torus that steps through every tick and visits every queue. It shares only
// TorusParams and the routes with the model.
type stepped struct {
	p         TorusParams
	traffic   []traffic
	delivered []int64
	tick      int64
	left      int // messages in flight or not yet sent
	next, ids int // next message to offer, next packet id

	send, recv [PaperNodes]dmaQueue
	ports      [16][8]stepPort
	links      []stepPacket
}

type stepPacket struct {
	id, msg  int
	dst      int
	bytes    int64
	last     bool
	readyAt  int64 // when the header may leave its switch
	arriveAt int64 // on a link: when it reaches the other end
	to       int   // on a link: the switch at its end, or -1-host
}

// dmaQueue holds packets; the first one needs left more ticks.
type dmaQueue struct {
	packets []stepPacket
	left    int64
}

type stepPort struct {
	queue []stepPacket
	busy  int64 // remaining ticks of the port's transmission
}

func stepTorus(p TorusParams, traffics []traffic) []int64 {
	s := &stepped{p: p, traffic: traffics, delivered: make([]int64, len(traffics)), left: len(traffics)}
	for ; s.left > 0; s.tick++ {
		s.moveDMA()
		s.arrive()
		s.depart()
		s.offer()
	}
	return s.delivered
}

func (s *stepped) dma(k stepPacket) int64 {
	return (k.bytes + s.p.DMAHeader + s.p.DMABytes - 1) / s.p.DMABytes
}

func (s *stepped) put(q *dmaQueue, k stepPacket) {
	if q.packets = append(q.packets, k); len(q.packets) == 1 {
		q.left = s.dma(k)
	}
}

// tickDMA advances q by one tick and returns the packet that q finishes in it.
func (s *stepped) tickDMA(q *dmaQueue) (k stepPacket, done bool) {
	if len(q.packets) == 0 {
		return k, false
	}
	if q.left--; q.left > 0 {
		return k, false
	}
	k = q.packets[0]
	if q.packets = q.packets[1:]; len(q.packets) > 0 {
		q.left = s.dma(q.packets[0])
	}
	return k, true
}

func (s *stepped) moveDMA() {
	for h := range s.send {
		if k, done := s.tickDMA(&s.send[h]); done {
			k.arriveAt, k.to = s.tick+s.p.LinkTicks, h/hostsPerSwitch
			s.links = append(s.links, k)
		}
		if k, done := s.tickDMA(&s.recv[h]); done && k.last {
			s.delivered[k.msg] = s.tick
			s.left--
		}
	}
}

// arrive receives packets from the links, in the order of packet ids.
func (s *stepped) arrive() {
	var here []stepPacket
	s.links = slices.DeleteFunc(s.links, func(k stepPacket) bool {
		if k.arriveAt == s.tick {
			here = append(here, k)
		}
		return k.arriveAt == s.tick
	})
	slices.SortFunc(here, func(a, b stepPacket) int { return a.id - b.id })
	for _, k := range here {
		if k.to < 0 {
			s.put(&s.recv[-1-k.to], k)
			continue
		}
		k.readyAt = s.tick + s.p.SwitchTicks
		port := &s.ports[k.to][s.p.route(k.to, k.dst)]
		port.queue = append(port.queue, k)
	}
}

func (s *stepped) depart() {
	for sw := range s.ports {
		for o := range s.ports[sw] {
			port := &s.ports[sw][o]
			port.busy = max(0, port.busy-1)
			if port.busy > 0 || len(port.queue) == 0 || port.queue[0].readyAt > s.tick {
				continue
			}
			k := port.queue[0]
			port.queue = port.queue[1:]
			port.busy = s.p.HeadFlits + (k.bytes+7)/8
			k.to, k.arriveAt = s.p.neighbour(sw, o), s.tick+s.p.LinkTicks
			if o < hostsPerSwitch { // a host has the packet when its tail has arrived
				k.to = -1 - (hostsPerSwitch*sw + o)
				k.arriveAt += port.busy
			}
			s.links = append(s.links, k)
		}
	}
}

// offer accepts the messages that the hosts send in this tick.
func (s *stepped) offer() {
	for ; s.next < len(s.traffic) && s.traffic[s.next].at == s.tick; s.next++ {
		t := s.traffic[s.next]
		for off := 0; off < t.bytes; off += s.p.MTU {
			s.put(&s.send[t.src], stepPacket{
				id: s.ids, msg: s.next, dst: t.dst,
				bytes: int64(min(s.p.MTU, t.bytes-off)), last: off+s.p.MTU >= t.bytes,
			})
			s.ids++
		}
	}
}
