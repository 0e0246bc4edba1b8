package omega

import (
	"fmt"

	"emsim/packet"
)

// Block is a packet that stands ready in a switch and cannot go on.
type Block struct {
	Unit, Input, Bank int
	Output            int
	Packet            packet.Packet
	Next              int // unit whose bank it waits for; -1 when it waits for the own IBU
	NextBank          int
}

// String says what the packet waits for.
func (b Block) String() string {
	if b.Next < 0 {
		return fmt.Sprintf("bank %d holds %v, which waits for the input buffer of its own PE", b.Bank, b.Packet)
	}
	return fmt.Sprintf("bank %d holds %v, which waits for bank %d behind the %s link", b.Bank, b.Packet, b.NextBank, PortName(b.Output))
}

// PortName names a port.
func PortName(port int) string {
	return [...]string{"in-group", "out-of-group", "own"}[port]
}

// Blocked lists the packets that stand ready in unit i at clock t and have no
// room to go to.
func (n *Network) Blocked(i int, t uint64) []Block {
	var list []Block
	for s := range slots {
		if b, ok := n.blocked(i, s, t); ok {
			list = append(list, b)
		}
	}
	return list
}

func (n *Network) blocked(i, s int, t uint64) (Block, bool) {
	su := &n.su[i]
	if su.full()>>s&1 == 0 || su.at[s] > t {
		return Block{}, false
	}
	input, bank, o := s/Banks, s%Banks, int(su.out[s])
	if n.room(i, o, bank, &su.bank[s], t) {
		return Block{}, false
	}
	b := Block{Unit: i, Input: input, Bank: bank, Output: o, Packet: su.bank[s], Next: -1}
	if o != Own {
		next, slot := n.downstream(i, o, bank)
		b.Next, b.NextBank = next, slot%Banks
	}
	return b, true
}

// WaitCycle returns a closed chain of blocked packets, each waiting for the
// bank of the next, or nothing when there is none. A packet waits for exactly
// one bank, so following the waits from every bank finds every cycle.
func (n *Network) WaitCycle(t uint64) []Block {
	seen := make([]int, n.N*slots) // number of the walk that came by
	for first := range seen {
		walk := first + 1
		var chain []Block
		for at := first; seen[at] == 0; {
			seen[at] = walk
			b, ok := n.blocked(at/slots, at%slots, t)
			if !ok || b.Next < 0 {
				break
			}
			chain = append(chain, b)
			at = b.Next*slots + b.Output*Banks + b.NextBank
			if seen[at] == walk {
				for len(chain) > 0 && chain[0].Unit*slots+chain[0].Input*Banks+chain[0].Bank != at {
					chain = chain[1:]
				}
				return chain
			}
		}
	}
	return nil
}
