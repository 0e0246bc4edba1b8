package ref

import (
	"math/rand/v2"

	"emsim/packet"
)

// Pick is the rule for choosing the next packet among the packets that may arrive.
type Pick uint8

// The rules for choosing the next packet.
const (
	Fair   Pick = iota // every lane is equally likely
	Starve             // some PEs rarely get a packet while others have one
	Newest             // usually the latest packet: depth first
	Picks              // number of rules
)

// String returns the name of the rule.
func (p Pick) String() string {
	if p < Picks {
		return [...]string{"fair", "starve", "newest"}[p]
	}
	return "pick?"
}

// Values for the ends of lanes that are not PEs.
const (
	fromHost = -1
	toHost   = -2
)

// message is a packet on its way.
type message struct {
	addr   uint32
	data   uint64
	match  packet.Match
	direct bool
}

// lane identifies packets that stay in order: they share sender, receiver and path.
type lane struct {
	from, to int
	round    bool // for MLPE packets, which take the reverse circuit
}

// queue holds the packets of one lane, oldest first.
type queue struct {
	lane
	list []message
	rank uint64 // with Starve, the lowest rank goes first
}

// bag holds the packets in flight.
type bag struct {
	rng       *rand.Rand
	pick      Pick
	unordered bool
	salt      uint64
	lanes     map[lane]*queue // lanes that hold packets; unused when unordered
	filled    []*queue        // the same lanes; if unordered, one packet each
}

func newBag(rng *rand.Rand, o Options) bag {
	return bag{rng: rng, pick: o.Pick, unordered: o.Unordered, salt: rng.Uint64(), lanes: map[lane]*queue{}}
}

func (b *bag) empty() bool { return len(b.filled) == 0 }

func (b *bag) putPacket(l lane, m message) {
	if q := b.lanes[l]; q != nil && !b.unordered {
		q.list = append(q.list, m)
		return
	}
	rank := (uint64(l.to+3) * 0x9e3779b97f4a7c15) ^ b.salt
	q := &queue{lane: l, list: []message{m}, rank: rank * 0xbf58476d1ce4e5b9}
	b.filled = append(b.filled, q)
	if !b.unordered {
		b.lanes[l] = q
	}
}

// takePacket picks a lane and removes its oldest packet.
func (b *bag) takePacket() (to int, m message) {
	i := b.choose()
	q := b.filled[i]
	m = q.list[0]
	if q.list = q.list[1:]; len(q.list) == 0 {
		last := len(b.filled) - 1
		b.filled[i] = b.filled[last]
		b.filled = b.filled[:last]
		delete(b.lanes, q.lane)
	}
	return q.to, m
}

func (b *bag) choose() int {
	i := b.rng.IntN(len(b.filled))
	switch b.pick {
	case Newest:
		if b.rng.IntN(8) > 0 {
			return len(b.filled) - 1
		}
	case Starve:
		for range 7 {
			if j := b.rng.IntN(len(b.filled)); b.filled[j].rank < b.filled[i].rank {
				i = j
			}
		}
	}
	return i
}
