package omega

import (
	"fmt"

	"emsim/packet"
)

// Check returns an error if the network's state at the start of clock t breaks an invariant, so that no sequence of
// steps can lead to it.
func (n *Network) Check(t uint64) error {
	for i := range n.su {
		if err := n.check(i, t); err != nil {
			return fmt.Errorf("switch of PE %v: %w", n.su[i].address(), err)
		}
	}
	last := uint64(0)
	for _, w := range n.host {
		if w.Clock < last || w.Clock > t+portClocks-1 {
			return fmt.Errorf("a word went to the host in clock %d, which is before an earlier word or after clock %d",
				w.Clock, t)
		}
		last = w.Clock
	}
	return nil
}

// check tests the invariants of one unit and its pins.
func (n *Network) check(i int, t uint64) error {
	su, pins := &n.su[i], &n.pins[i]
	if su.full>>slots != 0 {
		return fmt.Errorf("full banks are %#b, but there are only %d", su.full, slots)
	}
	for s := range slots {
		if err := n.checkBank(i, s, t); err != nil {
			return fmt.Errorf("bank %d of the %s link: %w", s%Banks, PortName(s/Banks), err)
		}
	}
	for port := range 3 {
		if su.outFreeAt[port] >= t+portClocks || su.inFreeAt[port] >= t+portClocks {
			return fmt.Errorf("the %s port is busy until clock %d",
				PortName(port), max(su.outFreeAt[port], su.inFreeAt[port]))
		}
		if su.lastInput[port] > Own {
			return fmt.Errorf("an output last served input %d, which does not exist", su.lastInput[port])
		}
	}
	if max(su.lastBank[0], su.lastBank[1]) >= Banks {
		return fmt.Errorf("an input last sent from bank %d, which does not exist", max(su.lastBank[0], su.lastBank[1]))
	}
	if su.last > ownSlot || su.held != 0 && su.held != 1<<su.last {
		return fmt.Errorf("room is kept for slots %#b, and was last for slot %d", su.held, su.last)
	}
	if held := su.held &^ n.ready(i, t); held != 0 {
		return fmt.Errorf("room is kept for slot %d, which has no packet", su.last)
	}
	if pins.OutFull {
		if err := n.CheckPacket(&pins.Out); err != nil {
			return fmt.Errorf("output register of the EXU: %w", err)
		}
	}
	if pins.InFull {
		if err := n.CheckPacket(&pins.In); err != nil {
			return fmt.Errorf("intake register of the input buffer: %w", err)
		}
		if pins.In.ToHost || pins.In.Dest != n.su[i].address() || pins.InReady >= t+portClocks {
			return fmt.Errorf("the intake register holds %v, ready in clock %d", pins.In, pins.InReady)
		}
	}
	if pins.AcceptedAt != ^uint64(0) && pins.AcceptedAt >= t {
		return fmt.Errorf("the switch accepted a packet in clock %d, which is not over", pins.AcceptedAt)
	}
	return nil
}

func (n *Network) checkBank(i, s int, t uint64) error {
	su := &n.su[i]
	if su.output[s] > Own {
		return fmt.Errorf("its packet is routed to output %d, which does not exist", su.output[s])
	}
	if su.full>>s&1 == 0 {
		if su.readyAt[s] >= t+n.bankClocks {
			return fmt.Errorf("it can be filled again only in clock %d", su.readyAt[s])
		}
		return nil
	}
	p := &su.bank[s]
	if err := n.CheckPacket(p); err != nil {
		return err
	}
	switch {
	case su.readyAt[s] >= t+n.hopClocks:
		return fmt.Errorf("%v arrives only in clock %d", p, su.readyAt[s])
	case int(su.output[s]) != n.route(&su.position, p):
		return fmt.Errorf("%v is routed to the %s output, which is wrong", p, PortName(int(su.output[s])))
	case s%Banks >= n.banks:
		return fmt.Errorf("%v is in a bank that this machine does not use", p)
	}
	return nil
}

// CheckPacket returns an error if no PE of this machine can have made the packet.
func (n *Network) CheckPacket(p *packet.Packet) error {
	switch {
	case !p.Kind.Valid(), p.Match > packet.Right:
		return fmt.Errorf("%v has an unknown type or matching condition", p)
	case !n.Contains(p.Dest):
		return fmt.Errorf("%v has a destination that this machine does not have", p)
	case p.Addr>>n.format.AddrBits != 0:
		return fmt.Errorf("%v has an address of more than %d bits", p, n.format.AddrBits)
	case n.format.DataBits < 64 && p.Data>>n.format.DataBits != 0:
		return fmt.Errorf("%v has a payload of more than %d bits", p, n.format.DataBits)
	case int64(p.Src) >= int64(n.N) && p.Src != packet.Host:
		return fmt.Errorf("%v comes from PE number %d, which this machine does not have", p, p.Src)
	}
	return nil
}
