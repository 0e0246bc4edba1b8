package em4

import "emsim/packet"

// Feed returns the packets that the host has still to put in.
func (m *Machine) Feed() []packet.Packet { return m.feed }
