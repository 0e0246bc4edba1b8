package em4

// Unfed returns the number of packets that the host has not sent yet.
func (m *Machine) Unfed() int { return len(m.hostQueue) }

// ShareSizes returns the number of PEs of each thread.
func (m *Machine) ShareSizes() []int {
	sizes := make([]int, len(m.parts))
	for i := range m.pe {
		sizes[m.thread[i]]++
	}
	return sizes
}
