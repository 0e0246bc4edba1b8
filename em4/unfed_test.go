package em4

// Unfed returns the number of packets that the host has yet to send.
func (m *Machine) Unfed() int { return len(m.hostQueue) }
