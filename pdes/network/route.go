package network

// Ports are numbered: inj[n] = n, ej[n] = N+n, then two banks of N for every
// axis (HCB: one): xin and xout, or the links towards + and -.

// Ports returns the number of ports of the network.
func (n *Net) Ports() int { return n.nodes * (2 + n.banks()*len(n.Dims)) }

func (n *Net) banks() int {
	if n.Kind == HCB {
		return 1
	}
	return 2
}

func (n *Net) portNumber(axis, bank, node int) int32 {
	return int32(n.nodes*(2+axis*n.banks()+bank) + node)
}

// Route appends to path the ports of a packet between two nodes: inj, the
// ports of every axis in turn, ej.
func (n *Net) Route(path []int32, from, to int) []int32 {
	path = append(path, int32(from))
	path = n.Between(path, from, to)
	return append(path, int32(n.nodes+to))
}

// Between appends the ports that Route appends, but without inj and ej.
func (n *Net) Between(path []int32, from, to int) []int32 {
	at := from
	for i := range n.Dims {
		axis := i
		if n.YFirst {
			axis = len(n.Dims) - 1 - i
		}
		path, at = n.alongAxis(path, axis, at, n.Coord(to, axis))
	}
	return path
}

// alongAxis appends the ports that bring a packet from node at to coordinate c of an axis. It returns the path and
// the node at which the packet then is.
func (n *Net) alongAxis(path []int32, axis, at, c int) ([]int32, int) {
	here := n.Coord(at, axis)
	if here == c {
		return path, at
	}
	end := n.At(at, axis, c)
	switch n.Kind {
	case HXB:
		return append(path, n.portNumber(axis, 0, at), n.portNumber(axis, 1, end)), end
	case HCB:
		return append(path, n.portNumber(axis, 0, at)), end
	}
	size := n.Dims[axis]
	up := (c - here + size) % size
	step, bank := 1, 0
	if up > size-up { // the shorter direction; a tie goes + (chosen)
		step, bank = size-1, 1
	}
	for here != c {
		path = append(path, n.portNumber(axis, bank, at))
		here = (here + step) % size
		at = n.At(at, axis, here)
	}
	return path, end
}
