package omega

import (
	"fmt"

	"emsim/packet"
)

// Check says what is wrong with the state of the network at the start of clock
// t, if anything: what is true of every network that got there by stepping.
func (n *Network) Check(t uint64) error {
	for i := range n.su {
		if err := n.check(i, t); err != nil {
			return fmt.Errorf("switch of PE %v: %w", n.place[i].at, err)
		}
	}
	last := uint64(0)
	for _, w := range n.host {
		if w.Clock < last || w.Clock > t+portClocks-1 {
			return fmt.Errorf("a word went to the host in clock %d, before another or after clock %d", w.Clock, t)
		}
		last = w.Clock
	}
	return nil
}

// check is Check for one unit and its pins.
func (n *Network) check(i int, t uint64) error {
	su, pins := &n.su[i], &n.pins[i]
	if su.full()>>slots != 0 {
		return fmt.Errorf("there are no banks %#b", su.full())
	}
	for s := range slots {
		if err := n.checkBank(i, s, t); err != nil {
			return fmt.Errorf("bank %d of the %s link: %w", s%Banks, PortName(s/Banks), err)
		}
	}
	for port := range 3 {
		if su.outFree[port] >= t+portClocks || su.inFree[port] >= t+portClocks {
			return fmt.Errorf("the %s port is taken until clock %d", PortName(port), max(su.outFree[port], su.inFree[port]))
		}
		if su.winner[port] > Own {
			return fmt.Errorf("an output served input %d", su.winner[port])
		}
	}
	if max(su.last[0], su.last[1]) >= Banks {
		return fmt.Errorf("an input sent from bank %d", max(su.last[0], su.last[1]))
	}
	if pins.OutFull {
		if err := n.CheckPacket(&pins.Out); err != nil {
			return fmt.Errorf("at the EXU: %w", err)
		}
	}
	if pins.InFull {
		if err := n.CheckPacket(&pins.In); err != nil {
			return fmt.Errorf("at the input buffer: %w", err)
		}
		if pins.In.ToHost || pins.In.Dest != n.place[i].at || pins.InReady > t {
			return fmt.Errorf("%v stands at the input buffer, ready in clock %d", pins.In, pins.InReady)
		}
	}
	if pins.TakenAt != ^uint64(0) && pins.TakenAt >= t {
		return fmt.Errorf("a packet was taken in clock %d", pins.TakenAt)
	}
	return nil
}

func (n *Network) checkBank(i, s int, t uint64) error {
	su := &n.su[i]
	if su.out[s] > Own {
		return fmt.Errorf("there is no output %d", su.out[s])
	}
	if su.full()>>s&1 == 0 {
		if su.at[s] >= t+n.bankClocks {
			return fmt.Errorf("it is free in clock %d", su.at[s])
		}
		return nil
	}
	p := &su.bank[s]
	if err := n.CheckPacket(p); err != nil {
		return err
	}
	switch {
	case su.at[s] >= t+n.hopClocks:
		return fmt.Errorf("%v comes in clock %d", p, su.at[s])
	case int(su.out[s]) != n.route(i, p):
		return fmt.Errorf("%v takes the %s output", p, PortName(int(su.out[s])))
	case s%Banks >= n.banks:
		return fmt.Errorf("%v is in a bank that is not in use", p)
	}
	return nil
}

// CheckPacket refuses a packet that no PE of this machine can have made.
func (n *Network) CheckPacket(p *packet.Packet) error {
	switch {
	case !p.Kind.Valid(), p.Match > packet.Right:
		return fmt.Errorf("%v is of no kind", p)
	case !n.Contains(p.Dest):
		return fmt.Errorf("%v has no destination on this machine", p)
	case p.Addr>>n.format.AddrBits != 0:
		return fmt.Errorf("%v has an address of more than %d bits", p, n.format.AddrBits)
	case n.format.DataBits < 64 && p.Data>>n.format.DataBits != 0:
		return fmt.Errorf("%v has a payload of more than %d bits", p, n.format.DataBits)
	case int64(p.Src) >= int64(n.N) && p.Src != packet.Host:
		return fmt.Errorf("%v comes from PE number %d", p, p.Src)
	}
	return nil
}
