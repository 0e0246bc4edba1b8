package em4

// Unfed counts the packets that the host has still to put in.
func (m *Machine) Unfed() int { return len(m.hostQueue) }
